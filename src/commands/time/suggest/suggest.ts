import { createHash } from 'node:crypto';
import { defineCommand, parsed, text, toggle } from '../../../cli/spec.ts';
import { findDirectoryFile, namesWork } from '../../../config/directory-file.ts';
import { NotFoundError, UsageError, undefinedFor } from '../../../errors.ts';
import type { ReadingValues } from '../../../records/kinds.ts';
import { readHoursState } from '../../../records/timer-hours.ts';
import { worklogCreation } from '../../../records/worklogs.ts';
import type { Asking, Needs } from '../../../session/context.ts';
import type { Printing } from '../../../session/print.ts';
import { layOut, minutesOfBlocks, splitByDay } from '../../../time/blocks.ts';
import { addDays, startOf } from '../../../time/calendar.ts';
import { rangeOf } from '../../../time/date-range.ts';
import { readWeekOrDay } from '../../../time/day-list.ts';
import { minutesIn } from '../../../time/entry.ts';
import { type Meeting, proposeMeetings } from '../../../time/meetings.ts';
import { type Commit, entryText, proposeEntries, withoutKey } from '../../../time/suggest.ts';
import { startOfDay } from '../../../values/dates.ts';
import { formatDuration, parseDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { utcSeconds } from '../../../values/temporal.ts';
import { compareTexts } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { type ProposedHours, proposeHours, proposeNothing } from '../propose-hours.ts';
import { type FindingTargets, findTarget, fromDirectory, type Placing, type Target } from '../target.ts';
import { readDaysOf, type WorkedOutDays } from '../week/read-week.ts';
import type { ProposedWork } from './block-entries.ts';
import type { CalendarReading } from './calendar-file.ts';
import { openSources, type ReadingSources, readSourceText } from './day-sources.ts';
import { readCommits } from './git-log.ts';

interface Source {
  readonly date: string;
  readonly minutes: number;
  readonly key: string | undefined;
  readonly description: string;
  /** The facts that identify the entry, so that svc never logs the same proposal twice. */
  readonly seeds: readonly string[];
  readonly commits: readonly Commit[];
  readonly meeting?: Meeting;
  readonly work?: ProposedWork;
  /** The start of the work, in milliseconds since 1970. A proposal from commits has no known start, so svc sorts such proposals last. */
  readonly start: number;
}

export const suggest = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'svc proposes entries for the missing hours of the day, and asks before it sends the entries. No time counts twice: meetings come first, then blocks, sessions, editors, windows and commits. Your sources stay on this machine: svc sends only the entries that you accept.\n\nEach past meeting of a calendar becomes an entry, except meetings that you declined. Other work becomes an entry for each work item. svc finds the work item by its key in the source, the branch, the commits, the directory or your words. A commit counts as the time since the previous commit of that day, from 15 minutes to two hours; the first commit counts as one hour. In a session, the time between two of your messages counts if the messages are at most 15 minutes apart.',
  args: [{ name: 'date', summary: 'The day (default: today)', optional: true }],
  options: {
    git: toggle('--git', 'Propose entries from git commits (default, without another source)'),
    calendar: text('--calendar <file.ics>', 'Propose entries from these meetings; - reads standard input', {
      completes: 'file',
    }),
    sessions: toggle('--sessions', 'Propose entries from logs of Claude Code and Codex'),
    agentTime: toggle('--agent-time', 'Also propose time of agents at work without you (with --sessions)'),
    activitywatch: toggle('--activitywatch', 'Propose entries from ActivityWatch on this machine'),
    activitywatchFile: text('--activitywatch-file <export.json>', 'Propose entries from an export of ActivityWatch', { completes: 'file' }),
    blocks: text('--blocks <file>', 'Propose entries from lines of JSON; - reads standard input', { completes: 'file' }),
    week: toggle('--week', 'Propose entries for the whole week of the date, or for a week'),
    author: text('--author <email>', 'Use commits and invitations of this address (default: yours in git and in svc)'),
    target: parsed(
      '--target <duration>',
      'Set the hours of each working day, Monday to Friday (default: from your user record)',
      parseDuration,
      { type: 'duration' },
    ),
  },
  examples: [
    { args: 'worklogs suggest --git --week', does: 'Propose entries for this week' },
    {
      args: 'worklogs suggest --calendar work.ics --git yesterday --yes',
      does: 'Log meetings first, then commits, without a question',
    },
    { args: 'worklogs suggest --sessions --activitywatch --git', does: 'Propose a day from your agents, your editor and your commits' },
    { args: 'worklogs suggest --blocks - yesterday', does: 'Propose entries for the blocks that another program prints' },
  ],
  async run(
    context: Needs<Printing | ReadingValues | Placing | Asking | ReadingSources | 'journal' | 'plan' | 'resolveWrites'>,
    { args: [what = 'today'], options },
  ) {
    if (options.calendar === '-' && options.blocks === '-')
      throw new UsageError('--calendar and --blocks both read standard input.', { hint: 'Give a file for one of the two flags.' });
    if (options.agentTime && !options.sessions)
      throw new UsageError('--agent-time needs --sessions.', {
        hint: 'To propose this time: svc worklogs suggest --sessions --agent-time',
      });
    const dates = await context.dates();
    const isWeek = options.week === true || /^(?:this|last|\d{4}-?w\d{2})$/i.test(what);
    const range = rangeOf(readWeekOrDay(what, isWeek, dates));
    const calendar = options.calendar === undefined ? undefined : await import('./calendar-file.ts');
    const file = await readSourceText(context, '--calendar', options.calendar, 'calendar file', 8);
    const readSources = await openSources(context, options);
    const blockEntries = readSources === undefined ? undefined : await import('./block-entries.ts');
    const usesGit = options.git || (file === undefined && readSources === undefined);
    const commits = usesGit ? await readCommits(context, { since: startOfDay(range.first, dates), author: options.author }) : [];
    const workedOut = await readDaysOf(context, 'me', range, { target: options.target });
    // Without working hours, svc does not know which hours are missing. The function readDaysOf has printed the reason.
    if (workedOut.days.every(({ gap }) => gap === undefined)) return;
    const bounds = { start: startOf(range.first, workedOut.dates), end: startOf(addDays(range.last, 1, dates.temporal), workedOut.dates) };
    const items = itemFinder(context);
    const email = options.author?.trim().toLowerCase() ?? workedOut.person.email;
    const read = calendar?.readCalendar(file ?? '', { ...bounds, email }, workedOut.dates);
    const { proposals: meetings, matched } = await proposeFrom(context, workedOut, items, read);
    const sources = await readSources?.(bounds);
    // svc removes the time of meetings, and all time after now, from the blocks.
    const taken = [...(read?.meetings ?? []), { start: workedOut.dates.now, end: Number.POSITIVE_INFINITY }];
    const placed = layOut(sources?.layers ?? [], taken);
    const agents = layOut([sources?.agents ?? []], [...taken, ...placed]);
    const alone = minutesOfBlocks([...splitByDay(agents, workedOut.days, workedOut.dates).values()].flat());
    if (alone > 0 && !options.agentTime)
      await context.notice(`Agents worked ${formatDuration(alone)} without you. To propose this time too: --agent-time`);
    const roomsAfter = (used: readonly { readonly date: string; readonly minutes: number }[]) =>
      workedOut.days.map(({ date, gap = 0 }) => ({ date, gap: gap - minutesIn(used.filter((one) => one.date === date)) }));
    const work: readonly ProposedWork[] =
      (await blockEntries?.proposeBlocks(context, [...placed, ...(options.agentTime ? agents : [])], {
        ...{ commits, workedOut, rooms: roomsAfter(meetings) },
        entries: workedOut.entries.filter((entry) => !matched.includes(entry)),
        find: (keys) => items.find(keys).then(() => items.targetOf),
      })) ?? [];
    // An entry can show only the id of its work item. svc therefore looks up the ids of the keys in commits.
    if (workedOut.entries.some(({ key, workItemId }) => key === undefined && workItemId !== null))
      await items.find(commits.map(({ key }) => key));
    const fromGit = proposeEntries(commits, roomsAfter([...meetings, ...work]), workedOut.entries, workedOut.dates, items.idOf, {
      time: [...taken, ...placed, ...agents, ...(sources?.away ?? [])],
      commits: new Set(work.flatMap((one) => one.commits)),
    });
    const proposals: readonly Source[] = [
      ...meetings.map(({ meeting, date, minutes, description }) => ({
        ...{ date, minutes, description, meeting, key: meeting.key, commits: [] },
        ...{ seeds: ['calendar', date, meeting.id], start: meeting.start },
      })),
      ...work.map((one) => ({ ...one, key: undefined, work: one, seeds: [], start: one.blocks[0]?.start ?? 0 })),
      ...fromGit.map((proposal) => ({
        ...{ ...proposal, start: Number.MAX_VALUE },
        seeds: [proposal.date, proposal.key ?? '', ...proposal.commits.map(({ hash }) => hash)],
      })),
    ].toSorted((one, other) => compareTexts(one.date, other.date) || one.start - other.start);
    if (proposals.length === 0) {
      const gap = workedOut.days.reduce((sum, day) => sum + (day.gap ?? 0), 0);
      const names = [file !== undefined && 'meetings', readSources !== undefined && 'blocks', usesGit && 'commits'].filter(Boolean);
      const missing = `${formatDuration(gap)} are missing, and svc found no ${names.join(' and ')} for this time.`;
      return proposeNothing(context, COLUMNS, gap === 0 ? 'No hours are missing.' : missing);
    }
    const ready = await prepare(context, proposals, items, (proposal) => blockEntries?.factsOf(proposal, workedOut.dates));
    await proposeHours(context, ready, readSources === undefined ? COLUMNS : COLUMNS_OF_BLOCKS);
  },
});

const COLUMNS = ['date', 'minutes', 'work_item', 'description'];
const COLUMNS_OF_BLOCKS = [...COLUMNS, 'time', 'evidence'];

async function prepare(
  context: Needs<Placing | 'journal'>,
  proposals: readonly Source[],
  items: ReturnType<typeof itemFinder>,
  factsOf: (proposal: Source) => JsonObject | undefined,
): Promise<readonly ProposedHours[]> {
  const needsPlace = proposals.some(({ key, work }) => key === undefined && work === undefined);
  // svc reads .svc.json only if a proposal needs a work item or project from the file.
  const directory = needsPlace ? await findDirectoryFile(context, namesWork) : undefined;
  const { name: host } = await context.host();
  const placing = directory === undefined ? undefined : fromDirectory(context, directory);
  const keys = proposals.map(({ key }) => key);
  const [place] = await together(placing, items.find(keys));
  const ready: ProposedHours[] = [];
  for (const proposal of proposals) {
    const { key, date, minutes, description, seeds, commits, meeting, work } = proposal;
    const target = work === undefined ? (items.targetOf(key) ?? place) : work.target;
    const text = entryText(description, key, items.targetOf(key) !== undefined);
    const body = { date, minutes, ...(text !== '' && { description: text }), ...target?.fields };
    // The Idempotency-Key depends on the proposal, so the service creates the entry only once.
    const id = createHash('sha256')
      .update([host, ...seeds].join(' '))
      .digest('hex')
      .slice(0, 32);
    // After an undo, the service would repeat its first answer for the old key and log nothing (rule 6.12).
    const { nextKey } = await readHoursState({ journal: context.journal }, `svc-suggest-${id}`);
    const { work_item_id: item, project_id: project } = target?.fields ?? {};
    ready.push({
      date,
      minutes,
      write: { ...worklogCreation(body), idempotencyKey: work?.idempotencyKey ?? nextKey },
      record: {
        date,
        minutes,
        work_item: target?.name ?? null,
        work_item_id: item ?? null,
        project_id: project ?? null,
        description: text === '' ? null : text,
        commits: commits.map(({ hash }) => hash.slice(0, 12)),
        meeting_started_at: meeting === undefined ? null : utcSeconds(meeting.start),
        ...factsOf(proposal),
      },
    });
  }
  return ready;
}

/** Keeps the work items that svc looked up by their keys. */
function itemFinder(context: Needs<FindingTargets>) {
  const targets = new Map<string | undefined, Target | undefined>();
  const targetOf = (key: string | undefined) => targets.get(key);
  return {
    targetOf,
    idOf(key: string) {
      const id = targetOf(key)?.fields['work_item_id'];
      return typeof id === 'number' ? id : undefined;
    },
    async find(named: readonly (string | undefined)[]): Promise<void> {
      const keys = [...new Set(named)].filter((key) => key !== undefined && !targets.has(key)) as string[];
      const found = await together(...keys.map((key) => findTarget(context, { workItem: key }).catch(undefinedFor(NotFoundError))));
      for (const [index, key] of keys.entries()) targets.set(key, found[index]);
    },
  };
}

async function proposeFrom(
  context: Needs<'notice'>,
  { days, entries, dates }: WorkedOutDays,
  items: ReturnType<typeof itemFinder>,
  calendar: CalendarReading | undefined,
): Promise<Pick<ReturnType<typeof proposeMeetings>, 'proposals' | 'matched'>> {
  if (calendar === undefined) return { proposals: [], matched: [] };
  for (const line of calendar.doubts) await context.notice(line);
  const over = calendar.meetings.filter(({ end }) => end <= dates.now);
  // svc looks up the work item of a meeting only if an entry has the same text.
  const texts = new Set(entries.map(({ description }) => description.trim()));
  const isLogged = ({ summary, key }: Meeting) =>
    [withoutKey(summary, key), entryText(withoutKey(summary, key), key, false)].some((text) => texts.has(text));
  await items.find(over.filter(isLogged).map(({ key }) => key));
  const { proposals, matched, known: existing, covered, full } = proposeMeetings(over, days, entries, dates, items);
  const others: readonly (readonly [string, number])[] = [
    ...calendar.leftOut,
    ['not over yet', calendar.meetings.length - over.length],
    ['logged already', existing],
    ['within another meeting', covered],
    ['on days without missing hours', full],
  ];
  const leftOut = others.filter(([, count]) => count > 0).map(([why, count]) => `${count} ${why}`);
  if (leftOut.length > 0) await context.notice(`Left out of the calendar: ${leftOut.join(', ')}.`);
  return { proposals, matched };
}
