import { createHash } from 'node:crypto';
import { findDirectoryFile, namesWork } from '../../../config/directory-file.ts';
import { NotFoundError, UsageError } from '../../../errors.ts';
import { ifUsable } from '../../../journal/journal-error.ts';
import { writtenBody } from '../../../journal/written-values.ts';
import { readEntries } from '../../../records/entries.ts';
import type { Needs } from '../../../session/context.ts';
import { minutesOfBlocks, minutesToPropose, splitByDay, type TimeBlock } from '../../../time/blocks.ts';
import { addDays, type Interval, localDayAndTime } from '../../../time/calendar.ts';
import { type Entry, minutesIn, projectName, workItemName } from '../../../time/entry.ts';
import { type Commit, isOf, joinTexts, withoutKey } from '../../../time/suggest.ts';
import type { ZoneContext } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { homePath } from '../../../values/paths.ts';
import { utcSeconds } from '../../../values/temporal.ts';
import { counted } from '../../../values/text.ts';
import { union } from '../../../values/union.ts';
import { fromDirectory, keysIn, type Placing, type Target } from '../target.ts';
import type { WorkedOutDays } from '../week/read-week.ts';

/** The work item or project of a block. */
interface Belonging {
  readonly target?: Target | undefined;
  readonly key?: string | undefined;
  /** The evidence for the target: `key`, `branch`, `commits`, `path`, `words`, the path of a `.svc.json`, or `the entry of 2026-06-04`. */
  readonly from?: string | undefined;
}

type Named = Belonging & { readonly block: TimeBlock; readonly commits: readonly Commit[] };

/** The work of a day that becomes one entry: all blocks of a work item or of a text. */
export type ProposedWork = Awaited<ReturnType<typeof workOf>> & { readonly minutes: number };

/** The time after a block, in milliseconds, in which a commit is still evidence for the block. */
const AFTER_BLOCK = 15 * 60_000;
/** The most keys that svc looks up. Texts can have any number of words that look like keys. */
const MOST_LOOKED_UP = 50;
/** The number of days in which svc looks for an earlier entry with the same text. */
const EARLIER_DAYS = 14;
const SHARED_BRANCH = /^(?:main|master|dev|develop|development|trunk|HEAD)$/;

/**
 * The commits, the entries and the missing hours of the days. `rooms` has the minutes that svc can propose on each day. `entries` are the
 * logged entries that no meeting matched.
 */
interface DaysOfBlocks {
  readonly commits: readonly Commit[];
  readonly rooms: readonly { readonly date: string; readonly gap: number }[];
  readonly entries: readonly Entry[];
  readonly workedOut: WorkedOutDays;
  /** Looks up work items by key. The returned function gives undefined for a key without a work item. */
  readonly find: (keys: readonly string[]) => Promise<(key: string) => Target | undefined>;
}

/** Finds the work in blocks, and the minutes to propose for that work. */
export async function proposeBlocks(
  context: Needs<Placing | 'account' | 'client' | 'journal' | 'noticeToday'>,
  blocks: readonly TimeBlock[],
  { commits, rooms, entries, workedOut, find }: DaysOfBlocks,
): Promise<readonly ProposedWork[]> {
  const ofDay = splitByDay(blocks, rooms, workedOut.dates);
  const all = addCommits([...ofDay.values()].flat(), commits, context.system.cwd);
  const keys = [...new Set(all.flatMap((one) => evidenceOf(one).flatMap(([, found]) => found)))];
  if (keys.length > MOST_LOOKED_UP) await context.notice(`svc looks up only ${MOST_LOOKED_UP} of the ${keys.length} keys in the sources.`);
  const targetOf = await find(keys.slice(0, MOST_LOOKED_UP));
  const placed: Named[] = [];
  const ofPath = new Map<string, Belonging>();
  for (const one of all) {
    const { path } = one.block;
    const found = byKey(one, targetOf) ?? (path === undefined ? {} : (ofPath.get(path) ?? (await inDirectory(context, path))));
    if (path !== undefined && found.key === undefined) ofPath.set(path, found);
    placed.push({ ...one, ...found });
  }
  const named = await addEarlierChoices(context, placed, workedOut);
  const left = { known: 0, short: 0, over: 0, unnamed: 0 };
  const proposed: ProposedWork[] = [];
  for (const { date, gap } of rooms) {
    const own = named.filter(({ block }) => ofDay.get(date)?.includes(block));
    const groups = [...Map.groupBy(own, groupOf).values()] as [Named, ...Named[]][];
    const work = await Promise.all(groups.map((group) => workOf(context, date, group, entries)));
    const usable = work.filter((one) => one.target !== undefined || one.description !== '');
    const found = minutesToPropose(usable, gap);
    proposed.push(...found.proposed);
    left.unnamed += minutesOfBlocks(own.map(({ block }) => block)) - minutesOfBlocks(usable.flatMap((one) => one.blocks));
    for (const name of ['known', 'short', 'over'] as const) left[name] += found.left[name];
  }
  const parts = LEFT_OUT.filter(([name]) => left[name] > 0).map(([name, why]) => `${formatDuration(left[name])} ${why}`);
  if (parts.length > 0) await context.notice(`Left out: ${parts.join(', ')}.`);
  return proposed;
}

const LEFT_OUT = [
  ['known', 'logged before'],
  ['short', 'of work that took less than 5 minutes'],
  ['over', 'more than the missing hours'],
  ['unnamed', 'in windows without a work item'],
] as const;

/**
 * Assigns each commit to the latest block with the same directory or work item. The commit is from the time of the block, or from the 15
 * minutes after the block.
 */
function addCommits(blocks: readonly TimeBlock[], commits: readonly Commit[], cwd: string): Named[] {
  const own = Map.groupBy(commits, ({ at, key }) =>
    blocks.findLast((block) => {
      if (at < block.start || at >= block.end + AFTER_BLOCK) return false;
      const keys = evidenceOf({ block, commits: [] }).flatMap(([, found]) => found);
      const [path, here] = [`${block.path ?? '?'}/`, `${cwd}/`];
      return key !== undefined && keys.length > 0 ? keys.includes(key) : path.startsWith(here) || here.startsWith(path);
    }),
  );
  return blocks.map((block) => ({ block, commits: own.get(block) ?? [] }));
}

/** Lists the keys that name the work item of a block, in their order of precedence. */
function evidenceOf({ block: { key, branch = '', path = '', words }, commits }: Named): [from: string, keys: readonly string[]][] {
  const ofCommits = [...new Set(commits.flatMap((commit) => commit.key ?? []))];
  return Object.entries({ key: key === undefined ? [] : [key], branch: keysIn(branch), commits: ofCommits, path: keysIn(path), words });
}

/** Finds the work item of a block. Undefined if no evidence names a work item, or if the first such evidence names several work items. */
function byKey(one: Named, targetOf: (key: string) => Target | undefined): Belonging | undefined {
  for (const [from, keys] of evidenceOf(one)) {
    const [key, ...others] = keys.filter((candidate) => targetOf(candidate) !== undefined);
    if (key !== undefined) return others.length > 0 ? undefined : { key, from, target: targetOf(key) };
  }
  return undefined;
}

/**
 * Reads the `.svc.json` of a directory. The directory comes from a log, not from the user. svc therefore reports a file that svc cannot
 * use, and continues.
 */
async function inDirectory(context: Needs<Placing>, path: string): Promise<Belonging> {
  try {
    const file = await findDirectoryFile({ files: context.files, notifyOnce: context.notifyOnce, system: { cwd: path } }, namesWork);
    return file === undefined ? {} : { target: await fromDirectory(context, file), from: homePath(file.path, context.system.home) };
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof NotFoundError)) throw error;
    context.notifyOnce(`svc uses no .svc.json for ${path}: ${error.message}`);
    return {};
  }
}

/** Gives each block without a target the target of the latest entry with the same text. A target is a work item or a project. */
async function addEarlierChoices(
  context: Needs<'account' | 'client' | 'noticeToday'>,
  named: readonly Named[],
  { person, days, entries, dates }: WorkedOutDays,
): Promise<readonly Named[]> {
  if (named.every((one) => one.target !== undefined || textOf(one) === '')) return named;
  const first = days[0]?.date ?? '';
  const before = { first: addDays(first, -EARLIER_DAYS, dates.temporal), last: addDays(first, -1, dates.temporal) };
  const query = { ...before, user: person.id ?? 'me', view: 'summary', include: ['project', 'work_item'] } as const;
  const latestFirst = [...(await Array.fromAsync(readEntries(context, query))), ...entries].toSorted((a, b) => (a.date < b.date ? 1 : -1));
  return named.map((one) => {
    const { date } = localDayAndTime(one.block.start, dates);
    const text = one.target === undefined ? textOf(one) : '';
    const entry = text === '' ? undefined : latestFirst.find((each) => each.date <= date && each.description.trim() === text);
    if (entry === undefined) return one;
    const { workItemId: item, projectId: project, key } = entry;
    const from = `the entry of ${entry.date}`;
    if (typeof item === 'number') return { ...one, key, from, target: { name: workItemName(entry), fields: { work_item_id: item } } };
    return typeof project === 'number' ? { ...one, from, target: { name: projectName(entry), fields: { project_id: project } } } : one;
  });
}

/**
 * Returns the text of a block: its own text, otherwise the text of its commits or branch. Without these texts, the text is empty if a key
 * or a `.svc.json` names the work item. Otherwise the text is the name of the directory or the typed key.
 */
function textOf({ block: { text, branch = '', path, key: typed = '' }, commits, target, key, from }: Named): string {
  // The branch `feature/ABC-5-login-page` has the words `login page`.
  const last = SHARED_BRANCH.test(branch) ? '' : (branch.split('/').at(-1) ?? '');
  const words = keysIn(last)
    .reduce((rest, one) => withoutKey(rest, one), last)
    .replace(/[-_]+/g, ' ')
    .trim();
  const subjects = joinTexts(commits.map((commit) => withoutKey(commit.subject, commit.key)));
  const own = (target === undefined ? text : withoutKey(text, key)) || subjects || words;
  const isEnough = target?.fields['work_item_id'] !== undefined && !from?.startsWith('the entry');
  return own || (isEnough ? '' : (nameIn(path) ?? typed));
}

function nameIn(path: string | undefined): string | undefined {
  return path?.split(/[\\/]/).findLast((part) => part !== '');
}

function groupOf(one: Named): string {
  const { work_item_id: item, project_id: project } = one.target?.fields ?? {};
  return JSON.stringify(item === undefined ? [one.block.isAgent, project, textOf(one)] : [one.block.isAgent, item]);
}

/**
 * Joins the blocks of a group. Finds the logged minutes in entries with the same work item, otherwise with the same text. Finds the minutes
 * of earlier proposals in the journal. The Idempotency-Key depends on the work, so that the service creates the entry only once.
 */
async function workOf(context: Needs<'host' | 'journal'>, date: string, named: readonly [Named, ...Named[]], entries: readonly Entry[]) {
  const [{ block, target, key, from }] = named;
  const text = joinTexts(named.map(textOf));
  const description = block.isAgent ? `${text} (agent)`.trim() : text;
  const commits = [...new Set(named.flatMap((one) => one.commits))];
  const item = target?.fields['work_item_id'];
  const isSame = (entry: Entry) => (item === undefined ? entry.description.trim() === description : isOf(entry, key ?? '', Number(item)));
  const logged = minutesIn(entries.filter((entry) => entry.date === date && isSame(entry)));
  const facts = JSON.stringify([(await context.host()).name, 'blocks', date, groupOf(named[0])]);
  const name = `svc-suggest-${createHash('sha256').update(facts).digest('hex').slice(0, 32)}`;
  const journal = await ifUsable(context.journal());
  const blocks = named.map((one) => one.block);
  const pool = item === undefined ? `text ${description}` : `item ${item}`;
  const work = { ...{ date, description, blocks, commits }, ...{ target, key, from, logged, pool }, isAgent: block.isAgent };
  let accepted = 0;
  for (let nth = 1; ; nth += 1) {
    const idempotencyKey = nth === 1 ? name : `${name}-${nth}`;
    const entry = await journal?.entryByKey(idempotencyKey);
    const minutes = entry === undefined ? 0 : Number(writtenBody(entry)?.['minutes'] ?? 0);
    const isOpen = entry?.outcome === 'unknown' || entry?.outcome === 'sent';
    // svc sends an unconfirmed write again with the same key, unless the entries already include the minutes of the write.
    if (entry === undefined || (isOpen && logged < accepted + minutes)) return { ...work, accepted, idempotencyKey };
    if (entry.outcome !== 'refused' && entry.outcome !== 'dropped' && entry.undoneBy === undefined) accepted += minutes;
  }
}

/** Returns the times and the evidence of a proposal: `Claude Code in webshop (feature/ABC-5-login), 2 commits`. */
export function factsOf(
  { meeting, commits, work }: { readonly meeting?: Interval; readonly commits: readonly Commit[]; readonly work?: ProposedWork },
  dates: ZoneContext,
): JsonObject {
  const { blocks = [], isAgent = null, from = null } = work ?? {};
  const time = (timestamp: number) => localDayAndTime(timestamp, dates).time;
  const times = union(meeting === undefined ? blocks : [meeting]);
  const places = blocks.map(({ source, path, branch }) =>
    [source, path && `in ${nameIn(path)}`, branch && `(${branch})`].filter(Boolean).join(' '),
  );
  const counts = commits.length === 0 ? [] : [counted(commits.length, 'commit')];
  // The rest of the text shows all other evidence: the branch, the commits and the source.
  const reason =
    from === null || /^(?:key|branch|commits)$/.test(from) ? [] : [`by ${from === 'path' || from === 'words' ? `its ${from}` : from}`];
  return {
    time: times.map(({ start, end }) => `${time(start)}–${time(end).replace(/^00:00$/, '24:00')}`).join(', '),
    evidence: meeting === undefined ? [...new Set(places), ...counts, ...reason].join(', ') : 'calendar',
    ...{ is_agent_time: isAgent, work_item_from: from },
    blocks: blocks.map(({ start, end, source, path = null, branch = null }) => ({
      ...{ start: utcSeconds(start), end: utcSeconds(end), source, path, branch },
    })),
  };
}
