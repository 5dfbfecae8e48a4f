/** `auth` implements these types and `client` uses them. The two do not import each other. */

export interface Credential {
  /** The secret itself: goes into the Authorization header and nowhere else. */
  readonly token: string;
  readonly kind: 'oauth' | 'personal' | 'environment';
}

export interface CredentialRequest {
  /** Upper case. A DELETE needs a personal access token: OAuth has no destroy scope. */
  readonly method: string;
  /** The contents of a file need a personal access token: without one svc sends nothing. */
  readonly upload: boolean;
  /** A step of an upload may need a personal access token: svc uses one where there is one, else the sign-in. */
  readonly uploadStep?: boolean | undefined;
  /** The request itself. Absent where a command looks for a token before it has its request. */
  readonly target?: RequestTarget | undefined;
  /** The token goes to another program, so svc first renews one that ends within a minute. Default: false. */
  readonly handedOut?: boolean | undefined;
  /** The token that just got a 401: svc asks for a better one, or for the error to show. */
  readonly rejected?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The receiver and the contents of a request. */
export interface RequestTarget {
  /** The whole address, or a path below the API. */
  readonly url: string;
  /** Undefined for a request without a body; empty for a body that is read while it is sent. */
  readonly body?: Uint8Array | undefined;
}

/** Returns a credential for a request; rejects with `SignInError` (before svc sends anything) without one. */
export type CredentialSource = (request: CredentialRequest) => Promise<Credential>;
