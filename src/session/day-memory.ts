import type { Clock, Files } from '../deps.ts';
import { stringifyJson } from '../values/json.ts';
import { cachedRecordsDirectory, isOfLastDay, readJsonFile } from './cached-records.ts';
import type { Needs } from './context.ts';

export type DayMemory = Awaited<ReturnType<typeof openDayMemory>>;

export type Remembering = 'clock' | 'env' | 'files' | 'host' | 'paths';

export async function openDayMemory(
  { files, clock }: { files: Pick<Files, 'readText' | 'writeAtomic'>; clock: Pick<Clock, 'now'> },
  path: string,
) {
  const stored = new Map(Object.entries((await readJsonFile(files, path)) ?? {}).map(([text, at]) => [text, Number(at)]));
  const recent = () => [...stored].filter(([, at]) => isOfLastDay(at, clock.now()));
  let writing: Promise<unknown> = Promise.resolve();
  return {
    get size(): number {
      return recent().length;
    },
    has: (text: string) => isOfLastDay(stored.get(text), clock.now()),
    /** Stores texts for 24 hours. Never rejects: if svc can’t write the file, the texts count only for this command. */
    async add(texts: readonly string[]): Promise<void> {
      if (texts.length === 0) return;
      for (const text of texts) stored.set(text, clock.now());
      // svc writes one version of the file after another, so that no older list replaces a newer list.
      writing = writing.then(() => files.writeAtomic(path, stringifyJson(Object.fromEntries(recent()))).catch(() => undefined));
      await writing;
    },
  };
}

export async function openCachedRefusals(context: Needs<Remembering>): Promise<DayMemory> {
  return openDayMemory(context, `${await cachedRecordsDirectory(context)}/refused.json`);
}

export async function isNewToday(context: Needs<Remembering>, notice: string): Promise<boolean> {
  const shown = await openDayMemory(context, `${await cachedRecordsDirectory(context)}/shown.json`);
  const isNew = !shown.has(notice);
  if (isNew) await shown.add([notice]);
  return isNew;
}
