import type { Account } from '../auth/record.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import { requestUrl } from '../client/origin.ts';
import { createResponse } from '../client/response.ts';
import { type Answerer, answerer, type LocalAnswer, readRecords } from '../database/offline/answer.ts';
import { isOwnCursor } from '../database/offline/answer-list.ts';
import { type DatabaseSnapshot, openSnapshot } from '../database/offline/open-snapshot.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { API_PATH, type Host } from '../values/addresses.ts';
import { type JsonValue, stringifyJson } from '../values/json.ts';
import { accountFile } from './account-journal.ts';
import { openDatabaseOwner } from './cached-records.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';
import { readAccount } from './own-record.ts';

export interface AccountDatabase {
  /** The signed-in user according to the local database. svc opens no keychain for this. */
  readonly account: Account | undefined;
  /** The time at which the oldest used table was complete: `2026-11-22T14:00:00Z`. */
  readonly asOf: string;
  /** Answers a GET request. @throws as `Answerer.answer`. */
  answer(request: ApiRequest): Promise<ApiResponse>;
  /** Answers a GET request if all rows for it are newer than this age in milliseconds. Otherwise returns undefined. */
  answerIfFresh(request: ApiRequest, youngerMs: number): Promise<ApiResponse | undefined>;
  printAge(): Promise<void>;
  close(): void;
}

export type OpeningDatabase = 'catalog' | 'clock' | 'env' | 'files' | 'host' | 'notice' | 'paths';

async function ownerOf(context: Needs<OpeningDatabase>): Promise<Account | undefined> {
  return tokenInEnvironment(context.env) === undefined ? (await openDatabaseOwner(context)).read() : {};
}

/**
 * Opens the local database of an account. @param account the signed-in user, if known. @returns undefined without a local database. @throws
 * DatabaseError
 */
export async function openAccountDatabase(context: Needs<OpeningDatabase>, account?: Account): Promise<AccountDatabase | undefined> {
  const owner = account ?? (await ownerOf(context));
  if (owner === undefined) return undefined;
  const [path, host] = await Promise.all([accountFile({ ...context, account: async () => owner }, 'mirror'), context.host()]);
  const database = await openSnapshot(path, host.name);
  return database && accountDatabase(context, host, database, owner);
}

export async function openAccountDatabaseOrFail(context: Needs<OpeningDatabase>): Promise<AccountDatabase> {
  const database = await openAccountDatabase(context);
  if (database !== undefined) return database;
  const { name } = await context.host();
  throw new UsageError(`There is no local database of ${name}.`, {
    hint: 'Create the local database while you have a connection: svc sync',
  });
}

function accountDatabase(context: Needs<OpeningDatabase>, host: Host, database: DatabaseSnapshot, owner: Account): AccountDatabase {
  const { catalog, clock } = context;
  const me = owner.user_id ?? database.user;
  const users = database.states.get('users');
  const [own] = users === undefined || me === undefined ? [] : readRecords(database, users, [me]);
  const known = { ...readAccount(own), ...(me !== undefined && { user_id: me }), ...owner };
  const from: Answerer = answerer(database, { apiPath: API_PATH, find: catalog.find, me });
  const used = new Map<string, string>();
  const stale = new Set<string>();
  const answer = async ({ path, query }: ApiRequest): Promise<readonly [string, LocalAnswer]> => {
    const url = requestUrl(host, path, query);
    return [url, await from.answer(new URL(url))];
  };
  const respond = (url: string, { body, from: nouns }: LocalAnswer): ApiResponse => {
    for (const { noun, at } of nouns) used.set(noun, at);
    return responseOf(url, body);
  };
  const oldest = (timestamps: Iterable<string>) => [...timestamps].sort()[0] ?? '';
  return {
    account: Object.keys(known).length === 0 ? undefined : known,
    asOf: oldest([...database.states.values()].map(({ whole_at: at }) => at)),
    async answer(request) {
      return respond(...(await answer(request)));
    },
    async answerIfFresh(request, youngerMs) {
      const cursor = new URL(requestUrl(host, request.path, request.query)).searchParams.get('cursor');
      let found: readonly [string, LocalAnswer];
      try {
        found = await answer(request);
      } catch (error) {
        // The service could answer, but does not accept a cursor of the local database.
        if (cursor !== null && isOwnCursor(cursor)) throw error;
        return undefined;
      }
      // svc answers all pages of a list from the same source.
      const isYoung = ({ noun, at }: LocalAnswer['from'][number]) =>
        used.has(noun) || (!stale.has(noun) && clock.now() - Date.parse(at) <= youngerMs);
      const old = found[1].from.filter((each) => !isYoung(each));
      if (old.length === 0 || (cursor !== null && isOwnCursor(cursor))) return respond(...found);
      for (const { noun } of old) stale.add(noun);
      return undefined;
    },
    async printAge() {
      if (used.size === 0) return;
      const at = oldest(used.values());
      const [noun] = [...used].find(([, timestamp]) => timestamp === at) ?? [];
      const { ageText } = await import('../values/temporal.ts');
      await context.notice(
        `From the local database, checked at ${at}, ${ageText(clock.now() - Date.parse(at))} ago (${noun}). To update: svc sync`,
      );
    },
    close: () => database.close(),
  };
}

function responseOf(url: string, value: JsonValue): ApiResponse {
  const bytes = () => new TextEncoder().encode(stringifyJson(value));
  const made = createResponse({ url, status: 200, headers: {}, bytes: NO_BYTES }, { method: 'GET', onWarnings: undefined });
  return { ...made, bytes, text: () => stringifyJson(value), body: () => value };
}

const NO_BYTES = new Uint8Array();

/** Creates a client that answers only from a local database. @throws UsageError for a request that would change data. */
export function offlineClient(host: Host, database: () => Promise<AccountDatabase>): ApiClient {
  return {
    host,
    async send(request) {
      const method = request.method.toUpperCase();
      if (method !== 'GET') throw sendsNothing(method);
      return keepingProblems(request, async () => (await database()).answer(request));
    },
    limits: () => [],
    watch: () => undefined,
  };
}

/**
 * Creates a client that queries the local database first. If the local database is too old or can’t answer, the client asks the service.
 */
export function freshClient(
  host: Host,
  database: () => Promise<AccountDatabase | undefined>,
  youngerMs: number,
  service: () => Promise<ApiClient>,
): ApiClient {
  const watchers: Parameters<ApiClient['watch']>[0][] = [];
  let requested: Promise<ApiClient> | undefined;
  let known: ApiClient | undefined;
  const ask = async () => {
    requested ??= service().then((client) => {
      for (const watcher of watchers) client.watch(watcher);
      known = client;
      return client;
    });
    return requested;
  };
  return {
    host,
    async send(request) {
      const isPlain = request.method.toUpperCase() === 'GET' && request.headers === undefined && request.ifNoneMatch === undefined;
      const answer = isPlain ? await (await database())?.answerIfFresh(request, youngerMs) : undefined;
      return answer ?? (await ask()).send(request);
    },
    limits: () => known?.limits() ?? [],
    watch(listener) {
      watchers.push(listener);
      known?.watch(listener);
    },
  };
}

async function keepingProblems({ keepProblem }: ApiRequest, answer: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await answer();
  } catch (error) {
    if (!keepProblem || !(error instanceof RefusedError)) throw error;
    return { ...responseOf('', {}), status: 400, error };
  }
}

export function sendsNothing(what: string): UsageError {
  return new UsageError(`--offline sends nothing, and this command needs a ${what}.`, {
    hint: 'Leave out --offline, or set SVC_OFFLINE=0. A create can wait in the outbox: --later',
  });
}
