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
import { OUTPUT_FORMATS } from '../output/format.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import type { DateContext } from '../values/dates.ts';
import type { Host } from '../values/host.ts';
import { parseTimespan } from '../values/timespan.ts';
import { isToken } from '../values/token-text.ts';
import { describeExchange, describeWait, toldNetwork } from './describe.ts';
import type { Globals } from '../cli/globals.ts';
import { createStatusLine, type StatusLine } from './status-line.ts';

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
  /** The line at the bottom of the terminal that shows how far long work has come. */
  readonly statusLine: StatusLine;
  openBrowser(url: string): Promise<void>;
  /** The text of a file that an argument names, `-` being stdin. @throws UsageError when it cannot be read. */
  readFileArgument(path: string): Promise<string>;
  /** The same for bytes that need not be text. */
  readBytesArgument(path: string): Promise<Uint8Array>;
  /** All of stdin as text. */
  readStdin(): Promise<string>;
  /** Per request, in milliseconds. */
  requestTimeoutMs(): Promise<number>;
  maxWaitMs(): Promise<number>;
}

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 5 * 60_000;

export function createContext(outside: Deps, globals: Globals, argv: readonly string[]): Context {
  const { env, stdio, system, files } = outside;
  const debugging = globals.debug === true || isOn(env['SVC_DEBUG']);
  const statusLine = createStatusLine(stdio.stderr, globals.quiet === true || env['TERM'] === 'dumb');
  const writeLine = (line: string) => {
    statusLine.clear();
    return writeTo(stdio.stderr, line);
  };
  const debug = (line: string) => void writeLine(line);
  // Requests of the API are told of by its client, which knows more of them; all others (OAuth, doctor) by the network.
  const deps = debugging ? { ...outside, network: toldNetwork(outside, debug) } : outside;
  const paths = resolvePaths(env, system);
  const configFile = openConfigFile(files, paths.config, settingsTable(OUTPUT_FORMATS));
  const quiet = globals.quiet === true;
  const signal = deps.interrupts.signal;

  const notice = async (line: string) => {
    if (!quiet) await writeLine(line);
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
  /** Looked up once, whoever asks: the keychain takes its time. */
  const stored = once(async () => (await accounts()).find((await host()).name));
  const account = async () => (tokenInEnvironment(env) === undefined ? (await stored())?.record.account : undefined);
  const requestTimeoutMs = async () => globals.timeout ?? fromSetting((await settings()).timeout) ?? REQUEST_TIMEOUT_MS;
  const maxWaitMs = async () => globals.maxWait ?? fromSetting((await settings())['max-wait']) ?? MAX_WAIT_MS;

  /** What makes svc read-only; the environment can turn it on, and not off. */
  const readOnlyBy = async () => {
    if (isOn(env['SVC_READ_ONLY'])) return 'SVC_READ_ONLY';
    return (await settings())['read-only'] === 'true' ? 'the setting read-only' : undefined;
  };

  const credentials = once(async () => {
    const token = environmentToken(env);
    if (token !== undefined && stdio.stderr.isTTY) await notice('Using the token in SVC_TOKEN.');
    const [{ createCredentialSource }, where, known] = await Promise.all([import('../auth/credential-source.ts'), host(), accounts()]);
    const source = createCredentialSource({
      host: where,
      stored,
      accounts: known,
      environmentToken: token,
      refresh: async (target, stale) => (await import('./refresh-flow.ts')).refreshOrSignIn(context, target, stale),
      clock: deps.clock,
    });
    const why = await readOnlyBy();
    return why === undefined ? source : (await import('./read-only.ts')).readingOnly(source, why);
  });

  const events: ClientEvents = {
    onExchange: (exchange) => {
      if (debugging) debug(describeExchange(exchange));
    },
    onWait: (wait) => {
      if (stdio.stderr.isTTY || debugging) notify(describeWait(wait));
    },
    onWarnings: (warnings) => {
      for (const warning of warnings) notify(`The service warns: ${warning}`);
    },
  };
  /** Answers are kept by account; without knowing whose they are, none are. */
  const answerCache = once(async () => {
    const user = tokenInEnvironment(env) ?? (await account())?.user_id;
    if (user === undefined) return undefined;
    const [{ createAnswerCache }, { origin }] = await Promise.all([import('../client/cache.ts'), host()]);
    return createAnswerCache({ files, clock: deps.clock, directory: paths.cache, origin, account: String(user) });
  });
  const clientFor = async (target: Host, source: CredentialSource, cache?: typeof answerCache) => {
    const { createApiClient } = await import('../client/api-client.ts');
    return createApiClient({
      host: target,
      cache,
      network: outside.network,
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
    const where = await host();
    // The connection is made while the credential is read, and the code loaded.
    if (!globals.dryRun) outside.network.warm(where.origin, await requestTimeoutMs());
    const [source] = await Promise.all([credentials(), import('../client/api-client.ts')]);
    return clientFor(where, source, globals.noCache ? undefined : answerCache);
  });

  const timeZone = async () => (await account())?.timezone ?? (await settings()).timezone ?? system.timeZone;
  const dates = once(async () => {
    const { loadTemporal } = await import('../values/temporal.ts');
    return { now: deps.clock.now(), timeZone: await timeZone(), temporal: await loadTemporal() };
  });

  const readStdin = async () => (await collect(stdio.stdin as AsyncIterable<Uint8Array>)).toString('utf8');

  const context: Context = {
    deps,
    globals,
    argv,
    paths,
    configFile,
    signal,
    // Asked for rather than known: looking at stdin opens it.
    get interactive() {
      return globals.noInput !== true && stdio.stderr.isTTY && stdio.stdin.isTTY === true;
    },
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
    statusLine,
    async openBrowser(url) {
      await deps.browser.open(url, (await settings()).browser);
    },
    async readFileArgument(path) {
      if (path === '-') return readStdin();
      const text = await files.readText(path).catch((error: unknown) => {
        throw unreadable(path, error);
      });
      if (text === undefined) throw unreadable(path);
      return text;
    },
    async readBytesArgument(path) {
      if (path === '-') return collect(stdio.stdin as AsyncIterable<Uint8Array>);
      return collect(files.read(path)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? unreadable(path) : unreadable(path, error);
      });
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

/** The same, to be sent. @throws UsageError when it cannot be one. */
export function environmentToken(env: Deps['env']): string | undefined {
  const token = tokenInEnvironment(env);
  if (token === undefined || isToken(token)) return token;
  throw new UsageError('SVC_TOKEN holds no token: it has spaces or characters that no token has.', {
    hint: 'Copy it again, alone and whole.',
  });
}

/** What is stored is of no use while `SVC_TOKEN` is set; commands that change what is stored say so. */
export async function tellEnvironmentToken({ deps, notice }: Context): Promise<void> {
  if (tokenInEnvironment(deps.env) !== undefined)
    await notice('SVC_TOKEN is set: it is used for every request, over anything stored, until you unset it.');
}

/** Whether a variable such as `SVC_DEBUG` says yes. */
export function isOn(value: string | undefined): boolean {
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

async function writeTo(output: Deps['stdio']['stderr'], line: string): Promise<void> {
  try {
    await output.write(`${neutraliseLine(line)}\n`);
  } catch (error) {
    // Nobody reads stderr: nothing that goes there is worth failing for.
    if (!(error instanceof OutputClosed)) throw error;
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const piece of pieces) chunks.push(Buffer.from(piece));
  return Buffer.concat(chunks);
}

/** A file that an argument names and that is not there, or cannot be read for the reason in `error`. */
function unreadable(path: string, error?: unknown): UsageError {
  if (error === undefined) return new UsageError(`There is no file ${path}.`, { hint: 'Check the path; - reads standard input.' });
  return new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, { hint: 'Check the path.' });
}
