import type { Account } from '../auth/record.ts';
import type { Globals } from '../cli/globals.ts';
import type { Paths } from '../config/paths.ts';
import { resolveAccount, typedAccount } from '../config/resolve-account.ts';
import { resolveHost } from '../config/resolve-host.ts';
import type { Settings } from '../config/settings.ts';
import type { Deps } from '../deps.ts';
import { SvcError, UsageError } from '../errors.ts';
import { DEFAULT_ACCOUNT, hostsOf, signInName } from '../values/sign-in-names.ts';
import type { Context, Needs } from './context.ts';
import { environmentToken, tokenInEnvironment } from './environment.ts';
import type { Offline } from './offline.ts';
import { once } from './once.ts';
import type { Preferences } from './preferences.ts';
import type { StderrLines } from './stderr-lines.ts';

export interface Identity extends Needs<'account' | 'accounts' | 'credentials' | 'host' | 'resolvedHost' | 'storedAccount'> {
  /** Stores the service’s answer about the owner of the token. If the write fails, svc requests the owner again the next time. */
  keepAccount(account: Account): Promise<void>;
  renewal: Context['renewal'];
  /**
   * Waits for a renewal in this process, and up to two seconds for an early renewal in another process. Some containers end with their
   * first process, and would end the other process too.
   */
  renewed(): Promise<void>;
}

export interface IdentityParts {
  readonly globals: Globals;
  readonly paths: Paths;
  readonly lines: StderrLines;
  readonly preferences: Preferences;
  readonly offline: Offline;
  readonly context: () => Context;
}

/** The argument that starts a separate svc process to renew a sign-in early. */
export const RENEW = '__renew';

const COURTESY_MS = 2_000;

export function createIdentity(deps: Deps, { globals, paths, lines, preferences, offline, context }: IdentityParts): Identity {
  const { clock, env, files, stdio, system } = deps;
  const { keychainWaitMs, plan, policies, settings } = preferences;
  const { notice, notify, notifyOnce } = lines;
  /** Returns no settings if the file is invalid. Code that needs a setting reports the failure. */
  const storedSettings = () => settings().catch((): Settings => ({}));
  const configuredHost = async () => {
    const { host: name } = await storedSettings();
    return name === undefined ? [] : [name];
  };
  const attended = () => context().interactive;
  const accounts = once(async () =>
    (await import('../auth/accounts.ts')).createAccounts(deps, paths, notify, { keychainWaitMs, attended, configuredHost }),
  );
  const signIns = once(async () => (await accounts()).names());
  const resolvedHost = once(async () => {
    const isWithToken = tokenInEnvironment(env) !== undefined;
    const search = { system, files, notifyOnce };
    const found = await resolveHost({
      ...search,
      flag: globals.host,
      environment: env['SVC_HOST'],
      tokenInEnvironment: isWithToken,
      configured: async () => (await settings()).host,
      signedIn: async () => hostsOf(await signIns()),
    });
    if (isWithToken) return found;
    const chosen = await resolveAccount(found.host, {
      ...search,
      typed: typedAccount(globals, env),
      isHostTyped: found.source === 'flag' || found.source === 'environment',
      configured: async () => (await storedSettings()).accounts,
      // If svc can’t read the list of sign-ins, the next read of the store reports the failure.
      signIns: () => signIns().catch(() => []),
    });
    return { ...found, host: { ...found.host, account: chosen.account }, chosen };
  });
  const host = async () => (await resolvedHost()).host;
  const stored = once(async () => (await accounts()).find(signInName(await host())));
  const storedOwner = once(async () => {
    const token = tokenInEnvironment(env);
    const where = await host().catch(() => undefined);
    if (token === undefined || where === undefined) return undefined;
    return (await import('./token-account.ts')).openTokenAccount({ files, clock, paths }, { origin: where.origin, token });
  });
  const known = async () => (tokenInEnvironment(env) === undefined ? (await stored())?.record.account : (await storedOwner())?.read());
  let renewing: Promise<unknown> | undefined;
  let ahead: Promise<void> | undefined;
  return {
    accounts,
    resolvedHost,
    host,
    storedAccount: known,
    account: async () => ((await offline.isOn()) ? (await offline.localAnswers()).account() : known()),
    async keepAccount(account) {
      if (tokenInEnvironment(env) !== undefined) return (await storedOwner())?.write(account);
      const update = (await accounts()).update(signInName(await host()), (record) => record && { ...record, account });
      await update.catch((error: unknown) => {
        if (!(error instanceof SvcError)) throw error;
      });
    },
    credentials: once(async () => {
      if (await offline.isOn()) return (await offline.localAnswers()).credentials();
      const token = environmentToken(env);
      if (token !== undefined && globals.account !== undefined)
        throw new UsageError('--account chooses a stored sign-in, but SVC_TOKEN is set.', {
          hint: 'Unset SVC_TOKEN, or leave out --account.',
        });
      if (token !== undefined && stdio.stderr.isTTY) await notice('Using the token in SVC_TOKEN.');
      const [{ createCredentialSource }, where, opened] = await Promise.all([import('../auth/credential-source.ts'), host(), accounts()]);
      const source = createCredentialSource({
        host: where,
        stored,
        accounts: opened,
        environmentToken: token,
        refresh(target, stale) {
          const renewal = import('./sign-in-flow.ts').then(({ refreshOrSignIn }) => refreshOrSignIn(context(), target, stale));
          renewing = renewal.catch(() => undefined);
          return renewal;
        },
        renewAhead({ name, account = DEFAULT_ACCOUNT }) {
          ahead = deps.programs
            .startSelf([RENEW, '--host', name, '--account', account, '--no-input', '--quiet'])
            .then(({ ended }) => ended);
        },
        clock,
      });
      const active = await policies();
      if (active.length === 0 && plan === undefined) return source;
      const { guardedBy, planningOnly } = await import('./guard-writes.ts');
      return guardedBy(plan === undefined ? source : planningOnly(source), active, context);
    }),
    renewal: () => renewing,
    async renewed() {
      await renewing;
      if (ahead === undefined) return;
      const over = new AbortController();
      await Promise.race([ahead, clock.sleep(COURTESY_MS, over.signal)]).catch(() => undefined);
      over.abort();
    },
  };
}
