import type { Account } from '../auth/record.ts';
import type { Catalog } from '../catalog/index.ts';
import { type Globals, MOST_CONNECTIONS } from '../cli/globals.ts';
import type { ClientEvents } from '../client/api-client.ts';
import { openConfigFile } from '../config/config-file.ts';
import { UnguardedError } from '../config/guarded.ts';
import { resolvePaths } from '../config/paths.ts';
import { resolveHost } from '../config/resolve-host.ts';
import { type Settings, settingsTable } from '../config/settings.ts';
import type { CredentialSource } from '../credential.ts';
import { type Deps, OutputClosed } from '../deps.ts';
import { InterruptedError, SvcError, UsageError } from '../errors.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { browserCommand } from '../values/browser-command.ts';
import type { Host } from '../values/host.ts';
import { parseTimespan } from '../values/timespan.ts';
import type { Context } from './context.ts';
import { describeExchange, describeWait, toldNetwork } from './describe.ts';
import { environmentToken, isOn, tokenInEnvironment } from './environment.ts';
import type { Guarded, Screen } from './guard-terminal.ts';
import { createJournaling, type NotingClient } from './journaling.ts';
import { createOffline } from './offline.ts';
import { decidePresentation } from './presentation.ts';
import { createStatusLine } from './status-line.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 5 * 60_000;

/** Builds the {@link Context} of one command line; nothing is opened, read or asked for yet. */
export function createContext(world: Guarded, catalog: Catalog, globals: Globals, argv: readonly string[]): Context {
  const { env, stdio, system, files } = world;
  const offline = createOffline(world, globals, { settings: () => settings(), context: () => context });
  const outside = { ...world, ...offline.world };
  const debugging = globals.debug === true || isOn(env['SVC_DEBUG']);
  const accessible = once(async () => {
    const given = env['ACCESSIBLE'];
    if (given !== undefined && given !== '') return isOn(given);
    return (await settings().catch((): Settings => ({}))).accessible === 'on';
  });
  const hushed = globals.quiet === true || env['TERM'] === 'dumb';
  const statusLine = createStatusLine(stdio.stderr, hushed, { accessible, clock: outside.clock });
  /** Lines that wait, while another program has the terminal. */
  let held: (() => Promise<void>)[] | undefined;
  const writeLine = async (line: string, width?: number) => {
    if (held !== undefined) {
      held.push(() => writeLine(line, width));
      return;
    }
    statusLine.clear();
    await writeTo(stdio.stderr, line, width);
  };
  const debug = (line: string) => void writeLine(line);
  // Requests of the API are told of by its client, which knows more of them; all others (OAuth, doctor) by the network.
  const deps = debugging ? { ...outside, network: toldNetwork(outside, debug) } : outside;
  const paths = resolvePaths(env, system);
  const configFile = openConfigFile(files, paths.config, settingsTable(OUTPUT_FORMATS));
  const quiet = globals.quiet === true;
  const signal = deps.interrupts.signal;
  /** Ends what still asks when the command is over: nobody waits for it. */
  const over = new AbortController();

  const plan = globals.plan || env['SVC_PLAN'] || undefined;

  const notice = async (line: string) => {
    if (!quiet) await writeLine(line, stdio.stderr.columns);
  };
  const notify = (line: string) => void notice(line);
  const told = new Set<string>();
  const tellOnce = (line: string) => {
    if (!told.has(line)) notify(line);
    told.add(line);
  };

  const settings = once(() => configFile.read().catch(withoutSettings));
  /** Whoever names the organisation and the token asks nothing of a home that cannot be read, as in some containers. */
  const withoutSettings = async (error: unknown): Promise<Settings> => {
    const needsNone = tokenInEnvironment(env) !== undefined && (globals.host ?? env['SVC_HOST']) !== undefined;
    if (!needsNone || !(error instanceof Error) || !('syscall' in error || error instanceof UnguardedError)) throw error;
    await notice(`No setting counts, since they cannot be read: ${error.message.replace(/\.$/, '')}.`);
    return {};
  };
  // With --no-input nobody is there to answer its window.
  const keychainWaitMs = async () => (globals.noInput === true ? undefined : fromSetting((await settings())['keychain-wait']));
  /** Settings that cannot be read name none. */
  const configuredHost = async () => {
    const { host: name } = await settings().catch((): Settings => ({}));
    return name === undefined ? [] : [name];
  };
  const accounts = once(async () =>
    (await import('../auth/accounts.ts')).createAccounts(deps, paths, notify, { keychainWaitMs, configuredHost }),
  );
  const resolvedHost = once(() =>
    resolveHost({
      flag: globals.host,
      environment: env['SVC_HOST'],
      tokenInEnvironment: tokenInEnvironment(env) !== undefined,
      system,
      files,
      tellOnce,
      configured: async () => (await settings()).host,
      signedIn: async () => (await (await accounts()).hosts()).map(({ host }) => host),
    }),
  );
  const host = async () => (await resolvedHost()).host;
  /** Looked up once, whoever asks: the keychain takes its time. */
  const stored = once(async () => (await accounts()).find((await host()).name));
  /** What is kept of the owner of the token in SVC_TOKEN; a command that has no host will say so when it needs one. */
  const ownerKept = once(async () => {
    const token = tokenInEnvironment(env);
    const where = await host().catch(() => undefined);
    if (token === undefined || where === undefined) return undefined;
    return (await import('./token-account.ts')).openTokenAccount({ files, clock: deps.clock, paths }, { origin: where.origin, token });
  });
  const known = async () => (tokenInEnvironment(env) === undefined ? (await stored())?.record.account : (await ownerKept())?.read());
  const account = async () => ((await offline.isOn()) ? (await offline.copies()).account() : known());
  const keepAccount = async (known: Account) => {
    if (tokenInEnvironment(env) !== undefined) return (await ownerKept())?.write(known);
    const update = (await accounts()).update((await host()).name, (record) => record && { ...record, account: known });
    // What cannot be kept now is found out again.
    await update.catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
    });
  };
  const requestTimeoutMs = async () => globals.timeout ?? fromSetting((await settings()).timeout) ?? REQUEST_TIMEOUT_MS;
  const maxWaitMs = async () => globals.maxWait ?? fromSetting((await settings())['max-wait']) ?? MAX_WAIT_MS;

  const parallel = async () => globals.parallel ?? Number((await settings()).parallel ?? MOST_CONNECTIONS);

  /** What makes svc read-only; the environment can turn it on, and not off. */
  const readOnlyBy = async () => {
    if (isOn(env['SVC_READ_ONLY'])) return 'SVC_READ_ONLY';
    if (isOn(env['SVC_PLAN_ONLY']) && plan === undefined) return 'SVC_PLAN_ONLY';
    return (await settings())['read-only'] === 'true' ? 'the setting read-only' : undefined;
  };

  /** A renewal that is under way: what it spends must be stored, whoever still waits for it. */
  let renewing: Promise<unknown> | undefined;
  const credentials = once(async () => {
    if (await offline.isOn()) return (await offline.copies()).credentials();
    const token = environmentToken(env);
    if (token !== undefined && stdio.stderr.isTTY) await notice('Using the token in SVC_TOKEN.');
    const [{ createCredentialSource }, where, known] = await Promise.all([import('../auth/credential-source.ts'), host(), accounts()]);
    const source = createCredentialSource({
      host: where,
      stored,
      accounts: known,
      environmentToken: token,
      refresh(target, stale, early) {
        const renewal = import('./refresh-flow.ts').then(({ refreshOrSignIn }) => refreshOrSignIn(context, target, stale, early));
        renewing = renewal.catch(() => undefined);
        return renewal;
      },
      clock: deps.clock,
    });
    const why = await readOnlyBy();
    if (why === undefined && plan === undefined) return source;
    const { planningOnly, readingOnly } = await import('./read-only.ts');
    return why === undefined ? planningOnly(source) : readingOnly(source, why);
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
  // stderr is a program's to read where errors are JSON, and a shell's to throw away where it completes.
  const tellsNotices = !quiet && globals.errorFormat !== 'json' && env['SVC_ERROR_FORMAT'] !== 'json' && argv[0] !== '__complete';
  const networkFor = async (target: Host) => {
    if (!tellsNotices) return outside.network;
    const { heedingNetwork } = await import('./service-notices.ts');
    return heedingNetwork({ host: target, network: outside.network, files, clock: deps.clock, directory: paths.cache, tell: notice });
  };
  const clientFor = async (target: Host, source: CredentialSource, cache?: typeof answerCache, network?: Way) => {
    const { createApiClient } = await import('../client/api-client.ts');
    return createApiClient({
      host: target,
      cache,
      network: network ?? (await networkFor(target)),
      credentials: source,
      clock: deps.clock,
      userAgent: `svc/${system.version}`,
      timeoutMs: await requestTimeoutMs(),
      maxWaitMs: await maxWaitMs(),
      signal: AbortSignal.any([signal, over.signal]),
      events,
    });
  };
  let hasClient = false;
  const client = once(async () => {
    hasClient = true;
    const where = await host();
    const held = async (noting: NotingClient) => {
      if (catalog.described?.host.origin !== where.origin) return noting;
      return (await import('./described-writes.ts')).heldToDescription(noting, { catalog, tellOnce });
    };
    if (await offline.isOn()) return held(await journaling.noting(outside.network, async () => (await offline.copies()).client(where)));
    const { fresh } = globals;
    return held(
      await journaling.noting(await networkFor(where), async (way) => {
        const service = () => serviceClient(where, way);
        return fresh === undefined ? offline.orCopy(await service()) : (await offline.copies()).freshClient(where, fresh, service);
      }),
    );
  });
  const serviceClient = async (where: Host, network: Way) => {
    // The connection is made while the credential is read, and the code loaded.
    if (!globals.dryRun) outside.network.warm(where.origin, await requestTimeoutMs());
    const [source, { watchingOwnRecord }] = await Promise.all([
      credentials(),
      import('./own-record.ts'),
      import('../client/api-client.ts'),
    ]);
    const made = await clientFor(where, source, globals.noCache ? undefined : answerCache, network);
    const most = await parallel();
    const bounded = most === MOST_CONNECTIONS ? made : (await import('../client/lanes.ts')).laned(made, most);
    return watchingOwnRecord(bounded, { read: account, write: keepAccount, notify });
  };
  const journaling = createJournaling({
    open: async () => (await import('./account-journal.ts')).openAccountJournal(context),
    note: async (...client) => (await import('./noted-writes.ts')).noteWrites(context, ...client),
  });

  const timeZone = async () => (await account())?.timezone ?? (await settings()).timezone ?? system.timeZone;
  const dates = once(async () => {
    const { loadTemporal } = await import('../values/temporal.ts');
    const own = await account();
    if (own === undefined ? tokenInEnvironment(env) !== undefined : own.timezone === undefined)
      await (await import('./learn-zone.ts')).learnZone(context, keepAccount);
    return { now: deps.clock.now(), timeZone: await timeZone(), temporal: await loadTemporal() };
  });

  const readStdin = async () => (await collect(stdio.stdin as AsyncIterable<Uint8Array>)).toString('utf8');

  const context: Context = {
    ...deps,
    globals,
    argv,
    catalog,
    paths,
    configFile,
    signal,
    accessible,
    presentation: once(() => decidePresentation({ accessible, env, globals, settings, stdio })),
    prompts: choosePrompts(outside, accessible),
    // Asked for rather than known: looking at stdin opens it.
    get interactive() {
      return globals.noInput !== true && stdio.stderr.isTTY && stdio.stdin.isTTY === true;
    },
    settings,
    accounts,
    host,
    resolvedHost,
    account,
    isOffline: offline.isOn,
    forgoCopy: offline.forgo,
    credentials,
    client,
    clientFor,
    plan,
    journal: journaling.journal,
    settleWrites: journaling.settleWrites,
    keepWrites: journaling.keepWrites,
    async tellWaiting() {
      if (!hasClient || !tellsNotices || !stdio.stderr.isTTY || !stdio.stdout.isTTY || (await journaling.hasKept())) return;
      await (await import('./tell-waiting.ts')).tellWaiting(context);
    },
    async close() {
      over.abort(new InterruptedError('The command is over.'));
      await renewing;
      await journaling.close();
      await offline.close();
    },
    timeZone,
    dates,
    notice,
    notify,
    tellOnce,
    letGo: (work) => deps.interrupts.letGo(work),
    async holdNotices(work) {
      held = [];
      try {
        return await deps.interrupts.lend(work);
      } finally {
        const lines = held;
        held = undefined;
        for (const write of lines) await write();
      }
    },
    statusLine,
    browserCommand: async () => browserCommand(deps.env, (await settings()).browser),
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
    parallel,
  };
  return context;
}

/** The questions as this person can answer them. */
function choosePrompts({ prompts, plainPrompts }: Guarded, accessible: () => Promise<boolean>): Deps['prompts'] {
  const chosen = async () => ((await accessible()) ? plainPrompts : prompts);
  return {
    confirm: async (...question) => (await chosen()).confirm(...question),
    secret: async (...question) => (await chosen()).secret(...question),
    line: async (...question) => (await chosen()).line(...question),
    typed: async (...question) => (await chosen()).typed(...question),
    pick: async (...question) => (await chosen()).pick(...question),
  };
}

type Way = Pick<Deps['network'], 'request'>;

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

/** @param width Where lines break between words, at a terminal. */
async function writeTo(output: Screen, line: string, width = Number.POSITIVE_INFINITY): Promise<void> {
  const shown = neutraliseLine(line);
  try {
    await output.write(`${shown.length > width ? (await import('../output/wrap.ts')).wrap(shown, width) : shown}\n`);
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
