import { createHash } from 'node:crypto';
import type { Clock, Files } from '../deps.ts';
import { stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import { keptDirectory, readJsonFile } from './kept-records.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface DayMemory {
  readonly size: number;
  has(text: string): boolean;
  /** Adds texts and writes the file. Never rejects: a text that cannot be written counts for this command alone. */
  add(texts: readonly string[]): Promise<void>;
}

export type Remembering = 'clock' | 'env' | 'files' | 'host' | 'paths';

export async function openDayMemory(
  { files, clock }: { files: Pick<Files, 'readText' | 'writeAtomic'>; clock: Pick<Clock, 'now'> },
  path: string,
): Promise<DayMemory> {
  const kept = new Map(Object.entries((await readJsonFile(files, path)) ?? {}).map(([text, at]) => [text, Number(at)]));
  // A time in the future proves nothing: the clock was set back.
  const isRecent = (at: number | undefined) => at !== undefined && clock.now() - at >= 0 && clock.now() - at < DAY_MS;
  const recent = () => [...kept].filter(([, at]) => isRecent(at));
  let writing: Promise<unknown> = Promise.resolve();
  return {
    get size() {
      return recent().length;
    },
    has: (text) => isRecent(kept.get(text)),
    async add(texts) {
      if (texts.length === 0) return;
      for (const text of texts) kept.set(text, clock.now());
      // One after the other: of two writes at once, the one with fewer texts might come last.
      writing = writing.then(() => files.writeAtomic(path, stringifyJson(Object.fromEntries(recent()))).catch(() => undefined));
      await writing;
    },
  };
}

export async function openKeptRefusals(context: Needs<Remembering>): Promise<DayMemory> {
  return openDayMemory(context, `${await keptDirectory(context)}/refused.json`);
}

export async function isNewToday(context: Needs<Remembering>, notice: string): Promise<boolean> {
  const shown = await openDayMemory(context, `${await keptDirectory(context)}/shown.json`);
  const isNew = !shown.has(notice);
  if (isNew) await shown.add([notice]);
  return isNew;
}

/** The notices of a host about itself that svc has printed. @param directory The cache directory. */
export function openServiceNotices(context: Parameters<typeof openDayMemory>[0], directory: string, origin: string): Promise<DayMemory> {
  return openDayMemory(context, `${directory}/notices/${createHash('sha256').update(origin).digest('hex').slice(0, 32)}.json`);
}
