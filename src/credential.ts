/** `auth` implements these types and `client` uses them. The two do not import each other. */

export interface Credential {
  /** The secret, which goes only into the Authorization header. */
  readonly token: string;
  readonly kind: 'oauth' | 'personal' | 'environment';
  /** The only state of the record that the request may change: that on which a policy was checked. */
  readonly ifMatch?: string | undefined;
}

export interface CredentialRequest {
  /** The HTTP method in upper case. A DELETE needs a personal access token, because OAuth has no destroy scope. */
  readonly method: string;
  /** True for a request with the contents of a file. Without a personal access token, svc does not send such a request. */
  readonly upload: boolean;
  /** True for a step of an upload, which can need a personal access token. Without one, svc uses the sign-in. */
  readonly uploadStep?: boolean | undefined;
  /** The request itself. Absent if a command looks for a token before it has its request. */
  readonly target?: RequestTarget | undefined;
  /** True if the token goes to another program. svc then first renews a token that ends within a minute. Default: false. */
  readonly handedOut?: boolean | undefined;
  /** The token that just got a 401. svc then requests a better token, or throws the error to show. */
  readonly rejected?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The receiver and the contents of a request. */
export interface RequestTarget {
  /** The absolute address, or a path within the API. */
  readonly url: string;
  /** The bytes of the body. Undefined without a body. Empty for a body that svc reads while sending it. */
  readonly body?: Uint8Array | undefined;
}

/**
 * Returns the credential for a request.
 *
 * @throws SignInError if no credential exists, before svc sends anything.
 */
export type CredentialSource = (request: CredentialRequest) => Promise<Credential>;
