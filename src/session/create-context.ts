import type { Catalog } from '../catalog/index.ts';
import type { Globals } from '../cli/globals.ts';
import { resolvePaths } from '../config/paths.ts';
import { InterruptedError } from '../errors.ts';
import { createClients } from './clients.ts';
import type { Context } from './context.ts';
import { reportingNetwork } from './describe.ts';
import { tokenInEnvironment } from './environment.ts';
import { type Guarded, latePrompts } from './guard-terminal.ts';
import { createIdentity } from './identity.ts';
import { createOffline } from './offline.ts';
import { once } from './once.ts';
import { createPreferences, type Preferences } from './preferences.ts';
import { decidePresentation } from './presentation.ts';
import { createArgumentReader } from './read-arguments.ts';
import { createSeenRecords } from './seen-records.ts';
import { createStderrLines } from './stderr-lines.ts';

/** Creates the context of a command. @param reads true for a command that only reads records. */
export function createContext(guarded: Guarded, catalog: Catalog, globals: Globals, typed: readonly string[], reads: boolean): Context {
  const argv = [...typed];
  const { env, stdio, system } = guarded;
  const paths = resolvePaths(env, system);
  const lines = createStderrLines(guarded, globals, () => preferences.accessible());
  const preferences: Preferences = createPreferences(guarded, globals, paths, lines.notice);
  const { accessible, settings } = preferences;
  const offline = createOffline(guarded, globals, { settings, context: () => context, reads });
  const outside = { ...guarded, ...offline.guarded };
  // The API client reports its own requests with more details. The network reports all other requests (OAuth, doctor).
  const deps = lines.debugging ? { ...outside, network: reportingNetwork(outside, lines.debug) } : outside;
  const signal = deps.interrupts.signal;
  /** svc cancels requests that still run at the end of the command, because nobody waits for their answers. */
  const over = new AbortController();
  const parts = { globals, paths, lines, preferences, offline, context: () => context };
  const identity = createIdentity(deps, parts);
  const clients = createClients(outside, { ...parts, argv, catalog, identity, signal: AbortSignal.any([signal, over.signal]) });
  const { account, keepAccount } = identity;
  const { journaling } = clients;
  const seen = createSeenRecords(() => context);
  const timeZone = async () => (await account())?.timezone ?? (await settings()).timezone ?? system.timeZone;

  const context: Context = {
    ...deps,
    ...lines,
    ...preferences,
    ...identity,
    ...clients,
    ...createArgumentReader(guarded),
    globals,
    argv,
    catalog,
    paths,
    signal,
    presentation: once(() => decidePresentation({ accessible, env, globals, settings, stdio })),
    prompts: latePrompts(async () => ((await accessible()) ? outside.plainPrompts : outside.prompts)),
    // The member is a getter, because any access to stdin opens stdin.
    get interactive() {
      return globals.noInput !== true && stdio.stderr.isTTY && stdio.stdin.isTTY === true;
    },
    isOffline: offline.isOn,
    teamDatabase: offline.teamDatabase,
    accountDatabase: async () => (await offline.localAnswers()).database(),
    useServiceOnly: offline.forgo,
    journal: journaling.journal,
    resolveWrites: journaling.resolveWrites,
    keepWrites: journaling.keepWrites,
    seen,
    renewal: identity.renewal,
    async close() {
      await seen.write();
      over.abort(new InterruptedError('The command has ended.'));
      await identity.renewed();
      await journaling.close();
      await clients.close();
      await offline.close();
    },
    timeZone,
    dates: once(async () => {
      const { loadTemporal } = await import('../values/temporal.ts');
      const own = await account();
      if (own === undefined ? tokenInEnvironment(env) !== undefined : own.timezone === undefined)
        await (await import('./time-zone.ts')).learnZone(context, keepAccount);
      return { now: deps.clock.now(), timeZone: await timeZone(), temporal: await loadTemporal() };
    }),
    async noticeToday(line) {
      // Without a host, svc does not record printed lines.
      const isNew = async () => (await import('./day-memory.ts')).isNewToday(context, line).catch(() => true);
      if (!stdio.stdout.isTTY || (await isNew())) await lines.notice(line);
    },
    letGo: (work) => deps.interrupts.letGo(work),
  };
  return context;
}
