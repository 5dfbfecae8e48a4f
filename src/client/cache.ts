import { createHash } from 'node:crypto';
import type { Clock, Files } from '../deps.ts';
import { isPlainObject, parsedJson } from '../values/json.ts';

export interface CachedAnswer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time in milliseconds since 1970 until which svc uses the answer without a request. After that time, svc revalidates the answer. */
  readonly freshUntil: number;
}

export type AnswerCache = ReturnType<typeof createAnswerCache>;

export interface AnswerCacheOptions {
  readonly files: Pick<Files, 'readText' | 'writeAtomic' | 'remove' | 'list'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly directory: string;
  readonly origin: string;
  /** The account of the request. svc never shows an account the answers to another account (rule 7.7). */
  readonly account: string;
}

const LONGEST_MS = 60 * 60_000;

const MAX_LENGTH = 1024 * 1024;

const CACHED_HEADERS = ['content-type', 'etag'];

export function createAnswerCache({ files, clock, directory, origin, account }: AnswerCacheOptions) {
  const home = `${directory}/answers/${digest(`${origin}\0${account}`)}`;
  const fileOf = (url: string) => `${home}/${collectionOf(url)}-${digest(url)}.json`;
  // A failure to store or remove an answer does not fail the command.
  const remove = (file: string) => files.remove(file).catch(() => false);
  return {
    async find(url: string): Promise<CachedAnswer | undefined> {
      const text = await files.readText(fileOf(url)).catch(() => undefined);
      if (text === undefined) return undefined;
      const cached = readStored(text);
      // If the clock was set back, an answer would look fresh for too long. svc then revalidates the answer.
      return cached !== undefined && cached.freshUntil - clock.now() > LONGEST_MS ? { ...cached, freshUntil: 0 } : cached;
    },
    /**
     * Stores a JSON answer if Cache-Control allows svc to store the answer. For any other answer, a part of a list, and a body above
     * 1,048,576 characters, removes the stored answer.
     */
    async keep(url: string, { url: answered, headers, body }: Pick<CachedAnswer, 'url' | 'headers' | 'body'>): Promise<void> {
      const lifetime = lifetimeOf(headers['cache-control']);
      if (lifetime === undefined || body.length > MAX_LENGTH || !isWhole(body)) return void (await remove(fileOf(url)));
      const cached: CachedAnswer = {
        url: answered,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => CACHED_HEADERS.includes(name))),
        body,
        freshUntil: clock.now() + lifetime,
      };
      await files.writeAtomic(fileOf(url), JSON.stringify(cached)).catch(() => undefined);
    },
    async forget(url: string): Promise<void> {
      const names = await files.list(home).catch(() => []);
      const touched = names.filter((name) => name.startsWith(`${collectionOf(url)}-`));
      await Promise.all(touched.map((name) => remove(`${home}/${name}`)));
    },
  };
}

/**
 * Returns the milliseconds, at most an hour, for which svc can use an answer without a request. Undefined if svc does not store the answer:
 * for `no-store`, and without `max-age` or `no-cache` (RFC 9111 §5.2.2).
 */
function lifetimeOf(cacheControl: string | undefined): number | undefined {
  const parts = (cacheControl ?? 'no-store').toLowerCase().split(',');
  const directives = new Map(parts.map((part) => [part.split('=', 1)[0]?.trim() ?? '', part.split('=', 2)[1]?.trim()]));
  if (directives.has('no-store')) return undefined;
  const seconds = /^"?(\d{1,9})"?$/.exec(directives.get('max-age') ?? '')?.[1];
  if (seconds === undefined || directives.has('no-cache')) return directives.has('no-cache') ? 0 : undefined;
  return Math.min(Number(seconds) * 1000, LONGEST_MS);
}

/** Returns true if a body is JSON and has no next page. Mixing stored and new pages of a list could leave rows out. */
function isWhole(body: string): boolean {
  const value = parsedJson(body) as { readonly links?: { readonly next?: unknown } | null } | null | undefined;
  return value !== undefined && typeof value?.links?.next !== 'string';
}

/** Returns a safe file name for the resource of an address: `/api/v2/labels/3` → `labels`. The name for discovery is `discovery`. */
function collectionOf(url: string): string {
  return new URL(url).pathname.split('/')[3]?.replace(/[^a-z0-9-]/g, '') || 'discovery';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Parses a stored answer. Loading zod would take longer than reading the file, so svc checks the answer without zod. */
function readStored(text: string): CachedAnswer | undefined {
  const { url, headers, body, freshUntil } = (parsedJson(text) ?? {}) as Partial<Record<keyof CachedAnswer, unknown>>;
  const isWhole = typeof url === 'string' && isPlainObject(headers) && typeof body === 'string' && typeof freshUntil === 'number';
  return isWhole ? { url, headers: headers as CachedAnswer['headers'], body, freshUntil } : undefined;
}
