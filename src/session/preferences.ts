import { type Globals, MOST_CONNECTIONS, parsePlanPath } from '../cli/globals.ts';
import { openConfigFile } from '../config/config-file.ts';
import { UnguardedError } from '../config/guarded.ts';
import { type Paths, policyPath } from '../config/paths.ts';
import { type Settings, settingsTable } from '../config/settings.ts';
import type { Deps } from '../deps.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import { browserCommand } from '../values/command-line.ts';
import { parseTimespan } from '../values/duration.ts';
import { isOn, tokenInEnvironment } from './environment.ts';
import { once } from './once.ts';
import type { ActivePolicy } from './policy.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 5 * 60_000;

export type Preferences = ReturnType<typeof createPreferences>;

/** Returns the preferences for this run. Precedence: the flag, the environment, the setting. */
export function createPreferences(
  { browser, env, files }: Pick<Deps, 'browser' | 'env' | 'files'>,
  globals: Globals,
  paths: Paths,
  notice: (line: string) => Promise<void>,
) {
  const configFile = openConfigFile(files, paths.config, settingsTable(OUTPUT_FORMATS));
  /**
   * Returns empty settings if the run names the organisation and the token. Such a run can start with an unreadable home directory, as in
   * some containers.
   */
  const withoutSettings = async (error: unknown): Promise<Settings> => {
    const needsNone = tokenInEnvironment(env) !== undefined && (globals.host ?? env['SVC_HOST']) !== undefined;
    if (!needsNone || !(error instanceof Error) || !('syscall' in error || error instanceof UnguardedError)) throw error;
    await notice(`svc uses no settings, because svc cannot read the settings: ${error.message.replace(/\.$/, '')}.`);
    return {};
  };
  const settings = once(() => configFile.read().catch(withoutSettings));
  const inEnvironment = env['SVC_PLAN'] || undefined;
  const plan = globals.plan ?? (inEnvironment === undefined ? undefined : parsePlanPath(inEnvironment, 'SVC_PLAN='));
  return {
    configFile,
    settings,
    plan,
    accessible: once(async () => {
      const given = env['ACCESSIBLE'];
      if (given !== undefined && given !== '') return isOn(given);
      return (await settings().catch((): Settings => ({}))).accessible === 'on';
    }),
    browserCommand: async () => browserCommand(env, (await settings()).browser),
    async openBrowser(url: string) {
      await browser.open(url, (await settings()).browser);
    },
    requestTimeoutMs: async () => globals.timeout ?? fromSetting((await settings()).timeout) ?? REQUEST_TIMEOUT_MS,
    maxWaitMs: async () => globals.maxWait ?? fromSetting((await settings())['max-wait']) ?? MAX_WAIT_MS,
    parallel: async () => globals.parallel ?? Number((await settings()).parallel ?? MOST_CONNECTIONS),
    // With --no-input, nobody can unlock the keychain.
    keychainWaitMs: async () => (globals.noInput === true ? undefined : fromSetting((await settings())['keychain-wait'])),
    policies: once(async () => {
      const nothing = [
        isOn(env['SVC_READ_ONLY']) && 'SVC_READ_ONLY',
        isOn(env['SVC_PLAN_ONLY']) && plan === undefined && 'SVC_PLAN_ONLY',
        (await settings())['read-only'] === 'true' && 'the setting read-only',
      ];
      const readOnly = nothing.filter((source) => source !== false).map((source): ActivePolicy => ({ source, allow: [] }));
      const named = env['SVC_POLICY'];
      const stored = policyPath(paths);
      // svc treats an unreadable directory like a directory without a policy.
      const isSet = (await files.stat(stored).catch(() => undefined)) !== undefined;
      const found = [...(isSet ? [stored] : []), ...(named ? [named] : [])];
      if (found.length === 0) return readOnly;
      const { openPolicy } = await import('./policy.ts');
      return [...readOnly, ...(await Promise.all(found.map((path) => openPolicy(files, path))))];
    }),
  };
}

function fromSetting(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimespan(text);
}
