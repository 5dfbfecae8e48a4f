import { stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createHands, type Hands, type SandboxToken, shownToken } from './controls.ts';
import { createKeeper, lockFile } from './data/data-file.ts';
import { loadExport } from './data/export.ts';
import { readStateFile, worldAsText } from './data/state.ts';
import { createApp } from './http/app.ts';
import type { LoggedRequest } from './http/context.ts';
import { startPath } from './http/cookies.ts';
import type { Interpretations } from './interpretations.ts';
import type { Row } from './json.ts';
import { seed } from './seed/index.ts';
import { type SandboxOptions, settingsFrom, turnSwitch } from './settings.ts';
import { createWorld, type OAuthEvents, type ServiceVariant, type World } from './world.ts';

export type { SandboxToken } from './controls.ts';
export type { LoggedRequest } from './http/context.ts';
export type { Fault } from './http/faults.ts';
export { parseFault } from './http/faults.ts';
export { type Interpretations, readInterpretations } from './interpretations.ts';
export type { Row } from './json.ts';
export type { SandboxClock, SandboxOptions } from './settings.ts';
export { checkSwitch } from './settings.ts';
export type { NewToken } from './tokens/personal.ts';
export type { OAuthEvents } from './world.ts';

/** An app that a person signed in with. */
export interface ConnectedApp {
  readonly clientId: string;
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** The host it returns to: `127.0.0.1:51234`. */
  readonly host: string;
}

/** A running sandbox, with its controls. */
export interface Sandbox extends Hands {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** `http://127.0.0.1:<port>/api/v2`. */
  readonly baseUrl: string;
  /** The address that a person opens first. Anyone who knows it sees the ready-made tokens. */
  readonly startUrl: string;
  /** The control address for other programs: see docs/guides/sandbox.md. Anyone who knows it may do everything here. */
  readonly controlUrl: string;
  /** Every request so far, oldest first; the latest 20,000 are kept. Empty it with `requests.length = 0`. */
  readonly requests: LoggedRequest[];
  /** The personal access tokens there are now; the first can do everything. */
  readonly tokens: readonly SandboxToken[];
  /** Apps that are connected now. */
  readonly apps: readonly ConnectedApp[];
  /** Counts of successes at the OAuth endpoints. */
  readonly events: Readonly<OAuthEvents>;
  /**
   * The rows of a resource as they are kept, deleted ones too, in the order of their making. A test compares answers with them;
   * the options do not change them. Computed fields are left out.
   * @throws RangeError for a name no resource has.
   */
  rows(resource: string): readonly Row[];
  /** May be changed at any time. */
  readonly interpretations: Interpretations;
  /** Resolves when the data file, if there is one, holds everything. */
  save(): Promise<void>;
  /** Saves, stops listening and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts the whole service on 127.0.0.1.
 * @throws RangeError when the data cannot be used; Node's error when the port is taken or the data file cannot be written.
 */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startVariant(undefined, options);
}

/** The same for a service that is not quite the documented one; no data file and no export fits it. */
export async function startVariant(variant: ServiceVariant | undefined, options: SandboxOptions): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const world = createWorld(settings, options.interpretations ?? {}, variant);
  await fill(world, options.data);
  variant?.fill(world);
  for (const [name, on] of Object.entries(options.switches ?? {})) turnSwitch(world.switches, name, on);
  world.faults.set(options.faults ?? []);
  // Written at once, so that an unwritable place shows before there is something to lose.
  await world.keeper?.save();
  const server = createAdaptorServer({ fetch: createApp(world).fetch, overrideGlobalObjects: false }) as Server;
  world.origin = `http://127.0.0.1:${await listen(server, settings.port)}`;
  const { apps, events, interpretations, requests, tokens } = world;

  return {
    ...createHands(world),
    origin: world.origin,
    baseUrl: `${world.origin}/api/v2`,
    startUrl: `${world.origin}${startPath(world)}`,
    controlUrl: `${world.origin}/sandbox/control/${world.controlKey}`,
    requests,
    get tokens() {
      return tokens.all.map((token) => shownToken(world, token));
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
    interpretations,
    rows: (resource) => [...world.db.table(resource).rows.values()],
    save: async () => world.keeper?.save(),
    close: async () => {
      await close(server);
      await world.keeper?.save();
      world.letGo?.();
    },
  };
}

/** Data of a file, of an export, or made up. */
async function fill(world: World, data: string | undefined): Promise<void> {
  if (data === undefined) return seed(world);
  const found = await stat(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    if (found?.isDirectory()) return await loadExport(world, data);
    world.letGo = lockFile(data);
    if (found === undefined) seed(world);
    else await readStateFile(world, data);
  } catch (error) {
    world.letGo?.();
    if (error instanceof RangeError) throw new RangeError(`${data} cannot be used: ${error.message}.`);
    throw error;
  }
  world.keeper = createKeeper(data, () => worldAsText(world));
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
