import { createHash } from 'node:crypto';
import type { Account } from '../auth/record.ts';
import type { KnownRecord } from '../cli/complete/candidate.ts';
import type { Files } from '../deps.ts';
import type { Host } from '../values/addresses.ts';
import { type JsonObject, type JsonValue, jsonObjectIn, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import { tokenInEnvironment } from './environment.ts';

export interface CachedRecords {
  /** The time of the request: milliseconds since 1970. */
  readonly at: number;
  readonly of?: string;
  readonly records: readonly KnownRecord[];
}

/** The name of the cache file for the workflow statuses that a work item can change to. `of` is the id of the work item. */
export const TRANSITIONS = 'moves';

export const FRESH_MS = 5 * 60_000;
/** The time after which svc repeats a request without an answer, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Opens the cache of record names. Each resource has a file, in a directory of the sign-in or of the token in `SVC_TOKEN`. Reading the
 * cache needs no keychain, because {@link forgetCachedRecords} empties the directory after each change of the sign-in.
 */
export async function openCachedRecords(context: Needs<'clock' | 'env' | 'files' | 'host' | 'paths'> & Partial<Needs<'isOffline'>>) {
  const { files, clock } = context;
  const directory = await cachedRecordsDirectory(context);
  return {
    async read(noun: string): Promise<CachedRecords | undefined> {
      const cached = readStored(await readJsonFile(files, `${directory}/${noun}.json`));
      return isOfLastDay(cached?.at, clock.now()) ? cached : undefined;
    },
    async write(noun: string, cached: CachedRecords): Promise<void> {
      // svc caches no rows from the local database.
      if (await context.isOffline?.()) return;
      await files.writeAtomic(`${directory}/${noun}.json`, stringifyJson({ ...cached, records: cached.records.map(tupleOf) }));
    },
    /**
     * Reserves a request for the records of a resource. Returns false if svc sent such a request within the last minute and has no answer
     * yet.
     * @param before the parent of child records, and the time of their last answer.
     */
    async claim(noun: string, before = { of: '', at: 0 }): Promise<boolean> {
      const { of, at: answered } = before;
      const path = `${directory}/${noun}.asked`;
      const [at, asked = ''] = ((await files.readText(path)) ?? '').split(' ');
      const age = clock.now() - Number(at);
      if (age >= 0 && age < PATIENCE_MS && asked === of && answered < Number(at)) return false;
      await files.writeAtomic(path, `${clock.now()} ${of}`.trim());
      return true;
    },
  };
}

export async function cachedRecordsDirectory(context: Needs<'env' | 'host' | 'paths'>): Promise<string> {
  return directoryOf(context, await context.host(), tokenInEnvironment(context.env));
}

/**
 * Removes the cached records of the earlier sign-in. If `user` owns the local database, keeps the file with the owner. svc then finds the
 * local database without another sync.
 */
export async function forgetCachedRecords(
  context: Needs<'files' | 'paths'>,
  host: SignInPlace,
  user: Pick<Account, 'user_id'> = {},
): Promise<void> {
  const { files } = context;
  const directory = directoryOf(context, host, undefined);
  // If svc can’t remove the names, the sign-in still succeeds, and svc shows the names for at most a day.
  for (const name of await files.list(directory).catch(() => [])) {
    const path = `${directory}/${name}`;
    if (name === OWNER && user.user_id !== undefined && (await readJsonFile(files, path))?.['user_id'] === user.user_id) continue;
    await files.remove(path).catch(() => false);
  }
}

/** The name of the file with the owner of the local database. */
const OWNER = 'copy-of.json';

type SignInPlace = Pick<Host, 'origin' | 'account'>;

function directoryOf(context: Needs<'paths'>, { origin, account }: SignInPlace, token: string | undefined): string {
  const id = createHash('sha256')
    .update(origin)
    .update('\0')
    .update(token ?? (account === undefined ? '' : `account ${account}`))
    .digest('hex')
    .slice(0, 32);
  return `${context.paths.cache}/completion/${id}`;
}

function tupleOf({ value, about, name }: KnownRecord): string[] {
  return [value, about, ...(name === undefined ? [] : [name])];
}

function readStored(value: JsonObject | undefined): CachedRecords | undefined {
  if (typeof value?.['at'] !== 'number' || !Array.isArray(value['records'])) return undefined;
  const records = value['records'].flatMap((tuple) => {
    const [id, about, name] = Array.isArray(tuple) ? tuple : [];
    return typeof id === 'string' && typeof about === 'string' ? [{ value: id, about, ...(typeof name === 'string' && { name }) }] : [];
  });
  const { at, of } = value;
  return { at, ...(typeof of === 'string' && { of }), records };
}

const DAY_MS = 24 * 60 * 60_000;

/** Returns true if a time, in milliseconds since 1970, is within the last day. False for a time in the future. */
export function isOfLastDay(at: JsonValue | undefined, now: number): boolean {
  return typeof at === 'number' && now - at >= 0 && now - at < DAY_MS;
}

/** Reads the object in a JSON file that svc wrote. Undefined if the file is missing, unreadable or damaged. */
export async function readJsonFile(files: Pick<Files, 'readText'>, path: string): Promise<JsonObject | undefined> {
  return jsonObjectIn((await files.readText(path).catch(() => undefined)) ?? '');
}

/**
 * Opens the file with the owner of the local database. A sign-in as another user removes the file, as a logout does. svc can therefore
 * find a local database without the keychain, and never finds the database of another user.
 */
export async function openDatabaseOwner(context: Needs<'env' | 'files' | 'host' | 'paths'>) {
  const { files } = context;
  const path = `${await cachedRecordsDirectory(context)}/${OWNER}`;
  return {
    /**
     * Reads the owner of the local database. Undefined if nobody has synced since the user signed in first. An owner without an id means
     * that the service did not name the owner.
     */
    async read(): Promise<{ readonly user_id?: number } | undefined> {
      const cached = await readJsonFile(files, path);
      return cached && (typeof cached['user_id'] === 'number' ? { user_id: cached['user_id'] } : {});
    },
    async write({ user_id: id }: { readonly user_id?: number | undefined }): Promise<void> {
      const wanted = stringifyJson(id === undefined ? {} : { user_id: id });
      if ((await files.readText(path).catch(() => undefined)) !== wanted) await files.writeAtomic(path, wanted);
    },
  };
}
