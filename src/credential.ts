/** The types of a credential. `src/auth` implements these types, and `src/client` uses these types. Neither folder imports the other. */

export interface Credential {
  /** The secret, which goes only into the Authorization header. */
  readonly token: string;
  readonly kind: 'oauth' | 'personal' | 'environment';
  /**
   * The ETag of the record that svc checked against the policy. The service refuses the request if the record has changed since. Absent if
   * no policy depends on the record.
   */
  readonly ifMatch?: string | undefined;
}

export interface CredentialRequest {
  /** The HTTP method in upper case. A DELETE needs a personal access token, because no OAuth scope permits a DELETE. */
  readonly method: string;
  /** True for a request that sends the contents of a file. svc sends such a request only with a personal access token. */
  readonly upload: boolean;
  /** True for a step of an upload. Such a step can need a personal access token. Without a personal access token, svc uses the sign-in. */
  readonly uploadStep?: boolean | undefined;
  /** The address and the body of the request. Absent if a command gets a token before the command has a request. */
  readonly target?: RequestTarget | undefined;
  /** True if the token goes to another program. svc then first renews a token that ends within a minute. Default: false. */
  readonly handedOut?: boolean | undefined;
  /** The token that the service refused with 401. svc then returns another token, or throws a SignInError. Absent at the first attempt. */
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
