/**
 * What `auth` gives and `client` takes. The two do not import each other: the composition root hands the client a
 * {@link CredentialSource}.
 */

/** A bearer token for one request. */
export interface Credential {
  /** The secret itself: goes into the Authorization header and nowhere else. */
  readonly token: string;
  /** `environment` is `SVC_TOKEN`. */
  readonly kind: 'oauth' | 'personal' | 'environment';
}

export interface CredentialRequest {
  /** Upper case. A DELETE needs a personal token: OAuth has no destroy scope. */
  readonly method: string;
  /** The contents of a file go up with a personal token only, so that without one nothing is sent. */
  readonly upload: boolean;
  /** A step of an upload, which may take personal tokens only: the personal token where there is one, else the sign-in. */
  readonly uploadStep?: boolean | undefined;
  /** The token that was just answered 401; asks for a better one, or for the error to show. */
  readonly rejected?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Yields a credential for a request; rejects with `SignInError` (before anything is sent) when there is none. */
export type CredentialSource = (request: CredentialRequest) => Promise<Credential>;
