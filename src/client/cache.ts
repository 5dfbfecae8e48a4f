import { createHash } from 'node:crypto';
import type { Clock, Files } from '../deps.ts';
import { isPlainObject, parsedJson } from '../values/json.ts';

export interface CachedAnswer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since 1970. svc sends no request until then; after that it asks whether the answer is still valid. */
  readonly freshUntil: number;
}

export type AnswerCache = ReturnType<typeof createAnswerCache>;

export interface AnswerCacheOptions {
  readonly files: Pick<Files, 'readText' | 'writeAtomic' | 'remove' | 'list'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly directory: string;
  readonly origin: string;
  /** The account that asks: no account sees the answers to another one (rule 7.7). */
  readonly account: string;
}

const LONGEST_MS = 60 * 60_000;

const MAX_LENGTH = 1024 * 1024;

const CACHED_HEADERS = ['content-type', 'etag'];

export function createAnswerCache({ files, clock, directory, origin, account }: AnswerCacheOptions) {
  const home = `${directory}/answers/${digest(`${origin}\0${account}`)}`;
  const fileOf = (url: string) => `${home}/${collectionOf(url)}-${digest(url)}.json`;
  // A failure to store or remove an answer is no failure of the command.
  const remove = (file: string) => files.remove(file).catch(() => false);
  return {
    async find(url: string): Promise<CachedAnswer | undefined> {
      const text = await files.readText(fileOf(url)).catch(() => undefined);
      if (text === undefined) return undefined;
      const cached = readStored(text);
      // A clock that was set back must not keep an answer fresh: svc asks about that one.
      return cached !== undefined && cached.freshUntil - clock.now() > LONGEST_MS ? { ...cached, freshUntil: 0 } : cached;
    },
    /** Stores what Cache-Control allows. Any other answer, and a part of a list, removes the stored one. */
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

/** Milliseconds for which svc may use an answer without asking; undefined when it must not be stored (RFC 9111 §5.2.2). */
function lifetimeOf(cacheControl: string | undefined): number | undefined {
  const parts = (cacheControl ?? 'no-store').toLowerCase().split(',');
  const directives = new Map(parts.map((part) => [part.split('=', 1)[0]?.trim() ?? '', part.split('=', 2)[1]?.trim()]));
  if (directives.has('no-store')) return undefined;
  const seconds = /^"?(\d{1,9})"?$/.exec(directives.get('max-age') ?? '')?.[1];
  if (seconds === undefined || directives.has('no-cache')) return directives.has('no-cache') ? 0 : undefined;
  return Math.min(Number(seconds) * 1000, LONGEST_MS);
}

/** Whether a body is JSON, and no page with others after it: a walk through stored and new pages might leave rows out. */
function isWhole(body: string): boolean {
  const value = parsedJson(body) as { readonly links?: { readonly next?: unknown } | null } | null | undefined;
  return value !== undefined && typeof value?.links?.next !== 'string';
}

/** `/api/v2/labels/3` → `labels`, discovery itself → `discovery`; only characters that are safe in a file name. */
function collectionOf(url: string): string {
  return new URL(url).pathname.split('/')[3]?.replace(/[^a-z0-9-]/g, '') || 'discovery';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Checked by hand: zod would take longer to load than the file to read. */
function readStored(text: string): CachedAnswer | undefined {
  const { url, headers, body, freshUntil } = (parsedJson(text) ?? {}) as Partial<Record<keyof CachedAnswer, unknown>>;
  const isWhole = typeof url === 'string' && isPlainObject(headers) && typeof body === 'string' && typeof freshUntil === 'number';
  return isWhole ? { url, headers: headers as CachedAnswer['headers'], body, freshUntil } : undefined;
}
