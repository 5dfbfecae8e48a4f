import { type Globals, MOST_CONNECTIONS } from '../cli/globals.ts';
import { openConfigFile } from '../config/config-file.ts';
import { UnguardedError } from '../config/guarded.ts';
import type { Paths } from '../config/paths.ts';
import { type Settings, settingsTable } from '../config/settings.ts';
import type { Deps } from '../deps.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import { browserCommand } from '../values/command-line.ts';
import { parseTimespan } from '../values/duration.ts';
import type { Needs } from './context.ts';
import { isOn, tokenInEnvironment } from './environment.ts';
import { once } from './once.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 5 * 60_000;

/** The preferences for this run: the flag, else the environment, else the setting. */
export interface Preferences
  extends Needs<
    'accessible' | 'browserCommand' | 'configFile' | 'maxWaitMs' | 'openBrowser' | 'parallel' | 'plan' | 'requestTimeoutMs' | 'settings'
  > {
  /** The wait for a keychain that asks its owner, in milliseconds; undefined: no wait. */
  keychainWaitMs(): Promise<number | undefined>;
  /** The reason why svc is read-only, in words; the environment can turn it on, but not off. Undefined without one. */
  readOnlyBy(): Promise<string | undefined>;
}

/** Creates the preferences; no file is read yet. */
export function createPreferences(
  { browser, env, files }: Pick<Deps, 'browser' | 'env' | 'files'>,
  globals: Globals,
  paths: Paths,
  notice: (line: string) => Promise<void>,
): Preferences {
  const configFile = openConfigFile(files, paths.config, settingsTable(OUTPUT_FORMATS));
  /** A run that names the organisation and the token needs no settings. So it works with an unreadable home, as in some containers. */
  const withoutSettings = async (error: unknown): Promise<Settings> => {
    const needsNone = tokenInEnvironment(env) !== undefined && (globals.host ?? env['SVC_HOST']) !== undefined;
    if (!needsNone || !(error instanceof Error) || !('syscall' in error || error instanceof UnguardedError)) throw error;
    await notice(`svc uses no settings, because it cannot read them: ${error.message.replace(/\.$/, '')}.`);
    return {};
  };
  const settings = once(() => configFile.read().catch(withoutSettings));
  const plan = globals.plan || env['SVC_PLAN'] || undefined;
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
    async openBrowser(url) {
      await browser.open(url, (await settings()).browser);
    },
    requestTimeoutMs: async () => globals.timeout ?? fromSetting((await settings()).timeout) ?? REQUEST_TIMEOUT_MS,
    maxWaitMs: async () => globals.maxWait ?? fromSetting((await settings())['max-wait']) ?? MAX_WAIT_MS,
    parallel: async () => globals.parallel ?? Number((await settings()).parallel ?? MOST_CONNECTIONS),
    // With --no-input nobody is there to answer the keychain's window.
    keychainWaitMs: async () => (globals.noInput === true ? undefined : fromSetting((await settings())['keychain-wait'])),
    async readOnlyBy() {
      if (isOn(env['SVC_READ_ONLY'])) return 'SVC_READ_ONLY';
      if (isOn(env['SVC_PLAN_ONLY']) && plan === undefined) return 'SVC_PLAN_ONLY';
      return (await settings())['read-only'] === 'true' ? 'the setting read-only' : undefined;
    },
  };
}

function fromSetting(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimespan(text);
}
