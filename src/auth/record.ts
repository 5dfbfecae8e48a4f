/**
 * All that svc stores of one host, as one record in the keychain (or the file store). Nothing else on disk holds a secret. Times are
 * milliseconds since 1970 UTC.
 */
export interface HostRecord {
  readonly version: 1;
  readonly host: string;
  /** `Host.origin`: the only origin the secrets below may go to. */
  readonly origin: string;
  readonly registration?: Registration;
  readonly grant?: Grant;
  readonly personal?: PersonalToken;
  readonly account?: Account;
}

/** A client registration (RFC 7591). It is no secret, since the client is public, but works on one host only. */
export interface Registration {
  readonly client_id: string;
  readonly registered_at: number;
  readonly redirect_uris: readonly string[];
}

export interface Grant {
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
  /** When the access token stops working, by this machine's clock at the time it was issued. */
  readonly expires_at: number;
  /** When this pair was issued; a refresh token lasts 30 days from here (rule 13.69). */
  readonly issued_at: number;
  readonly scope: readonly string[];
  /** Endpoints as discovered at sign-in, each on the host's own origin. */
  readonly token_endpoint: string;
  readonly revocation_endpoint?: string;
}

/** A personal access token: the only credential that deletes and uploads. */
export interface PersonalToken {
  readonly token: string;
  readonly added_at: number;
  /** `YYYY-MM-DD`, as the person gave it with `--expires`; the service does not report the date. */
  readonly expires?: string;
}

export interface Account {
  readonly user_id?: number;
  readonly user_name?: string;
  readonly organisation?: string;
  readonly timezone?: string;
}
