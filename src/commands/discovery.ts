import { createHash } from 'node:crypto';
import type { ApiResponse } from '../client/api-client.ts';
import { rows } from '../client/pages.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../values/json.ts';
import { type Context, tokenInEnvironment } from './context.ts';

/** What is kept of discovery on disk, for one host and account. */
interface Kept {
  readonly version: 1;
  readonly entries: readonly JsonObject[];
  readonly etag: string | undefined;
  /** Milliseconds since 1970: until then nothing is asked. */
  readonly freshUntil: number;
}

/**
 * What the organisation has: an entry for each resource (rules 9.4 to 9.9). Kept on disk as long as the service allows
 * (rule 7.3), then revalidated; `--no-cache` asks anew.
 */
export async function discover(context: Context): Promise<readonly JsonObject[]> {
  const { deps, globals } = context;
  const file = await cacheFile(context);
  const kept = globals.noCache ? undefined : readKept(await deps.files.readText(file).catch(() => undefined));
  const now = deps.clock.now();
  if (kept !== undefined && now < kept.freshUntil && kept.freshUntil - now <= LONGEST_MS) return kept.entries;
  const client = await context.client();
  const response = await client.send({ method: 'GET', path: '/', ...(kept?.etag !== undefined && { ifNoneMatch: kept.etag }) });
  if (response.status === 304 && kept !== undefined) {
    await keep(context, file, response, { entries: kept.entries, etag: response.etag ?? kept.etag });
    return kept.entries;
  }
  const { entries, whole } = readPage(response.body());
  if (!whole) {
    const all: JsonObject[] = [];
    for await (const entry of rows(client, { method: 'GET', path: '/' })) all.push(entry);
    return all;
  }
  await keep(context, file, response, { entries, etag: response.etag });
  return entries;
}

/** However long a service allows: an organisation's features do change. */
const LONGEST_MS = 24 * 60 * 60_000;

/** One file for each host and account: what one account was told is not shown to another (rule 7.7). */
async function cacheFile(context: Context): Promise<string> {
  const { origin } = await context.host();
  const token = tokenInEnvironment(context.deps.env);
  const account = token ?? String((await context.account())?.user_id ?? '');
  const id = createHash('sha256').update(origin).update('\0').update(account).digest('hex').slice(0, 32);
  return `${context.paths.cache}/discovery/${id}.json`;
}

/** Keeps an answer for as long as its Cache-Control says; one that must not be stored, or says nothing, is not (rule 7.1). */
async function keep(context: Context, file: string, response: ApiResponse, what: Pick<Kept, 'entries' | 'etag'>): Promise<void> {
  const { files, clock } = context.deps;
  const control = (response.headers['cache-control'] ?? 'no-store').toLowerCase();
  const seconds = Number(/(?:^|[\s,])max-age="?(\d{1,9})/.exec(control)?.[1] ?? 0);
  // What cannot be kept is no failure of the command that wanted it.
  if (/\bno-store\b/.test(control)) return void (await files.remove(file).catch(() => false));
  const fresh = /\bno-cache\b/.test(control) ? 0 : Math.min(seconds * 1000, LONGEST_MS);
  const { entries, etag } = what;
  const kept = { version: 1, entries, ...(etag !== undefined && { etag }), freshUntil: clock.now() + fresh };
  await files.writeAtomic(file, stringifyJson(kept)).catch(() => undefined);
}

/** What an earlier run kept; undefined when there is nothing, or nothing that can be read. */
function readKept(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value) || value['version'] !== 1) return undefined;
    const { entries, etag, freshUntil } = value;
    if (!Array.isArray(entries) || !entries.every(isJsonObject) || typeof freshUntil !== 'number') return undefined;
    return { version: 1, entries, etag: typeof etag === 'string' ? etag : undefined, freshUntil };
  } catch {
    return undefined;
  }
}

/** The entries of the first page, and whether that is all of them; only a whole answer is kept. */
function readPage(body: JsonValue | undefined): { readonly entries: readonly JsonObject[]; readonly whole: boolean } {
  const data = isJsonObject(body) ? body['data'] : undefined;
  const links = isJsonObject(body) ? body['links'] : undefined;
  const next = isJsonObject(links) ? links['next'] : undefined;
  const whole = Array.isArray(data) && data.every(isJsonObject) && (next === undefined || next === null);
  return whole ? { entries: data, whole } : { entries: [], whole };
}
