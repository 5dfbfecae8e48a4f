import type { Catalog } from '../catalog/index.ts';
import { MOST_CONNECTIONS } from '../cli/globals.ts';
import type { ClientEvents } from '../client/api-client.ts';
import type { Share } from '../client/pace.ts';
import type { CredentialSource } from '../credential.ts';
import type { Deps } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import { describeExchange, describeWait } from './describe.ts';
import { tokenInEnvironment } from './environment.ts';
import type { Identity, IdentityParts } from './identity.ts';
import { createJournaling, type RecordingClient } from './journaling.ts';
import { once } from './once.ts';

interface ClientParts extends IdentityParts {
  readonly argv: readonly string[];
  readonly catalog: Catalog;
  readonly identity: Identity;
  readonly signal: AbortSignal;
}

type Way = Pick<Deps['network'], 'request'>;

export function createClients(outside: Deps, parts: ClientParts) {
  const { globals, argv, catalog, paths, lines, preferences, offline, identity, signal, context } = parts;
  const { clock, env, files, network, stdio, system } = outside;
  const { debug, debugging, notice, notify, notifyOnce } = lines;
  const { account, credentials, host, keepAccount } = identity;
  const { maxWaitMs, parallel, requestTimeoutMs } = preferences;
  const events: ClientEvents = {
    onExchange: (exchange) => {
      if (debugging) debug(describeExchange(exchange));
    },
    onWait: (wait) => {
      // Requests that fail together print one line.
      if (debugging || (stdio.stderr.isTTY && wait.reason === 'rate-limit')) notify(describeWait(wait));
      else if (stdio.stderr.isTTY) notifyOnce(describeWait(wait));
    },
    onWarnings: (warnings) => {
      for (const warning of warnings) notify(`The service warns: ${warning}`);
    },
  };
  /** svc stores answers by account, or by `SVC_TOKEN`. Without a known account or `SVC_TOKEN`, svc stores no answers. */
  const answerCache = once(async () => {
    const user = tokenInEnvironment(env) ?? (await account())?.user_id;
    if (user === undefined) return undefined;
    const [{ createAnswerCache }, { origin }] = await Promise.all([import('../client/cache.ts'), host()]);
    return createAnswerCache({ files, clock, directory: paths.cache, origin, account: String(user) });
  });
  // A program reads stderr if errors are JSON, and a shell discards stderr during completion. svc then prints no notices of the service,
  // and no line about the outbox.
  const inJson = globals.errorFormat === 'json' || env['SVC_ERROR_FORMAT'] === 'json';
  const printsNotices = globals.quiet !== true && !inJson && argv[0] !== '__complete';
  const networkFor = async (target: Host) => {
    if (!printsNotices) return network;
    const { heedingNetwork } = await import('./service-notices.ts');
    return heedingNetwork({ host: target, network, files, clock, directory: paths.cache, report: notice });
  };
  let share: Share | undefined;
  const sharedLimits = once(async () => {
    const [{ openSharedLimits }, { origin }] = await Promise.all([import('./shared-limits.ts'), host()]);
    const owner = async () => tokenInEnvironment(env) ?? String((await account())?.user_id ?? '');
    return openSharedLimits({ clock, paths }, { origin, account: owner });
  });
  let hasShared = false;
  const own = {
    cache: globals.noCache ? undefined : answerCache,
    share: () => share,
    sharedLimits: () => {
      hasShared = true;
      return sharedLimits();
    },
  };
  const clientFor = async (target: Host, source: CredentialSource, ofHost?: typeof own, way?: Way) => {
    const { createApiClient } = await import('../client/api-client.ts');
    return createApiClient({
      ...ofHost,
      host: target,
      network: way ?? (await networkFor(target)),
      credentials: source,
      clock,
      userAgent: `svc/${system.version}`,
      timeoutMs: await requestTimeoutMs(),
      maxWaitMs: await maxWaitMs(),
      signal,
      events,
    });
  };
  const serviceClient = async (where: Host, way: Way) => {
    // svc opens the connection while it reads the credential and loads the code.
    if (!globals.dryRun) network.warm(where.origin, await requestTimeoutMs());
    const [source, { watchingOwnRecord }, { rememberingRefusals }] = await Promise.all([
      credentials(),
      import('./own-record.ts'),
      import('../client/assumed.ts'),
      import('../client/api-client.ts'),
    ]);
    const made = await clientFor(where, source, own, way);
    const most = await parallel();
    const bounded = most === MOST_CONNECTIONS ? made : (await import('../client/lanes.ts')).laned(made, most);
    const memory = once(async () => {
      const stored = await (await import('./day-memory.ts')).openCachedRefusals(context());
      return globals.noCache ? { ...stored, has: () => false } : stored;
    });
    return watchingOwnRecord(
      rememberingRefusals(bounded, memory, () => context().timeZone()),
      { read: account, write: keepAccount, notify },
    );
  };
  const journaling = createJournaling(
    async () => (await import('./account-journal.ts')).openAccountJournal(context()),
    async (...client) => (await import('./record-writes.ts')).recordWrites(context(), ...client),
  );
  const checked = async (recording: RecordingClient, where: Host) => {
    if (catalog.described?.host.origin !== where.origin) return recording;
    return (await import('./described-writes.ts')).checkedAgainstSpec(recording, { catalog, notifyOnce });
  };
  let hasClient = false;
  return {
    journaling,
    clientFor,
    client: once(async () => {
      hasClient = true;
      const where = await host();
      if (await offline.isOn())
        return checked(await journaling.recording(network, async () => (await offline.localAnswers()).client(where)), where);
      const { maxAge } = globals;
      const recording = await journaling.recording(await networkFor(where), async (way) => {
        const service = () => serviceClient(where, way);
        return maxAge === undefined || offline.isForgone()
          ? offline.orLocalAnswers(await service())
          : (await offline.localAnswers()).freshClient(where, maxAge, service);
      });
      const client = await checked(recording, where);
      return globals.dryRun ? (await import('./guard-writes.ts')).withoutWrites(client) : client;
    }),
    sharedLimits: own.sharedLimits,
    share: () => share,
    putPeopleFirst(percent?: number): void {
      share = { percent };
    },
    async close() {
      if (hasShared) (await sharedLimits()).close();
    },
    async printWaiting() {
      if (!hasClient || !printsNotices || !stdio.stderr.isTTY || !stdio.stdout.isTTY || (await journaling.hasQueued())) return;
      await (await import('./account-journal.ts')).printWaiting(context());
    },
  };
}
