import { randomBytes, randomUUID } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../dates.ts';

/** How long a code waits to be exchanged; assumed, as RFC 6749 §4.1.2 advises at most ten minutes. */
const CODE_LIFETIME = MINUTE;
const ACCESS_LIFETIME = HOUR;
/** Counted from the last refresh (rule 13.69). */
const REFRESH_LIFETIME = 30 * DAY;

/** A registered app. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
}

/** One sign-in of a person with an app: the tokens it lives by. */
export interface AppSignIn {
  readonly client: Client;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** The host of the app's redirect address: `127.0.0.1:51234`. */
  readonly returnsTo: string;
  /** Tokens, and the time until which each is live. */
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

/** A person's consent, waiting to be exchanged for tokens. */
export interface Approval {
  readonly client: Client;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge: string;
}

/** Apps, codes and tokens of the organisation. */
export interface Apps {
  readonly clients: ReadonlyMap<string, Client>;
  readonly connections: readonly AppSignIn[];
  register(name: string, redirectUris: readonly string[], now: number): Client;
  issueCode(approval: Approval, now: number): string;
  /** Takes a code out: undefined when it is unknown, used or too old. A used one ends what it gave (RFC 6749 §4.1.2). */
  takeCode(code: string, now: number): Approval | undefined;
  connect(approval: Approval, code: string, now: number): TokenPair;
  byRefreshToken(value: string, now: number): AppSignIn | undefined;
  bySpentRefreshToken(value: string): AppSignIn | undefined;
  /** New tokens for old: the refresh token at hand stops working. */
  refresh(connection: AppSignIn, endAccessToken: boolean, now: number): TokenPair;
  byAccessToken(value: string, now: number): AppSignIn | undefined;
  /** Either kind, live or not. */
  byAnyToken(value: string): AppSignIn | undefined;
  /** All of an app's tokens for a person stop. */
  disconnect(clientId: string, userId: number): void;
  disconnectAll(): void;
  expireAccessTokens(): void;
  deleteClients(): void;
  /** Deletes, as of the last midnight (UTC), registrations older than a day with nothing issued to them left. */
  cleanUp(now: number): void;
  dump(): AppsDump;
  load(dump: AppsDump): void;
}

/** Apps and sign-ins as JSON. Codes, which live for a minute, are not kept. */
export interface AppsDump {
  readonly cleanedAt: number;
  readonly clients: readonly Client[];
  readonly connections: readonly (Pick<AppSignIn, 'userId' | 'scopes' | 'returnsTo' | 'refreshToken' | 'refreshedAt'> & {
    /** It may outlive the registration. */
    readonly client: Client;
    readonly accessTokens: readonly (readonly [string, number])[];
    readonly spentRefreshTokens: readonly string[];
  })[];
}

export function createApps(): Apps {
  const clients = new Map<string, Client>();
  const codes = new Map<string, { approval: Approval; until: number; connection?: AppSignIn }>();
  let connections: AppSignIn[] = [];
  let cleanedAt = 0;

  const issue = (connection: AppSignIn, now: number): TokenPair => {
    const access = secret('oat');
    connection.accessTokens.set(access, now + ACCESS_LIFETIME);
    connection.refreshToken = secret('ort');
    connection.refreshedAt = now;
    return { access_token: access, refresh_token: connection.refreshToken, expires_in: ACCESS_LIFETIME / 1000 };
  };
  const end = (connection: AppSignIn): void => {
    connections = connections.filter((other) => other !== connection);
  };

  return {
    clients,
    get connections() {
      return connections;
    },
    register: (name, redirectUris, now) => {
      const client = { id: randomUUID(), name, redirectUris, createdAt: now };
      clients.set(client.id, client);
      return client;
    },
    issueCode: (approval, now) => {
      const code = secret('oac');
      codes.set(code, { approval, until: now + CODE_LIFETIME });
      return code;
    },
    takeCode: (code, now) => {
      const known = codes.get(code);
      if (known === undefined) return undefined;
      if (known.connection !== undefined) {
        end(known.connection);
        return undefined;
      }
      return known.until > now ? known.approval : undefined;
    },
    connect: (approval, code, now) => {
      const { client, userId, scopes, redirectUri } = approval;
      const connection: AppSignIn = {
        client,
        userId,
        scopes,
        returnsTo: new URL(redirectUri).host,
        accessTokens: new Map(),
        refreshToken: '',
        spentRefreshTokens: new Set(),
        refreshedAt: now,
      };
      connections = [...connections, connection];
      const known = codes.get(code);
      if (known !== undefined) known.connection = connection;
      return issue(connection, now);
    },
    byRefreshToken: (value, now) =>
      connections.find((connection) => connection.refreshToken === value && connection.refreshedAt + REFRESH_LIFETIME > now),
    bySpentRefreshToken: (value) => connections.find((connection) => connection.spentRefreshTokens.has(value)),
    refresh: (connection, endAccessToken, now) => {
      connection.spentRefreshTokens.add(connection.refreshToken);
      if (endAccessToken) connection.accessTokens.clear();
      return issue(connection, now);
    },
    byAccessToken: (value, now) => connections.find((connection) => (connection.accessTokens.get(value) ?? 0) > now),
    byAnyToken: (value) =>
      connections.find(
        (connection) => connection.accessTokens.has(value) || connection.refreshToken === value || connection.spentRefreshTokens.has(value),
      ),
    disconnect: (clientId, userId) => {
      connections = connections.filter((connection) => connection.client.id !== clientId || connection.userId !== userId);
    },
    disconnectAll: () => {
      connections = [];
    },
    expireAccessTokens: () => {
      for (const { accessTokens } of connections) for (const value of accessTokens.keys()) accessTokens.set(value, 0);
    },
    deleteClients: () => clients.clear(),
    cleanUp: (now) => {
      const midnight = Math.floor(now / DAY) * DAY;
      if (midnight <= cleanedAt) return;
      cleanedAt = midnight;
      const isIssued = (client: Client): boolean => connections.some((each) => each.client.id === client.id && isLive(each, midnight));
      for (const client of clients.values()) {
        if (client.createdAt + DAY <= midnight && !isIssued(client)) clients.delete(client.id);
      }
      connections = connections.filter((connection) => isLive(connection, midnight));
    },
    dump: () => ({
      cleanedAt,
      clients: [...clients.values()],
      connections: connections.map((connection) => ({
        ...connection,
        accessTokens: [...connection.accessTokens],
        spentRefreshTokens: [...connection.spentRefreshTokens],
      })),
    }),
    load: (dump) => {
      cleanedAt = dump.cleanedAt;
      clients.clear();
      for (const client of dump.clients) clients.set(client.id, client);
      connections = dump.connections.map((connection) => ({
        ...connection,
        accessTokens: new Map(connection.accessTokens),
        spentRefreshTokens: new Set(connection.spentRefreshTokens),
      }));
    },
  };
}

function isLive(connection: AppSignIn, at: number): boolean {
  return connection.refreshedAt + REFRESH_LIFETIME > at || [...connection.accessTokens.values()].some((until) => until > at);
}

function secret(kind: string): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}
