/** The types of a credential. `auth` implements the types and `client` uses them, so neither imports the other. */

export interface Credential {
  /** The secret, which goes only into the Authorization header. */
  readonly token: string;
  readonly kind: 'oauth' | 'personal' | 'environment';
  /**
   * The ETag of the record that svc checked against the policy. The request must not change another state of the record. Absent if no
   * policy depends on the record.
   */
  readonly ifMatch?: string | undefined;
}

export interface CredentialRequest {
  /** The HTTP method in upper case. A DELETE needs a personal access token, because OAuth has no destroy scope. */
  readonly method: string;
  /** True for a request that sends the contents of a file. svc sends such a request only with a personal access token. */
  readonly upload: boolean;
  /** True for a step of an upload. Such a step can need a personal access token. Without a personal access token, svc uses the sign-in. */
  readonly uploadStep?: boolean | undefined;
  /** The request itself. Absent if a command looks for a token before it has its request. */
  readonly target?: RequestTarget | undefined;
  /** True if the token goes to another program. svc then first renews a token that ends within a minute. Default: false. */
  readonly handedOut?: boolean | undefined;
  /**
   * The token that the service refused with 401. svc then requests another token, or throws the error for the user. Absent at the first
   * attempt.
   */
  readonly rejected?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RequestTarget {
  /** The absolute address, or a path within the API. */
  readonly url: string;
  /** The bytes of the body. Undefined without a body. Empty for a body that svc reads while sending it. */
  readonly body?: Uint8Array | undefined;
}

/**
 * Returns the credential for a request.
 *
 * @throws SignInError if no usable credential exists.
 */
export type CredentialSource = (request: CredentialRequest) => Promise<Credential>;
