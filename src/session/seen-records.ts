import { createHash } from 'node:crypto';
import { type JsonObject, scalarText, stringifyJson } from '../values/json.ts';
import { isStrongEtag } from '../values/request-headers.ts';
import { cachedRecordsDirectory, isOfLastDay, readJsonFile } from './cached-records.ts';
import type { Needs, SeenRecord, SeenRecords } from './context.ts';

const MOST_RECORDS = 2_000;

export function createSeenRecords(context: () => Needs<'clock' | 'env' | 'files' | 'host' | 'paths'>): SeenRecords {
  const news = new Map<string, string | undefined>();
  const put = (path: string, validator: string | undefined) => {
    news.delete(path);
    news.set(path, validator);
    const oldest = news.keys().next().value;
    if (news.size > MOST_RECORDS && oldest !== undefined) news.delete(oldest);
  };
  const pathOf = async () => `${await cachedRecordsDirectory(context())}/seen.json`;
  async function read(): Promise<Map<string, readonly [at: number, validator: string]>> {
    const { clock, files } = context();
    const stored = Object.entries((await readJsonFile(files, await pathOf())) ?? {});
    return new Map(
      stored.flatMap(([path, value]) => {
        const [at, validator] = Array.isArray(value) ? value : [];
        if (!isOfLastDay(at, clock.now()) || typeof validator !== 'string') return [];
        return [[path, [Number(at), validator] as const] as const];
      }),
    );
  }
  return {
    async find(path) {
      return news.has(path) ? news.get(path) : (await read()).get(path)?.[1];
    },
    see(seen) {
      for (const path of pathsOf(seen)) put(path, validatorOf(seen));
    },
    forget: (path) => put(path, undefined),
    async write() {
      if (news.size === 0) return;
      try {
        const { clock, files } = context();
        // Another svc process may have written the file since the last read.
        const all = await read();
        for (const [path, validator] of news) {
          all.delete(path);
          if (validator !== undefined) all.set(path, [clock.now(), validator]);
        }
        await files.writeAtomic(await pathOf(), stringifyJson(Object.fromEntries([...all].slice(-MOST_RECORDS))));
      } catch {
        // After a failure, the next --if-unchanged refuses the write until somebody reads the record.
      }
    },
  };
}

function validatorOf({ record, etag, included = [] }: SeenRecord): string | undefined {
  if (etag !== undefined && isStrongEtag(etag) && included.length === 0) return etag;
  return record === undefined ? undefined : digestOf(record, included);
}

export function digestOf(record: JsonObject, included: readonly string[] = []): string {
  const fields = Object.entries(record).filter(
    ([name, value]) => !included.includes(name) && (typeof value !== 'object' || value === null),
  );
  const text = stringifyJson(Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1))));
  return `sha256:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

function pathsOf({ path, record = {} }: SeenRecord): ReadonlySet<string> {
  const collection = path.slice(0, path.lastIndexOf('/'));
  const names = [record['id'], record['issue_key']].map((name) => scalarText(name ?? null)).filter((name) => name !== '');
  const { links } = record;
  const self = typeof links === 'object' && links !== null && 'self' in links ? scalarText(links['self'] ?? null) : '';
  const [, own] = /\/api\/v2(\/[^?]+)$/.exec(self) ?? [];
  return new Set([path, ...names.map((name) => `${collection}/${name}`), ...(own === undefined ? [] : [own])]);
}
