import { HOME } from './disk.ts';
import type { Ended } from './process.ts';
import type { Service } from './service.ts';

/**
 * What a person meant to be written, and what they may believe of it.
 *
 * `not`: nothing was done, or so svc said. `open`: nobody knows, and typed again it is done once. `unseen`: nobody knows, and svc has said
 * that it could not note it. `waiting`: it is kept for later.
 */
export interface Entry {
  readonly text: string;
  state: 'not' | 'open' | 'unseen' | 'waiting' | 'done' | 'gone';
  /** svc said that it may have been done: then it is settled as done, never dropped. */
  isTold: boolean;
  /** The key under which it is to be sent again, where svc could not note it. */
  key: string | undefined;
  /** Somebody had the outbox sent meanwhile: typed again it might be a second one. */
  isForOutbox: boolean;
  /** Values that its record may have. */
  minutes: Set<number>;
  /** A change of it is open: nobody changes it again before that is settled. */
  change: undefined | { readonly to: number | 'gone'; isTold: boolean };
}

/** What a command's end says of its write. `killed`: nothing, or that it was not done and yet stays open in the journal. */
export type Verdict = 'done' | 'not' | 'killed' | 'doubt';

/** Words by which svc says that a write may have been done. */
const DOUBT = /may have been done|"idempotency_key"|may have been (?:changed|deleted)/;

/** Words by which svc says that it could not note what it sends. */
export const UNNOTED = /cannot show or undo later what you write now/;

/** Words by which svc says that it could not note that a write was not done: it is still in the outbox. */
const STAYS_OPEN = /stays open, though nothing was done/;

export function verdictOf({ code, stdout, stderr }: Ended): Verdict {
  if (code === 0) return 'done';
  if (code === undefined) return stdout.trim() === '' ? 'killed' : 'done';
  if (DOUBT.test(stderr)) return 'doubt';
  return STAYS_OPEN.test(stderr) ? 'killed' : 'not';
}

export const created = (service: Service, text: string): number => service.created(text);

export function recordOf(service: Service, text: string): { readonly id: number; readonly minutes: number } | undefined {
  const row = service.live('worklogs').find(({ description }) => description === text);
  return row === undefined ? undefined : { id: row.id, minutes: Number(row['minutes']) };
}

export const adding = (entry: Entry, ...more: readonly string[]): string[] => [
  'worklogs',
  'add',
  '--no-check',
  '--minutes',
  '60',
  '--date',
  '2027-03-01',
  '--description',
  entry.text,
  ...(entry.key === undefined ? [] : ['--idempotency-key', entry.key]),
  ...more,
];

/** Takes over what came of typing an entry; says what must not be. */
export function judgeAdded(service: Service, entry: Entry, ended: Ended): string[] {
  const count = created(service, entry.text);
  const verdict = verdictOf(ended);
  if (verdict === 'done') {
    entry.state = 'done';
    // It has done its work; what becomes of the record now is another write.
    entry.key = undefined;
    return count === 1 ? [] : [`${entry.text}: svc said it was done, and ${count} are there`];
  }
  if (verdict === 'not') {
    // What was open stays so until it is settled.
    if (entry.state === 'open') return [];
    return count === 0 ? [] : [`${entry.text}: svc ended with ${ended.code} and no word of doubt, and ${count} are there: ${ended.stderr}`];
  }
  const wasOpen = entry.state === 'open';
  entry.key = /--idempotency-key (\S+)/.exec(ended.stderr)?.[1] ?? entry.key;
  // What svc knows of an earlier try it sends under that one's key, noted or not.
  const isNew = !wasOpen || !ended.stderr.includes('The same was sent at');
  entry.state = isNew && entry.key === undefined && UNNOTED.test(ended.stderr) ? 'unseen' : 'open';
  entry.isTold ||= verdict === 'doubt';
  return [];
}

/** A file to import, with what must come of each of its rows. */
export interface Import {
  readonly path: string;
  readonly texts: readonly string[];
  state: 'new' | 'begun' | 'done';
}

export function importFile(number: number, rows: number): Import & { readonly content: string } {
  const texts = Array.from({ length: rows }, (_, row) => `I${number}-${row}`);
  const content = `date,minutes,description\n${texts.map((text) => `2027-03-02,30,${text}\n`).join('')}`;
  return { path: `${HOME}/hours-${number}.csv`, texts, state: 'new', content };
}

export function judgeImported(service: Service, file: Import, ended: Ended): string[] {
  file.state = ended.code === 0 ? 'done' : 'begun';
  return file.texts.flatMap((text) => {
    const count = created(service, text);
    if (count > 1) return [`${text}: imported ${count} times`];
    return ended.code === 0 && count === 0 ? [`${text}: svc said the import was done, and it is not there`] : [];
  });
}
