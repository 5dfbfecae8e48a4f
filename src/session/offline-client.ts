import { resolve } from 'node:path';
import type { Account } from '../auth/record.ts';
import type { Globals } from '../cli/globals.ts';
import { shellWord } from '../cli/shell-word.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../client/api-client.ts';
import { requestUrl } from '../client/origin.ts';
import { createResponse } from '../client/response.ts';
import { answerer, type LocalAnswer, readRecords } from '../database/offline/answer.ts';
import { isOwnCursor } from '../database/offline/answer-list.ts';
import { type DatabaseSnapshot, openSnapshot } from '../database/offline/open-snapshot.ts';
import { NotFoundError, RefusedError, UsageError } from '../errors.ts';
import { API_PATH, type Host, isDatabaseAddress } from '../values/addresses.ts';
import { localMinute } from '../values/dates.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import { ageText, loadTemporal } from '../values/temporal.ts';
import type { AccountDatabase } from './account-database.ts';
import { accountFile } from './account-journal.ts';
import { openDatabaseOwner } from './cached-records.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';
import { readAccount } from './own-record.ts';

export type OpeningDatabase =
  | 'catalog'
  | 'clock'
  | 'env'
  | 'files'
  | 'host'
  | 'notice'
  | 'paths'
  | 'storedAccount'
  | 'system'
  | 'teamDatabase'
  | 'timeZone';

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
  if (database === undefined) return undefined;
  return accountDatabase(context, host, { database, owner, me: owner.user_id ?? database.user, name: 'the local database' });
}

/** Opens the team database, or else the local database. @throws UsageError, DatabaseError, UnavailableError, ForbiddenError, NotFoundError */
export async function openAccountDatabaseOrFail(context: Needs<OpeningDatabase>): Promise<AccountDatabase> {
  const team = await context.teamDatabase();
  if (team !== undefined) return openTeamDatabase(context, team);
  const database = await openAccountDatabase(context);
  if (database !== undefined) return database;
  const { name } = await context.host();
  throw new UsageError(`There is no complete local database of ${name}.`, {
    hint: 'Create the local database while you have a connection: svc sync',
  });
}

/** Opens a database that another account may have filled. Your own sign-in only identifies you as a user. */
async function openTeamDatabase(context: Needs<OpeningDatabase>, address: string): Promise<AccountDatabase> {
  const { env, system } = context;
  const [host, owner] = await Promise.all([context.host(), context.storedAccount()]);
  const opened = async () => {
    if (!isDatabaseAddress(address)) {
      const path = resolve(system.cwd, address);
      const database = await openSnapshot(path, host.name, `svc sync --to ${shellWord(path)}`);
      if (database !== undefined) return { database, name: path };
      throw new NotFoundError(`There is no database to read: ${path}.`, {
        hint: `To create the local database: svc sync --to ${shellWord(path)}`,
      });
    }
    const [{ readAddress }, { openPostgresSnapshot }] = await Promise.all([
      import('../database/postgres/address.ts'),
      import('../database/postgres/open-snapshot.ts'),
    ]);
    const place = await readAddress(address, env, system.userName);
    return { database: await openPostgresSnapshot(place, host.name, `svc sync --to ${shellWord(place.name)}`), name: place.name };
  };
  const { database, name } = await opened();
  const filler = await userIn(database, database.user);
  const rights = readAccount(filler).user_name ?? (database.user === undefined ? 'an unknown user' : `user ${database.user}`);
  const from = `${name} (read with the rights of ${rights})`;
  return accountDatabase(context, host, { database, owner: owner ?? {}, me: owner?.user_id, name: from });
}

/** Returns the record of a user. Undefined if the database does not have the record, or if the PostgreSQL role must not read users. */
async function userIn(database: DatabaseSnapshot, id: number | undefined): Promise<JsonObject | undefined> {
  const users = database.states.get('users');
  if (users === undefined || id === undefined || !(await database.canRead(users.table))) return undefined;
  return (await readRecords(database, users, [id]))[0];
}

interface Opened {
  readonly database: DatabaseSnapshot;
  readonly owner: Account;
  /** The id of the user that `me` means. Undefined if unknown. */
  readonly me: number | undefined;
  /** The name of the database, for the notice about its age. */
  readonly name: string;
}

async function accountDatabase(
  context: Needs<OpeningDatabase>,
  host: Host,
  { database, owner, me, name }: Opened,
): Promise<AccountDatabase> {
  const { catalog, clock } = context;
  const own = await userIn(database, me);
  const known = { ...readAccount(own), ...(me !== undefined && { user_id: me }), ...owner };
  const from = await answerer(database, { apiPath: API_PATH, find: catalog.find, me });
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
    snapshot: database,
    oldestCompleteAt: oldest([...database.states.values()].map(({ whole_at: at }) => at)),
    async answer(request) {
      return respond(...(await answer(request)));
    },
    async answerIfFresh(request, youngerMs) {
      const cursor = new URL(requestUrl(host, request.path, request.query)).searchParams.get('cursor');
      let found: readonly [string, LocalAnswer];
      try {
        found = await answer(request);
      } catch (error) {
        // The service does not accept a cursor of the local database, so the service cannot answer this request.
        if (cursor !== null && isOwnCursor(cursor)) throw error;
        return undefined;
      }
      // A list must not mix sources, so svc answers all its pages from the same source.
      const isYoung = ({ noun, at }: LocalAnswer['from'][number]) =>
        used.has(noun) || (!stale.has(noun) && clock.now() - Date.parse(at) <= youngerMs);
      const old = found[1].from.filter((each) => !isYoung(each));
      if (old.length === 0 || (cursor !== null && isOwnCursor(cursor))) return respond(...found);
      for (const { noun } of old) stale.add(noun);
      return undefined;
    },
    completeAt: (noun) => database.states.get(noun)?.whole_at,
    nouns: [...database.states.keys()],
    async search(request) {
      const { findRecords } = await import('../database/search/find-records.ts');
      const found = await findRecords(database, name, request);
      for (const { noun, whole_at: at } of found.searched) used.set(noun, at);
      return found;
    },
    unstored: from.unstored,
    async openChangeLog(isWanted) {
      const log = await database.openChangeLog();
      for (const [noun, { whole_at: at }] of database.states) if (isWanted(noun) && !log.hidden.includes(noun)) used.set(noun, at);
      return log;
    },
    async printAge() {
      if (used.size === 0) return;
      const at = oldest(used.values());
      const [noun = ''] = [...used].find(([, timestamp]) => timestamp === at) ?? [];
      const checkedAt = database.states.get(noun)?.as_of ?? at;
      const ago = (timestamp: string) => `${ageText(clock.now() - Date.parse(timestamp))} ago`;
      const next =
        checkedAt > at
          ? `, and checked ${ago(checkedAt)}. To compare all rows: ${database.update} --verify`
          : `. To update: ${database.update}`;
      await context.notice(`From ${name}, complete at ${await localTime(context, at)}, ${ago(at)} (${noun})${next}`);
    },
    close: () => database.close(),
  };
}

/** Converts `YYYY-MM-DDTHH:MM:SSZ` for a sentence, to the user’s stored zone: `2025-03-31 14:00`. Sends no request. */
export async function localTime(context: Needs<'timeZone'>, utc: string): Promise<string> {
  return localMinute(utc, { timeZone: await context.timeZone(), temporal: await loadTemporal() });
}

function responseOf(url: string, value: JsonValue): ApiResponse {
  const bytes = () => new TextEncoder().encode(stringifyJson(value));
  const made = createResponse({ url, status: 200, headers: {}, bytes: NO_BYTES }, { method: 'GET', onWarnings: undefined });
  return { ...made, bytes, text: () => stringifyJson(value), body: () => value };
}

const NO_BYTES = new Uint8Array();

/** Creates a client that answers only from a local database. The client rejects with UsageError for any request except a GET. */
export function offlineClient(host: Host, globals: Globals, database: () => Promise<AccountDatabase>): ApiClient {
  return {
    host,
    async send(request) {
      const method = request.method.toUpperCase();
      if (method !== 'GET') throw sendsNothing(globals, method);
      return keepingProblems(request, async () => (await database()).answer(request));
    },
    limits: () => [],
    watch: () => undefined,
  };
}

/**
 * Creates a client that queries the local database first, for a GET without headers. If the database is too old or can’t answer, svc asks
 * the service.
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

export function sendsNothing({ database }: Pick<Globals, 'database'>, what: string): UsageError {
  if (database !== undefined)
    return new UsageError(`--database sends nothing, and this command needs a ${what}.`, { hint: 'Leave out --database.' });
  return new UsageError(`--offline sends nothing, and this command needs a ${what}.`, {
    hint: 'Leave out --offline, or set SVC_OFFLINE=0. To store a create in the outbox: --later',
  });
}
