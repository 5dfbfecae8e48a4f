import { formatDuration } from '../../values/duration.ts';
import { counted, quote } from '../../values/text.ts';
import { idsOf, minutesIn } from '../entry.ts';
import { aboutWorklogs, type CheckedEntry, isBilled } from './checked-entry.ts';
import { type Finding, type Judgement, notJudgedIf } from './finding.ts';

/** Checks the entries of one user. Checks only the length for an unknown user (null). */
export function checkEntries(userId: number | null, entries: readonly CheckedEntry[]): Judgement {
  if (userId === null) return { findings: tooShort(userId, entries), notJudged: [] };
  const hidden = entries.some(({ workItemId, projectId }) => workItemId === undefined || (workItemId === null && projectId === undefined));
  const message = 'The service does not show the work item or project of each entry';
  const notJudged = notJudgedIf(hidden, ['duplicate', 'no-project'], message, userId);
  return { findings: [...tooShort(userId, entries), ...duplicates(userId, entries), ...onNothing(userId, entries)], notJudged };
}

export function checkFuture(userId: number | null, entries: readonly CheckedEntry[]): readonly Finding[] {
  return entries.map((entry) => ({
    ...about(userId, entry),
    kind: 'future-date',
    message: `${sayEntry(entry)} has a date in the future`,
  }));
}

/** Finds entries that nobody reviewed. Finds nothing if nobody reviewed any entry. @param entries the entries of all people. */
export function checkReviews(entries: readonly CheckedEntry[]): Judgement {
  const isHidden = entries.some(({ reviewed }) => reviewed === undefined);
  const notJudged = notJudgedIf(isHidden, ['not-reviewed'], 'The service does not show which entries were reviewed');
  if (!entries.some(({ reviewed }) => reviewed === true)) return { findings: [], notJudged };
  const left = Map.groupBy(
    entries.filter(({ reviewed }) => reviewed === false),
    ({ userId }) => userId ?? null,
  );
  return {
    findings: [...left].map(([userId, own]) => ({
      kind: 'not-reviewed',
      ...aboutWorklogs(userId, own),
      message: `${counted(own.length, 'entry', 'entries')} not reviewed, while others are`,
    })),
    notJudged,
  };
}

function tooShort(userId: number | null, entries: readonly CheckedEntry[]): Finding[] {
  return entries
    .filter(({ minutes }) => minutes < 1)
    .map((entry) => ({ ...about(userId, entry), kind: 'impossible-day', message: `${sayEntry(entry)} is shorter than a minute` }));
}

/**
 * Finds duplicate entries. Overtime and normal hours are not duplicates. An entry that does not show its work item or project has no
 * duplicate.
 */
function duplicates(userId: number, entries: readonly CheckedEntry[]): Finding[] {
  const alike = Map.groupBy(entries, ({ date, minutes, description, workItemId, projectId, overtime, id }) =>
    JSON.stringify([
      date,
      minutes,
      description.trim(),
      overtime ?? false,
      workItemId ?? projectId,
      workItemId != null,
      workItemId === undefined || (workItemId === null && projectId === undefined) ? id : 0,
    ]),
  );
  return [...alike.values()]
    .flatMap(agreeing)
    .filter(({ length }) => length > 1)
    .map((same) => {
      const [first] = same as [CheckedEntry];
      const minutes = minutesIn(same) - first.minutes;
      return {
        ...about(userId, first),
        kind: 'duplicate',
        minutes,
        ids: idsOf(same),
        spare: spareOf(same),
        message: `${sayEntry(first)} exists ${same.length === 2 ? 'twice' : `${same.length} times`}`,
      };
    });
}

/** Splits equal entries by budget, and by whether they are billable. A field that the service does not show is equal to any value. */
function agreeing(alike: readonly CheckedEntry[]): CheckedEntry[][] {
  const groups: CheckedEntry[][] = [];
  for (const entry of alike) {
    const group = groups.find((others) =>
      others.every((other) => agrees(entry.budgetId, other.budgetId) && agrees(entry.billable, other.billable)),
    );
    if (group === undefined) groups.push([entry]);
    else group.push(entry);
  }
  return groups;
}

function agrees<Value>(one: Value | undefined, other: Value | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/**
 * Returns the ids of the duplicates to delete. Keeps all billed entries, because invoices need these entries. Without a billed entry, keeps
 * the entry with the lowest id.
 */
function spareOf(same: readonly CheckedEntry[]): number[] {
  const billed = same.filter(isBilled);
  return billed.length === 0 ? idsOf(same).slice(1) : idsOf(same.filter((entry) => !billed.includes(entry)));
}

function onNothing(userId: number | null, entries: readonly CheckedEntry[]): Finding[] {
  if (!entries.some(({ workItemId, projectId }) => workItemId != null || projectId != null)) return [];
  return entries
    .filter(({ workItemId, projectId }) => workItemId === null && projectId === null)
    .map((entry) => ({ ...about(userId, entry), kind: 'no-project', message: `${sayEntry(entry)} has no project` }));
}

function about(userId: number | null, entry: CheckedEntry) {
  return { userId, date: entry.date, minutes: entry.minutes, noun: 'worklogs', ids: idsOf([entry]) } as const;
}

/** Describes an entry with its duration and text: `1h30 "Review"`. */
function sayEntry({ minutes, description }: CheckedEntry): string {
  return `${formatDuration(minutes)}${description.trim() === '' ? '' : ` ${quote(description.trim())}`}`;
}
