import { randomBytes, randomUUID } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../dates.ts';

/** The lifetime of an authorization code. The value is assumed; RFC 6749 §4.1.2 recommends at most ten minutes. */
const CODE_LIFETIME = MINUTE;
const ACCESS_LIFETIME = HOUR;
/** The lifetime of a refresh token, from the last refresh (rule 13.69). */
const REFRESH_LIFETIME = 30 * DAY;

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The time of registration in milliseconds since 1970, like all times in this file. */
  readonly createdAt: number;
}

export interface AppSignIn {
  readonly client: Client;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly returnsTo: string;
  readonly accessTokens: Map<string, number>;
  refreshToken: string;
  readonly spentRefreshTokens: Set<string>;
  refreshedAt: number;
}

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

export interface Approval {
  readonly client: Client;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge: string;
}

export class Apps {
  readonly clients = new Map<string, Client>();
  connections: readonly AppSignIn[] = [];
  readonly #codes = new Map<string, { approval: Approval; until: number; connection?: AppSignIn }>();
  #cleanedAt = 0;

  register(name: string, redirectUris: readonly string[], now: number): Client {
    const client = { id: randomUUID(), name, redirectUris, createdAt: now };
    this.clients.set(client.id, client);
    return client;
  }

  issueCode(approval: Approval, now: number): string {
    const code = secret('oac');
    this.#codes.set(code, { approval, until: now + CODE_LIFETIME });
    return code;
  }

  /**
   * Returns the approval for an authorization code. Undefined if the code is unknown, expired, or already used for a sign-in. In the last
   * case, this sign-in ends (RFC 6749 §4.1.2).
   */
  takeCode(code: string, now: number): Approval | undefined {
    const known = this.#codes.get(code);
    if (known?.connection === undefined) return known !== undefined && known.until > now ? known.approval : undefined;
    this.connections = this.connections.filter((connection) => connection !== known.connection);
    return undefined;
  }

  connect({ client, userId, scopes, redirectUri }: Approval, code: string, now: number): TokenPair {
    const tokens = { accessTokens: new Map(), refreshToken: '', spentRefreshTokens: new Set<string>(), refreshedAt: now };
    const connection: AppSignIn = { client, userId, scopes, returnsTo: new URL(redirectUri).host, ...tokens };
    this.connections = [...this.connections, connection];
    const known = this.#codes.get(code);
    if (known !== undefined) known.connection = connection;
    return issue(connection, now);
  }

  byRefreshToken(value: string, now: number): AppSignIn | undefined {
    return this.connections.find(({ refreshToken, refreshedAt }) => refreshToken === value && refreshedAt + REFRESH_LIFETIME > now);
  }

  bySpentRefreshToken(value: string): AppSignIn | undefined {
    return this.connections.find(({ spentRefreshTokens }) => spentRefreshTokens.has(value));
  }

  byAccessToken(value: string, now: number): AppSignIn | undefined {
    return this.connections.find(({ accessTokens }) => (accessTokens.get(value) ?? 0) > now);
  }

  byAnyToken(value: string): AppSignIn | undefined {
    return (
      this.connections.find(({ accessTokens, refreshToken }) => accessTokens.has(value) || refreshToken === value) ??
      this.bySpentRefreshToken(value)
    );
  }

  refresh(connection: AppSignIn, endAccessToken: boolean, now: number): TokenPair {
    connection.spentRefreshTokens.add(connection.refreshToken);
    if (endAccessToken) connection.accessTokens.clear();
    return issue(connection, now);
  }

  disconnect(clientId: string, userId: number): void {
    this.connections = this.connections.filter(({ client, userId: user }) => client.id !== clientId || user !== userId);
  }

  disconnectAll(): void {
    this.connections = [];
  }

  expireAccessTokens(): void {
    for (const { accessTokens } of this.connections) for (const value of accessTokens.keys()) accessTokens.set(value, 0);
  }

  deleteClients(): void {
    this.clients.clear();
  }

  /**
   * Deletes sign-ins without a valid token. Also deletes apps without a sign-in that registered at least a day before the last midnight in
   * UTC. Runs only once after each midnight.
   */
  cleanUp(now: number): void {
    const midnight = Math.floor(now / DAY) * DAY;
    if (midnight <= this.#cleanedAt) return;
    this.#cleanedAt = midnight;
    this.connections = this.connections.filter((connection) => isLive(connection, midnight));
    const issued = new Set(this.connections.map(({ client }) => client.id));
    for (const { id, createdAt } of this.clients.values()) if (createdAt + DAY <= midnight && !issued.has(id)) this.clients.delete(id);
  }

  /** Returns the apps and sign-ins as JSON. Leaves out authorization codes, because these codes expire within a minute. */
  dump() {
    const connections = this.connections.map((connection) => ({
      ...connection,
      accessTokens: [...connection.accessTokens],
      spentRefreshTokens: [...connection.spentRefreshTokens],
    }));
    return { cleanedAt: this.#cleanedAt, clients: [...this.clients.values()], connections };
  }

  load(dump: ReturnType<Apps['dump']>): void {
    this.#cleanedAt = dump.cleanedAt;
    this.clients.clear();
    for (const client of dump.clients) this.clients.set(client.id, client);
    this.connections = dump.connections.map((connection) => ({
      ...connection,
      accessTokens: new Map(connection.accessTokens),
      spentRefreshTokens: new Set(connection.spentRefreshTokens),
    }));
  }
}

function issue(connection: AppSignIn, now: number): TokenPair {
  const access = secret('oat');
  connection.accessTokens.set(access, now + ACCESS_LIFETIME);
  connection.refreshToken = secret('ort');
  connection.refreshedAt = now;
  return { access_token: access, refresh_token: connection.refreshToken, expires_in: ACCESS_LIFETIME / 1000 };
}

function isLive(connection: AppSignIn, at: number): boolean {
  return connection.refreshedAt + REFRESH_LIFETIME > at || [...connection.accessTokens.values()].some((until) => until > at);
}

function secret(kind: string): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}
