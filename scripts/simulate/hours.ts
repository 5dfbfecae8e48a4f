import { HOME } from './disk.ts';
import type { Ended } from './process.ts';
import type { Service } from './service.ts';

/**
 * A record that a person wanted to write, and the person’s knowledge about the write.
 * `not`: svc reported that nothing was done. `open`: the outcome is unknown, and repeating the command does the write only once. `unseen`:
 * the outcome is unknown, and svc reported that it could not record the write. `waiting`: the write is queued. `done`: svc wrote the
 * record. `gone`: svc deleted the record.
 */
export interface Entry {
  readonly text: string;
  state: 'not' | 'open' | 'unseen' | 'waiting' | 'done' | 'gone';
  /** True if svc reported that the write may have been done. The write must then never be dropped. */
  isTold: boolean;
  /** The idempotency key for repeating the write, if svc could not record it. */
  key: string | undefined;
  /** True if somebody has sent the outbox since. Repeating the command could then create a second record. */
  isForOutbox: boolean;
  /** The possible minutes of the record. */
  minutes: Set<number>;
  /** True if svc could not record its last change of the record. */
  isUnrecorded: boolean;
  /** An unconfirmed change of the record. Nobody changes the record again until the change is resolved. */
  change: undefined | { readonly to: number | 'gone'; isTold: boolean };
}

/**
 * The outcome of a write according to the end of its command. `killed`: the command printed nothing, or printed that svc did nothing
 * although the journal still has the write.
 */
export type Verdict = 'done' | 'not' | 'killed' | 'doubt';

/** Matches messages that a write may have been done. */
const DOUBT = /may have run the write|"idempotency_key"/;

/** Matches the message that svc could not record a write. */
export const UNRECORDED = /cannot list or undo your writes from now on/;

/** Matches the message that svc could not record that a write failed. The write is then still in the outbox. */
const STAYS_OPEN = /stays? open, although the service did nothing/;

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

/** Updates an entry after its command. Returns one line per error. */
export function judgeAdded(service: Service, entry: Entry, ended: Ended): string[] {
  const count = created(service, entry.text);
  const verdict = verdictOf(ended);
  if (verdict === 'done') {
    entry.state = 'done';
    // The key has done its work. A further change of the record is another write.
    entry.key = undefined;
    return count === 1 ? [] : [`${entry.text}: svc reported success, but ${count} records exist`];
  }
  if (verdict === 'not') {
    // An unconfirmed write stays unconfirmed until it is resolved.
    if (entry.state === 'open') return [];
    return count === 0
      ? []
      : [`${entry.text}: svc ended with ${ended.code}, reported nothing unconfirmed, but ${count} records exist: ${ended.stderr}`];
  }
  const wasOpen = entry.state === 'open';
  entry.key = /--idempotency-key (\S+)/.exec(ended.stderr)?.[1] ?? entry.key;
  // If svc knows an earlier attempt, it uses the key of that attempt.
  const isNew = !wasOpen || !ended.stderr.includes('You sent the same write at');
  entry.state = isNew && entry.key === undefined && UNRECORDED.test(ended.stderr) ? 'unseen' : 'open';
  entry.isTold ||= verdict === 'doubt';
  return [];
}

/** A file to import, and the descriptions of its rows. */
export interface Import {
  readonly path: string;
  readonly texts: readonly string[];
  state: 'new' | 'begun' | 'done';
}

export function importFile(number: number, rows: number): Import & { readonly content: string } {
  // Every fourth row has the values of the row before it. It is a record of its own.
  const texts = Array.from({ length: rows }, (_, row) => `I${number}-${row % 4 === 3 ? row - 1 : row}`);
  const content = `date,minutes,description\n${texts.map((text) => `2027-03-02,30,${text}\n`).join('')}`;
  return { path: `${HOME}/hours-${number}.csv`, texts, state: 'new', content };
}

/** Returns the number of rows of a file with a text. */
export const timesIn = ({ texts }: Pick<Import, 'texts'>, text: string): number => texts.filter((each) => each === text).length;

export function judgeImported(service: Service, file: Import, ended: Ended): string[] {
  file.state = ended.code === 0 ? 'done' : 'begun';
  return file.texts.flatMap((text) => {
    const count = created(service, text);
    const wanted = timesIn(file, text);
    if (count > wanted) return [`${text}: imported ${count} times, not ${wanted}`];
    return ended.code === 0 && count < wanted ? [`${text}: svc reported the import as done, but ${count} of ${wanted} records exist`] : [];
  });
}
