import { createHash } from 'node:crypto';
import { defineCommand, parsed, text, toggle } from '../../../cli/spec.ts';
import { findDirectoryFile, namesWork } from '../../../config/directory-file.ts';
import { NotFoundError } from '../../../errors.ts';
import type { Understanding } from '../../../records/kinds.ts';
import { describeWrite, type WriteRequest } from '../../../records/send-write.ts';
import { hoursStanding } from '../../../records/timer-hours.ts';
import { worklogCreation, worklogs } from '../../../records/worklogs.ts';
import type { Asking, Needs } from '../../../session/context.ts';
import type { Printing } from '../../../session/print.ts';
import { printOneOrMany, printRecords } from '../../../session/print.ts';
import { parseWeek, weekOf } from '../../../time/calendar.ts';
import type { KnownKeys, Meeting } from '../../../time/meetings.ts';
import { type Commit, entryText, proposeEntries } from '../../../time/suggest.ts';
import { compareTexts } from '../../../values/compare.ts';
import { parseCalendarDate, startOfDay } from '../../../values/dates.ts';
import { formatDuration, parseDuration } from '../../../values/duration.ts';
import type { JsonObject } from '../../../values/json.ts';
import { together } from '../../../values/together.ts';
import { utcSeconds } from '../../../values/utc-seconds.ts';
import { logEach } from '../log-each.ts';
import type { Placing } from '../target.ts';
import { findTarget, fromDirectory, type Target } from '../target.ts';
import { lookAt } from '../week/look.ts';
import { readCommits } from './git-log.ts';

/** A proposal, and the request that would log it. */
interface Ready {
  readonly proposal: Source;
  readonly target: Target | undefined;
  readonly write: WriteRequest & { readonly body: JsonObject };
}

/** Hours that something speaks for. */
interface Source {
  readonly date: string;
  readonly minutes: number;
  readonly key: string | undefined;
  readonly description: string;
  /** What it is made of: the same again is the same entry. */
  readonly seeds: readonly string[];
  readonly commits: readonly Commit[];
  readonly meeting?: Meeting;
}

/** `svc worklogs suggest`: entries for what is missing, out of the commits of the repository here or a calendar. Never sent without a yes. */
export const suggest = defineCommand({
  name: 'suggest',
  summary: 'Propose entries for missing hours, from git commits or a calendar',
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'svc proposes entries up to the hours that the day lacks, and asks before it sends them. Meetings come first.\n\nFrom a calendar (.ics), each past meeting becomes an entry. If two meetings overlap, the later one counts from the end of the earlier. svc leaves out all-day events, declined and cancelled meetings, and time shown as free. It also leaves out meetings that have an entry with the same text.\n\nFrom git, each work item in your commits becomes an entry. svc reads all branches of the repository in this directory. It finds the work item in the message or in the name of the branch. A commit stands for the time since the commit before it on that day, at most two hours. The first commit of a day stands for one hour. svc leaves out work items that have time on that day.',
  args: [{ name: 'date', summary: 'The day (default: today)', optional: true }],
  options: {
    git: toggle('--git', 'Propose entries from git commits (default, without --calendar)'),
    calendar: text('--calendar <file.ics>', 'Propose entries from the meetings of this calendar; - reads standard input', {
      completes: 'file',
    }),
    week: toggle('--week', 'Propose entries for the whole week of that day, or of last or 2026-W23'),
    author: text('--author <email>', 'Use the commits and invitations of this address (default: git’s user.email, and your user record)'),
    target: parsed(
      '--target <duration>',
      'Set the hours of each working day, Monday to Friday (default: your user record)',
      parseDuration,
      {
        type: 'duration',
      },
    ),
  },
  examples: [
    { args: 'worklogs suggest --git', does: 'Propose entries for today' },
    { args: 'worklogs suggest --git --week', does: 'Propose entries for this week' },
    { args: 'worklogs suggest --calendar work.ics yesterday', does: 'Propose entries for the meetings of yesterday' },
    {
      args: 'worklogs suggest --calendar work.ics --git yesterday --yes',
      does: 'Log meetings first, then commits, without a question',
    },
  ],
  async run(
    context: Needs<Printing | Understanding | Placing | Asking | 'journal' | 'readFileArgument' | 'plan' | 'settleWrites'>,
    { args: [what = 'today'], options },
  ) {
    const dates = await context.dates();
    const isWeek = options.week || /^(?:this|last|\d{4}-?w\d{2})$/i.test(what);
    const days = isWeek ? weekOf(parseWeek(what, dates), dates.temporal) : [parseCalendarDate(what, dates)];
    const range = { first: days[0] ?? '', last: days.at(-1) ?? '' };
    const { calendar } = options;
    const file = calendar === undefined ? undefined : await (await import('./calendar-file.ts')).readCalendarText(context, calendar);
    const usesGit = options.git || file === undefined;
    const commits = usesGit ? await readCommits(context, { since: startOfDay(range.first, dates), author: options.author }) : [];
    const look = await lookAt(context, 'me', range, { target: options.target });
    // What is missing is not known without working hours, and lookAt has said so.
    if (look.days.every(({ gap }) => gap === undefined)) return;
    const targets = new Map<string, Target | undefined>();
    const known: KnownKeys = {
      isItem: (key) => targets.get(key) !== undefined,
      idOf: (key) => itemId(targets.get(key)),
    };
    const findNamed = async (named: readonly Meeting[]) => {
      await findKeys(context, named, targets);
      return known;
    };
    const meetings =
      file === undefined ? [] : await (await import('./suggest-meetings.ts')).meetingsFor(context, file, look, options.author, findNamed);
    // Where entries come without the work item's key, the keys are looked up before they are compared.
    if (look.entries.some(({ key, workItemId }) => key === undefined && workItemId !== null)) await findKeys(context, commits, targets);
    const left = look.days.map(({ date, gap = 0 }) => ({
      date,
      gap: gap - meetings.reduce((sum, one) => (one.date === date ? sum + one.minutes : sum), 0),
    }));
    const proposals: readonly Source[] = [
      ...meetings.map(({ meeting, date, minutes, description }) => ({
        ...{ date, minutes, description, meeting, key: meeting.key, commits: [] },
        seeds: ['calendar', date, meeting.id],
      })),
      ...proposeEntries(commits, left, look.entries, look.dates, known.idOf).map((proposal) => ({
        ...proposal,
        seeds: [proposal.date, proposal.key ?? '', ...proposal.commits.map(({ hash }) => hash)],
      })),
    ].toSorted((one, other) => compareTexts(one.date, other.date));
    if (proposals.length === 0) {
      const gap = look.days.reduce((sum, day) => sum + (day.gap ?? 0), 0);
      if ((await context.presentation()).reader === 'program') await printRecords(context, [], []);
      const nothing = file === undefined ? 'no commit says' : usesGit ? 'no meeting and no commit say' : 'no meeting says';
      return context.notice(gap === 0 ? 'Nothing is missing.' : `${formatDuration(gap)} are missing, and ${nothing} what they went to.`);
    }
    const ready = await prepare(context, proposals, targets);
    const resource = await worklogs(context);
    if (context.globals.dryRun) {
      return printOneOrMany(context, await Promise.all(ready.map(({ write }) => describeWrite(context, resource, write))), true);
    }
    await printRecords(context, ready.map(recordOf), ['date', 'minutes', 'work_item', 'description'], {
      minutes: 'duration',
      date: 'date',
    });
    await logEach(
      context,
      ready.map(({ proposal: { date, minutes }, write }) => ({ date, minutes, write })),
    );
  },
});

async function prepare(
  context: Needs<Placing | 'journal'>,
  proposals: readonly Source[],
  targets: Map<string, Target | undefined>,
): Promise<readonly Ready[]> {
  const needsPlace = proposals.some(({ key }) => key === undefined);
  // One that is broken stops nobody who does not need it.
  const directory = needsPlace ? await findDirectoryFile(context, namesWork) : undefined;
  const { name: host } = await context.host();
  const [place] = await together(
    directory !== undefined ? fromDirectory(context, directory) : undefined,
    findKeys(context, proposals, targets),
  );
  const ready: Ready[] = [];
  for (const proposal of proposals) {
    const { key, date, minutes, description, seeds } = proposal;
    const target = key === undefined ? place : (targets.get(key) ?? place);
    const text = entryText(description, key, key !== undefined && targets.get(key) !== undefined);
    const body = { date, minutes, ...(text !== '' && { description: text }), ...target?.fields };
    // The same proposal sent twice is one entry.
    const id = createHash('sha256')
      .update([host, ...seeds].join(' '))
      .digest('hex')
      .slice(0, 32);
    // Under the key of one that was taken back, the service would answer as it did then, and log nothing (rule 6.12).
    const { nextKey } = await hoursStanding({ journal: context.journal }, `svc-suggest-${id}`);
    ready.push({ proposal, target, write: { ...worklogCreation(body), idempotencyKey: nextKey } });
  }
  return ready;
}

/** Looks up the work items that these name, each once. */
async function findKeys(
  context: Needs<'client' | 'globals'>,
  named: readonly { readonly key: string | undefined }[],
  targets: Map<string, Target | undefined>,
): Promise<void> {
  const keys = [...new Set(named.flatMap(({ key }) => key ?? []))].filter((key) => !targets.has(key));
  const found = await together(...keys.map((key) => findKey(context, key)));
  for (const [index, key] of keys.entries()) targets.set(key, found[index]);
}

function itemId(target: Target | undefined): number | undefined {
  const id = target?.fields['work_item_id'];
  return typeof id === 'number' ? id : undefined;
}

async function findKey(context: Needs<'client' | 'globals'>, key: string): Promise<Target | undefined> {
  try {
    return await findTarget(context, { workItem: key });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function recordOf({ proposal, target, write }: Ready): JsonObject {
  const { meeting } = proposal;
  return {
    date: proposal.date,
    minutes: proposal.minutes,
    work_item: target?.name ?? null,
    work_item_id: write.body['work_item_id'] ?? null,
    project_id: write.body['project_id'] ?? null,
    description: write.body['description'] ?? null,
    commits: proposal.commits.map(({ hash }) => hash.slice(0, 12)),
    meeting_started_at: meeting === undefined ? null : utcSeconds(meeting.start),
  };
}
