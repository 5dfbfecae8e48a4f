/**
 * The sign-in data of one host, stored as one record in the keychain or the file store. Only this record contains secrets. Times are
 * milliseconds since 1970 UTC.
 */
export interface HostRecord {
  readonly version: 1;
  readonly host: string;
  /** The value of `Host.origin`. The secrets of this record go to no other origin. */
  readonly origin: string;
  readonly registration?: Registration;
  readonly grant?: Grant;
  readonly personal?: PersonalToken;
  readonly account?: Account;
}

/** A client registration (RFC 7591), which is valid for one host only. A registration is not secret, because the client is public. */
export interface Registration {
  readonly client_id: string;
  readonly registered_at: number;
  readonly redirect_uris: readonly string[];
}

export interface Grant {
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
  /** The time at which the access token expires, by this machine’s clock, in milliseconds since 1970. */
  readonly expires_at: number;
  /**
   * The time at which svc requested the tokens, in milliseconds since 1970. A refresh token lasts 30 days from this time (rule 13.69).
   */
  readonly issued_at: number;
  readonly scope: readonly string[];
  /** The endpoints that svc discovered at sign-in, each on the host’s own origin. */
  readonly token_endpoint: string;
  readonly revocation_endpoint?: string;
}

/** A personal access token, the only credential that can delete and upload. */
export interface PersonalToken {
  readonly token: string;
  readonly added_at: number;
  /** The expiry date as the user typed it with `--expires` (`YYYY-MM-DD`). The service does not report this date. */
  readonly expires?: string;
}

export interface Account {
  readonly user_id?: number;
  readonly user_name?: string;
  readonly organisation?: string;
  readonly timezone?: string;
}
