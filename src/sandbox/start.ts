import { randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { type Controls, createControls, type SandboxToken, shownToken } from './controls.ts';
import { createKeeper, lockFile } from './data/data-file.ts';
import { loadExport } from './data/export.ts';
import { type GivenRecords, serviceOf } from './data/records.ts';
import { readStateFile, stateAsText } from './data/state.ts';
import { createApp } from './http/app.ts';
import type { LoggedRequest } from './http/context.ts';
import { startPath } from './http/cookies.ts';
import type { Interpretations } from './interpretations.ts';
import type { Row } from './json.ts';
import { createSandboxState, type OAuthEvents, type SandboxState, type ServiceVariant } from './sandbox-state.ts';
import { seed } from './seed/index.ts';
import { type SandboxOptions, settingsFrom, turnSwitch } from './settings.ts';

export type { SandboxToken } from './controls.ts';
export { type GivenRecords, servedResourceOf } from './data/records.ts';
export type { LoggedRequest } from './http/context.ts';
export type { Fault } from './http/faults.ts';
export { parseFault } from './http/faults.ts';
export { type Interpretations, readInterpretations } from './interpretations.ts';
export type { Row } from './json.ts';
export type { OAuthEvents } from './sandbox-state.ts';
export type { SandboxClock, SandboxOptions } from './settings.ts';
export { checkSwitch } from './settings.ts';
export type { NewToken } from './tokens/personal.ts';

/** An app that a person has signed in with. */
export interface ConnectedApp {
  readonly clientId: string;
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** The host of the app’s redirect address, such as `127.0.0.1:51234`. */
  readonly host: string;
}

export interface Sandbox extends Controls {
  /** The origin of the server: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** The base address of the API: `http://127.0.0.1:<port>/api/v2`. */
  readonly baseUrl: string;
  /** The address to open first. Anyone who knows the address can see the initial tokens. */
  readonly startUrl: string;
  /**
   * The address at which programs can read and change the state of the sandbox; see docs/guides/sandbox.md. Anyone who knows the address
   * has this access.
   */
  readonly controlUrl: string;
  /** The latest 20,000 requests, oldest first. To empty the list, use `requests.length = 0`. */
  readonly requests: LoggedRequest[];
  /** The current personal access tokens. The first initial token has all abilities. */
  readonly tokens: readonly SandboxToken[];
  /** The apps that are connected now. */
  readonly apps: readonly ConnectedApp[];
  /** The numbers of successful requests to the OAuth endpoints. */
  readonly events: Readonly<OAuthEvents>;
  /**
   * Returns the stored rows of a resource in order of creation, including deleted rows that the resource keeps. Tests can compare answers
   * with these rows. The rows have no computed fields, and options do not change the form of the rows.
   *
   * @throws RangeError for an unknown resource.
   */
  rows(resource: string): readonly Row[];
  /** The option values. You can change the values at any time. */
  readonly interpretations: Interpretations;
  /** Saves the data file. Does nothing without a data file. @throws Node’s error if the file can’t be written. */
  save(): Promise<void>;
  /** Stops the server, closes all connections and saves the data. @throws Node’s error if the data file can’t be written. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox of the whole service on 127.0.0.1.
 *
 * @throws RangeError for invalid data or an unknown switch.
 * @throws Node’s error if the port is taken, or if a file of the data can’t be read or written.
 */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startVariant(undefined, options);
}

/**
 * Starts a sandbox with the records of an organisation, and without sample data. The tokens have random secrets, because the records are
 * real.
 *
 * @throws RangeError without the record of the user, or for an unknown switch.
 * @throws Node’s error if the port is taken.
 */
export function startWithRecords(records: GivenRecords, options: Omit<SandboxOptions, 'data' | 'seed'>): Promise<Sandbox> {
  return startVariant(serviceOf(records), { ...options, seed: randomInt(2 ** 47) });
}

/**
 * Starts a sandbox. Do not combine a variant with a data file or an export.
 * @throws as {@link startSandbox}.
 * @param variant service that differs from the documented service. Undefined for the documented service.
 */
export async function startVariant(variant: ServiceVariant | undefined, options: SandboxOptions): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const sandboxState = createSandboxState(settings, options.interpretations ?? {}, variant);
  if (variant?.hasSample !== false) await fill(sandboxState, options.data);
  variant?.fill(sandboxState);
  for (const [name, on] of Object.entries(options.switches ?? {})) turnSwitch(sandboxState.switches, name, on);
  sandboxState.faults.set(options.faults ?? []);
  // The sandbox writes the file immediately, so that an error appears before any change can be lost.
  await sandboxState.keeper?.save();
  const server = createAdaptorServer({ fetch: createApp(sandboxState).fetch, overrideGlobalObjects: false }) as Server;
  sandboxState.origin = `http://127.0.0.1:${await listen(server, settings.port)}`;
  const { apps, events, interpretations, requests, tokens } = sandboxState;

  return {
    ...createControls(sandboxState),
    origin: sandboxState.origin,
    baseUrl: `${sandboxState.origin}/api/v2`,
    startUrl: `${sandboxState.origin}${startPath(sandboxState)}`,
    controlUrl: `${sandboxState.origin}/sandbox/control/${sandboxState.controlKey}`,
    requests,
    get tokens() {
      return tokens.all.map((token) => shownToken(sandboxState, token));
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
    rows: (resource) => [...sandboxState.db.table(resource).rows.values()],
    save: async () => sandboxState.keeper?.save(),
    close: async () => {
      await close(server);
      await sandboxState.keeper?.save();
      sandboxState.letGo?.();
    },
  };
}

async function fill(sandboxState: SandboxState, data: string | undefined): Promise<void> {
  if (data === undefined) return seed(sandboxState);
  const found = await stat(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    if (found?.isDirectory()) return await loadExport(sandboxState, data);
    sandboxState.letGo = lockFile(data);
    if (found === undefined) seed(sandboxState);
    else await readStateFile(sandboxState, data);
  } catch (error) {
    sandboxState.letGo?.();
    if (error instanceof RangeError) throw new RangeError(`${data} cannot be used: ${error.message}.`);
    throw error;
  }
  sandboxState.keeper = createKeeper(data, () => stateAsText(sandboxState));
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
