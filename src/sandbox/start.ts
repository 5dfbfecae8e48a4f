import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './http/app.ts';
import type { Fault } from './http/faults.ts';
import type { LoggedRequest } from './http/log.ts';
import type { SandboxKnobs } from './knobs.ts';
import { type SandboxOptions, settingsFrom } from './options.ts';
import { seed } from './seed/index.ts';
import type { NewToken } from './tokens/personal.ts';
import { createWorld, type OAuthEvents } from './world.ts';

export type { Fault } from './http/faults.ts';
export type { LoggedRequest } from './http/log.ts';
export type { SandboxKnobs } from './knobs.ts';
export type { SandboxClock, SandboxOptions } from './options.ts';
export type { NewToken } from './tokens/personal.ts';
export type { OAuthEvents } from './world.ts';

/** A personal access token as a person would copy it from the service's token page. */
export interface SandboxToken {
  readonly id: number;
  readonly name: string;
  /** Whose it is. */
  readonly user: string;
  /** The secret. */
  readonly value: string;
  readonly abilities: readonly string[];
  readonly expires: Date;
}

/** An app that a person signed in with. */
export interface ConnectedApp {
  readonly clientId: string;
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** The host it returns to: `127.0.0.1:51234`. */
  readonly host: string;
}

/** A running sandbox, and the hands that turn it from outside. */
export interface Sandbox {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** `http://127.0.0.1:<port>/api/v2`. */
  readonly baseUrl: string;
  /** Every request so far, oldest first; the latest 20,000 are kept. Empty it with `requests.length = 0`. */
  readonly requests: LoggedRequest[];
  /** The personal access tokens there are now; the first can do everything. */
  readonly tokens: readonly SandboxToken[];
  /** Apps that are connected now. */
  readonly apps: readonly ConnectedApp[];
  /** What happened at the OAuth endpoints. */
  readonly events: Readonly<OAuthEvents>;
  /** May be changed at any time. */
  readonly knobs: SandboxKnobs;
  /** Turns the clock forward. */
  advance(ms: number): void;
  /** @throws RangeError at the cap of ten live tokens per user. */
  createToken(token: NewToken): SandboxToken;
  /** New secret and expiry for a token. */
  rollToken(id: number, lifetimeMs?: number): SandboxToken;
  revokeToken(id: number): void;
  /** Ends every access token; refresh tokens go on. */
  expireAccessTokens(): void;
  /** Forgets every registered app: its refresh and sign-in get `invalid_client`. */
  deleteRegistrations(): void;
  /** Disconnects every app and revokes every personal token. */
  revokeAll(): void;
  /** Disconnects one app of one person, as the page of connected apps does. */
  disconnect(clientId: string, userId: number): void;
  /** Off: every API path and both well-known documents answer 404. */
  switchApi(on: boolean): void;
  switchMcp(on: boolean): void;
  setSupportSession(on: boolean): void;
  /** Features: `sprints` (on at the start), `furlough` (off at the start). */
  setFeature(name: string, on: boolean): void;
  /** `admin`, `manager`, `employee` or `contractor`; what each may do is in docs/sandbox.md. */
  setRole(userId: number, role: string): void;
  /** Who is at the browser when the consent page does not say; the first user at the start. */
  setPerson(userId: number): void;
  /** Replaces what goes wrong from now on; an empty list ends it. */
  setFaults(faults: readonly Fault[]): void;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts the whole service on 127.0.0.1.
 * @throws when the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const world = createWorld(settings, options.knobs ?? {});
  seed(world);
  const server = createAdaptorServer({ fetch: createApp(world).fetch, overrideGlobalObjects: false }) as Server;
  world.origin = `http://127.0.0.1:${await listen(server, settings.port)}`;
  const { apps, clock, db, events, faults, knobs, requests, switches, tokens } = world;
  const userName = (id: number): string => String(db.table('users').get(id)?.['name'] ?? id);
  const shown = (token: (typeof tokens.all)[number]): SandboxToken => {
    const { id, name, value, abilities, userId, expiresAt } = token;
    return { id, name, user: userName(userId), value, abilities, expires: new Date(expiresAt) };
  };

  return {
    origin: world.origin,
    baseUrl: `${world.origin}/api/v2`,
    requests,
    get tokens() {
      return tokens.all.map(shown);
    },
    get apps() {
      return apps.connections.map(({ client, userId, scopes, returnsTo }) => ({
        clientId: client.id,
        name: client.name,
        userId,
        scopes,
        host: returnsTo,
      }));
    },
    events,
    knobs,
    advance: (ms) => clock.advance(ms),
    createToken: (token) => shown(tokens.create(token, clock.now())),
    rollToken: (id, lifetimeMs) => shown(tokens.roll(id, clock.now(), lifetimeMs)),
    revokeToken: (id) => tokens.revoke(id),
    expireAccessTokens: () => apps.expireAccessTokens(),
    deleteRegistrations: () => apps.deleteClients(),
    revokeAll: () => {
      apps.disconnectAll();
      for (const { id } of tokens.all) tokens.revoke(id);
    },
    disconnect: (clientId, userId) => apps.disconnect(clientId, userId),
    switchApi: (on) => {
      switches.api = on;
    },
    switchMcp: (on) => {
      switches.mcp = on;
    },
    setSupportSession: (on) => {
      switches.supportSession = on;
    },
    setFeature: (name, on) => {
      if (on) switches.features.add(name);
      else switches.features.delete(name);
    },
    setRole: (userId, role) => {
      db.table('users').update(userId, { role });
    },
    setPerson: (userId) => {
      world.defaultUserId = userId;
    },
    setFaults: (list) => faults.set(list),
    close: () => close(server),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
