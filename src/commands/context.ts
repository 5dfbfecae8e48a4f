import type { Accounts } from '../auth/accounts.ts';
import type { Account } from '../auth/record.ts';
import type { ApiClient, ClientEvents } from '../client/api-client.ts';
import { type ConfigFile, openConfigFile } from '../config/config-file.ts';
import { type Paths, resolvePaths } from '../config/paths.ts';
import { type ResolvedHost, resolveHost } from '../config/resolve-host.ts';
import { type Settings, settingsTable } from '../config/settings.ts';
import type { CredentialSource } from '../credential.ts';
import { type Deps, OutputClosed } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import type { DateContext } from '../values/dates.ts';
import type { Host } from '../values/host.ts';
import { parseTimespan } from '../values/timespan.ts';
import { describeExchange, describeWait } from './describe.ts';
import { FORMATS, type Globals } from './globals.ts';

/**
 * What a command works with. Whatever is slow or can fail is a function, made when first asked for and then kept, so
 * that a command pays for what it uses.
 */
export interface Context {
  readonly deps: Deps;
  readonly globals: Globals;
  /** What was typed after `svc`. */
  readonly argv: readonly string[];
  readonly paths: Paths;
  readonly configFile: ConfigFile;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Somebody is there to answer a question. */
  readonly interactive: boolean;
  settings(): Promise<Settings>;
  accounts(): Promise<Accounts>;
  /** The organisation to use. @throws SignInError or UsageError when nothing names one. */
  host(): Promise<Host>;
  /** The same, with where the choice came from. */
  resolvedHost(): Promise<ResolvedHost>;
  /** Who is signed in, as remembered; undefined with `SVC_TOKEN`, which may be anybody's. */
  account(): Promise<Account | undefined>;
  credentials(): Promise<CredentialSource>;
  /** A client for {@link host}, signed in with {@link credentials}. */
  client(): Promise<ApiClient>;
  /** A client for another host or credential. */
  clientFor(host: Host, credentials: CredentialSource): Promise<ApiClient>;
  /** The user's zone, an IANA name: of the user's record, else of the settings, else the machine's. */
  timeZone(): Promise<string>;
  /** Now, and the user's zone. */
  dates(): Promise<DateContext>;
  /** A line on stderr, unless `--quiet`. Text from outside is neutralised. */
  notice(line: string): Promise<void>;
  /** Like {@link notice}, where nobody can wait for it. */
  readonly notify: (line: string) => void;
  openBrowser(url: string): Promise<void>;
  /** The text of a file that an argument names, `-` being stdin. @throws UsageError when it cannot be read. */
  readFileArgument(path: string): Promise<string>;
  /** All of stdin as text. */
  readStdin(): Promise<string>;
  /** Per request, in milliseconds. */
  requestTimeoutMs(): Promise<number>;
  maxWaitMs(): Promise<number>;
}

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 5 * 60_000;

export function createContext(deps: Deps, globals: Globals, argv: readonly string[]): Context {
  const { env, stdio, system, files } = deps;
  const paths = resolvePaths(env, system);
  const configFile = openConfigFile(files, paths.config, settingsTable(FORMATS));
  const quiet = globals.quiet === true;
  const signal = deps.interrupts.signal;

  const notice = async (line: string) => {
    if (!quiet) await writeLine(stdio.stderr, line);
  };
  const notify = (line: string) => void notice(line);

  const settings = once(() => configFile.read());
  const accounts = once(async () => (await import('../auth/accounts.ts')).createAccounts(deps, paths, notify));
  const resolvedHost = once(() =>
    resolveHost({
      flag: globals.host,
      environment: env['SVC_HOST'],
      tokenInEnvironment: tokenInEnvironment(env) !== undefined,
      cwd: system.cwd,
      files,
      configured: async () => (await settings()).host,
      signedIn: async () => (await (await accounts()).hosts()).map(({ host }) => host),
    }),
  );
  const host = async () => (await resolvedHost()).host;
  const account = once(async () => {
    if (tokenInEnvironment(env) !== undefined) return undefined;
    const found = await (await accounts()).find((await host()).name);
    return found?.record.account;
  });
  const requestTimeoutMs = async () => globals.timeout ?? fromSetting((await settings()).timeout) ?? REQUEST_TIMEOUT_MS;
  const maxWaitMs = async () => globals.maxWait ?? fromSetting((await settings())['max-wait']) ?? MAX_WAIT_MS;

  const credentials = once(async () => {
    const [{ createCredentialSource }, where, stored] = await Promise.all([import('../auth/credential-source.ts'), host(), accounts()]);
    return createCredentialSource({
      host: where,
      accounts: stored,
      environmentToken: tokenInEnvironment(env),
      refresh: async (target, stale) => (await import('./refresh-flow.ts')).refreshOrSignIn(context, target, stale),
      clock: deps.clock,
    });
  });

  const events: ClientEvents = {
    onExchange: (exchange) => {
      if (globals.debug || isOn(env['SVC_DEBUG'])) void writeLine(stdio.stderr, describeExchange(exchange));
    },
    onWait: (wait) => {
      if (stdio.stderr.isTTY || globals.debug) notify(describeWait(wait));
    },
    onWarnings: (warnings) => {
      for (const warning of warnings) notify(`The service warns: ${warning}`);
    },
  };
  const clientFor = async (target: Host, source: CredentialSource) => {
    const { createApiClient } = await import('../client/api-client.ts');
    return createApiClient({
      host: target,
      network: deps.network,
      credentials: source,
      clock: deps.clock,
      userAgent: `svc/${system.version}`,
      timeoutMs: await requestTimeoutMs(),
      maxWaitMs: await maxWaitMs(),
      signal,
      events,
    });
  };
  const client = once(async () => {
    // The code is loaded while the credential is read.
    const [where, source] = await Promise.all([host(), credentials(), import('../client/api-client.ts')]);
    return clientFor(where, source);
  });

  const timeZone = async () => (await account())?.timezone ?? (await settings()).timezone ?? system.timeZone;
  const dates = once(async () => {
    const { loadTemporal } = await import('../values/temporal.ts');
    return { now: deps.clock.now(), timeZone: await timeZone(), temporal: await loadTemporal() };
  });

  const readStdin = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of stdio.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks).toString('utf8');
  };

  const context: Context = {
    deps,
    globals,
    argv,
    paths,
    configFile,
    signal,
    interactive: globals.noInput !== true && stdio.stdin.isTTY === true && stdio.stderr.isTTY,
    settings,
    accounts,
    host,
    resolvedHost,
    account,
    credentials,
    client,
    clientFor,
    timeZone,
    dates,
    notice,
    notify,
    async openBrowser(url) {
      await deps.browser.open(url, (await settings()).browser);
    },
    async readFileArgument(path) {
      if (path === '-') return readStdin();
      const text = await files.readText(path).catch((error: unknown) => {
        throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, { hint: 'Check the path.' });
      });
      if (text === undefined) throw new UsageError(`There is no file ${path}.`, { hint: 'Check the path; - reads standard input.' });
      return text;
    },
    readStdin,
    requestTimeoutMs,
    maxWaitMs,
  };
  return context;
}

/** `SVC_TOKEN`; an empty one counts as not set. */
export function tokenInEnvironment(env: Deps['env']): string | undefined {
  return env['SVC_TOKEN']?.trim() || undefined;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function fromSetting(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimespan(text);
}

/** Runs `make` at the first call, and gives every caller its result. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= make();
    return result;
  };
}

async function writeLine(output: Deps['stdio']['stderr'], line: string): Promise<void> {
  try {
    await output.write(`${neutraliseLine(line)}\n`);
  } catch (error) {
    // Nobody reads stderr: nothing that goes there is worth failing for.
    if (!(error instanceof OutputClosed)) throw error;
  }
}
