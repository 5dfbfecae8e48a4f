import type { ZoneContext } from '../values/dates.ts';
import { union } from '../values/union.ts';
import { type Interval, localDayAndTime } from './calendar.ts';
import type { Day } from './day.ts';
import type { Entry } from './entry.ts';
import { without } from './intervals.ts';

export interface Commit {
  readonly hash: string;
  /** The time of the commit, in milliseconds since 1970. */
  readonly at: number;
  readonly subject: string;
  readonly key: string | undefined;
}

/**
 * Proposes entries for the missing time of each day. Commits with the same work item share an entry.
 * - A commit stands for the time since the previous commit of the day, from 15 minutes to two hours. The first commit stands for one hour.
 * - Time with other evidence does not count.
 * - The proposals of a day never exceed its missing time.
 * - A work item with an entry on that day gets no proposal, because the entry may cover the commits.
 * @param measured the time with other evidence, and the commits that are part of this evidence.
 * @param idOf returns the id of a work item by its key. Some entries show only the id.
 */
export function proposeEntries(
  commits: readonly Commit[],
  days: readonly Pick<Day, 'date' | 'gap'>[],
  entries: readonly Entry[],
  dates: ZoneContext,
  idOf: (key: string) => number | undefined,
  measured: { readonly time: readonly Interval[]; readonly commits: ReadonlySet<Commit> },
) {
  const taken = union(measured.time);
  return days.flatMap(({ date, gap = 0 }) => {
    const ofDay = commits.filter(({ at }) => localDayAndTime(at, dates).date === date).sort((a, b) => a.at - b.at);
    const logged = entries.filter((entry) => entry.date === date);
    const weights = new Map(ofDay.map((commit, index) => [commit, weightOf(commit, ofDay[index - 1], taken)]));
    const open = ofDay.filter((commit) => !measured.commits.has(commit));
    const groups = [...Map.groupBy(open, ({ key }) => key)]
      .map(([key, own]) => ({
        key,
        commits: own,
        description: joinTexts(own.map(({ subject, key: named }) => withoutKey(subject, named))),
        weight: own.reduce((sum, commit) => sum + (weights.get(commit) ?? 0), 0),
      }))
      .filter(
        ({ key, description }) =>
          !logged.some(
            (entry) => entry.description === entryText(description, key, false) || (key !== undefined && isOf(entry, key, idOf(key))),
          ),
      );
    const minutes = divide(
      groups.map(({ weight }) => weight),
      gap,
    );
    return groups.flatMap(({ key, commits: own, description }, index) => {
      const length = minutes[index] ?? 0;
      return length > 0 ? [{ date, minutes: length, key, description, commits: own }] : [];
    });
  });
}

export function isOf(entry: Entry, key: string, id: number | undefined): boolean {
  return entry.key === key || (id !== undefined && entry.workItemId === id);
}

const STEP = 15;
const FIRST = 60;
const MOST = 120;
const LONGEST_TEXT = 200;

function weightOf(commit: Commit, before: Commit | undefined, taken: readonly Interval[]): number {
  const minutes = before === undefined ? FIRST : Math.min(MOST, Math.max(STEP, (commit.at - before.at) / 60_000));
  const free = without([{ start: commit.at - minutes * 60_000, end: commit.at }], taken);
  return free.reduce((sum, { start, end }) => sum + (end - start) / 60_000, 0);
}

/** Divides up to `most` minutes by weights, in quarters of an hour. The largest remainders get the remaining quarters. */
export function divide(weights: readonly number[], most: number): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole <= 0 || most < STEP) return weights.map(() => 0);
  const scale = Math.min(1, most / whole);
  const exact = weights.map((weight) => (weight * scale) / STEP);
  const steps = exact.map(Math.floor);
  const room = Math.floor(most / STEP);
  const left = Math.min(room, Math.round(exact.reduce((sum, value) => sum + value, 0))) - steps.reduce((sum, value) => sum + value, 0);
  const byLoss = exact
    .map((value, index) => ({ index, loss: value - Math.floor(value) }))
    .sort((a, b) => b.loss - a.loss || a.index - b.index);
  for (const { index } of byLoss.slice(0, Math.max(0, left))) steps[index] = (steps[index] ?? 0) + 1;
  return steps.map((value) => value * STEP);
}

/** Joins the different texts of an entry. Cuts a text of more than 200 characters, with `…` at the end. */
export function joinTexts(texts: readonly string[]): string {
  const text = [...new Set(texts.filter((one) => one !== ''))].join('; ');
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).trimEnd()}…`;
}

/** Writes the text of a proposed entry. A key that does not name a work item stays in the text. */
export function entryText(description: string, key: string | undefined, isItem: boolean): string {
  return key === undefined || isItem ? description : `${key} ${description}`.trim();
}

/** Removes a work item key, and the brackets and punctuation around it, from a text. */
export function withoutKey(subject: string, key: string | undefined): string {
  if (key === undefined) return subject.trim();
  return subject
    .replace(new RegExp(`[[(]?(?<![A-Za-z0-9])${key}(?![A-Za-z0-9])[\\])]?\\s*[:,-]?\\s*`, 'g'), '')
    .replace(/^[a-z]+(\([^)]*\))?!?:\s*$/, '')
    .trim();
}
