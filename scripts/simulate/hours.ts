import { HOME } from './disk.ts';
import type { Machine } from './machine.ts';
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
  /** An unconfirmed change of the record, and its machine. Nobody changes the record again until the change is resolved. */
  change: undefined | { readonly to: number | 'gone'; readonly isTold: boolean; readonly by: Machine };
  /** The updates that run at the same time. */
  updates: Update[];
  /** The machines that cannot have seen the last change of the record, because somebody else made the change. */
  readonly unseenBy: Set<Machine>;
  /** True after a change by another person, or by two machines. svc possibly has an older version of the record. */
  isShared: boolean;
}

/** An update of an entry’s minutes. */
export interface Update {
  readonly by: Machine;
  readonly to: number;
  /** True with `--if-unchanged`. */
  readonly isConditional: boolean;
  /** Undefined while the command runs. */
  ended: Ended | undefined;
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

/**
 * Updates an entry after all its updates that ran at the same time. The record must have the minutes of a successful update, or of one whose
 * outcome is unknown, or else the minutes from before. Returns one line per error.
 */
export function judgeUpdates(service: Service, entry: Entry, machine: Machine, others: readonly Machine[]): string[] {
  const updates = entry.updates.flatMap(({ ended, ...update }) =>
    ended === undefined ? [] : [{ ...update, ended, verdict: verdictOf(ended) }],
  );
  entry.updates = [];
  const done = updates.filter(({ verdict }) => verdict === 'done');
  const unclear = updates.filter(({ verdict }) => verdict === 'killed' || verdict === 'doubt');
  const possible = new Set([...done, ...unclear].map(({ to }) => to));
  if (done.length === 0) for (const each of entry.minutes) possible.add(each);
  const now = recordOf(service, entry.text)?.minutes;
  const isBlind = entry.unseenBy.has(machine);
  const wrong = updates.flatMap(({ verdict, isConditional }) =>
    verdict === 'done' && isConditional && isBlind ? [`${entry.text}: --if-unchanged went over a change that svc had not seen`] : [],
  );
  if (now === undefined || !possible.has(now)) {
    const ends = updates.map(({ to, ended }) => `to ${to}: exit ${ended.code}: ${ended.stderr}`);
    wrong.push(`${entry.text}: it has ${now}, and ${[...possible].join(' or ')} minutes are expected: ${ends.join('; ')}`);
  }
  if (done.length > 0) {
    entry.isUnrecorded = done.some(({ ended }) => UNRECORDED.test(ended.stderr));
    entry.unseenBy.delete(machine);
  }
  if (done.length + unclear.length > 0) {
    for (const other of others) entry.unseenBy.add(other);
    entry.isShared ||= others.length > 0;
  }
  const [open] = unclear;
  if (open === undefined) {
    entry.minutes = new Set(done.length === 0 ? entry.minutes : [now ?? 0]);
    return wrong;
  }
  entry.minutes = possible;
  // The journal has an older version of the record than the service, or the record has a change from elsewhere: the service refuses the update.
  const isRefused = open.isConditional && (entry.isUnrecorded || entry.isShared);
  const isTold = updates.length === 1 && open.verdict === 'doubt' && !isRefused && !UNRECORDED.test(open.ended.stderr);
  entry.change = { to: open.to, isTold, by: machine };
  return wrong;
}

/** A file to import, and the descriptions and minutes of its rows. */
export interface Import {
  readonly path: string;
  readonly texts: readonly string[];
  readonly minutes: number[];
  state: 'new' | 'begun' | 'done';
  /** True after a change of the file’s rows. */
  isCorrected: boolean;
}

export function importFile(name: string, number: number, rows: number): Import {
  // Every fourth row has the values of the row before it. It is a record of its own.
  const texts = Array.from({ length: rows }, (_, row) => `${name}I${number}-${row % 4 === 3 ? row - 1 : row}`);
  return { path: `${HOME}/hours-${number}.csv`, texts, minutes: texts.map(() => 30), state: 'new', isCorrected: false };
}

export const contentOf = ({ texts, minutes }: Import): string =>
  `date,minutes,description\n${texts.map((text, row) => `2027-03-02,${minutes[row]},${text}\n`).join('')}`;

/** The arguments that import a file. Only `--update-changed` writes corrected rows to the records of the earlier import. */
export const importing = ({ path, isCorrected }: Import): string[] => [
  'worklogs',
  'import',
  path,
  ...(isCorrected ? ['--update-changed'] : []),
];

/** Returns the number of rows of a file with a text. */
export const timesIn = ({ texts }: Pick<Import, 'texts'>, text: string): number => texts.filter((each) => each === text).length;

export function judgeImported(service: Service, file: Import, ended: Ended): string[] {
  file.state = ended.code === 0 ? 'done' : 'begun';
  return file.texts.flatMap((text) => {
    const count = created(service, text);
    const wanted = timesIn(file, text);
    if (count > wanted) return [`${text}: imported ${count} times, not ${wanted}`];
    if (ended.code !== 0) return [];
    if (count < wanted) return [`${text}: svc reported the import as done, but ${count} of ${wanted} records exist`];
    const minutes = file.texts.flatMap((each, row) => (each === text ? [file.minutes[row] ?? 0] : []));
    const now = service.live('worklogs').flatMap((row) => (row['description'] === text ? [Number(row['minutes'])] : []));
    return minutes.toSorted().join() === now.toSorted().join()
      ? []
      : [`${text}: imported with ${minutes.join()} minutes, but it has ${now.join()}`];
  });
}
