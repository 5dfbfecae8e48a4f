/** Declares the used part of a library without types. */
declare module 'simple-oauth2' {
  interface Token {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly token_type: string;
    readonly expires_in: number;
  }

  interface AccessToken {
    readonly token: Token;
    refresh(params?: object): Promise<AccessToken>;
    revoke(which: 'access_token' | 'refresh_token'): Promise<void>;
  }

  export class AuthorizationCode {
    constructor(config: {
      client: { id: string; secret: string };
      auth: { tokenHost: string };
      options: { authorizationMethod: 'body' };
    });
    authorizeURL(params: Record<string, string>): string;
    getToken(params: Record<string, string>): Promise<AccessToken>;
  }
}
