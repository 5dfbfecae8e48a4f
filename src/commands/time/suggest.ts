import { createHash } from 'node:crypto';
import { defineCommand, parsed, text, toggle } from '../../cli/spec.ts';
import { findDirectoryFile, namesWork } from '../../config/directory-file.ts';
import { NotFoundError } from '../../errors.ts';
import type { Understanding } from '../../records/kinds.ts';
import { describeWrite, type WriteRequest } from '../../records/send-write.ts';
import { worklogCreation, worklogs } from '../../records/worklogs.ts';
import type { Asking, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printOneOrMany, printRecords } from '../../session/print.ts';
import { parseWeek, weekOf } from '../../time/calendar.ts';
import { type Proposal, proposeEntries } from '../../time/suggest.ts';
import { parseCalendarDate, startOfDay } from '../../values/dates.ts';
import { formatDuration, parseDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { readCommits } from './git-log.ts';
import { logEach } from './log-each.ts';
import { lookAt } from './look.ts';
import type { Placing } from './target.ts';
import { findTarget, fromDirectory, type Target } from './target.ts';

/** A proposal, and the request that would log it. */
interface Ready {
  readonly proposal: Proposal;
  readonly target: Target | undefined;
  readonly write: WriteRequest & { readonly body: JsonObject };
}

/** `svc worklogs suggest --git`: entries for what is missing, out of the commits of the repository here. Never sent without a yes. */
export const suggest = defineCommand({
  name: 'suggest',
  summary: 'Propose entries for what is missing, from git commits',
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'Reads your commits in the repository here, on all branches, and proposes an entry for each work item that they name, in the message or by the branch. A commit stands for the time since the one before it that day: an hour for the first, two at most; together never more than the day lacks. Work items that have time on that day already are left out. Nothing is sent without a yes.',
  args: [{ name: 'date', summary: 'The day; today if not given', optional: true }],
  options: {
    git: toggle('--git', 'From git commits: the only source there is, and so not needed'),
    week: toggle('--week', 'The whole week of that day; last and 2026-W23 will do too'),
    author: text('--author <email>', 'Whose commits; by git’s user.email if not given'),
    target: parsed('--target <duration>', 'Hours of a working day, Monday to Friday, instead of those in your record', parseDuration, {
      type: 'duration',
    }),
  },
  examples: [
    { args: 'worklogs suggest --git', does: 'Today' },
    { args: 'worklogs suggest --git --week', does: 'This week' },
    { args: 'worklogs suggest --git yesterday --yes', does: 'Yesterday, logged without a question' },
  ],
  async run(context: Needs<Printing | Understanding | Placing | Asking>, { args: [what = 'today'], options }) {
    const dates = await context.dates();
    const isWeek = options.week || /^(?:this|last|\d{4}-?w\d{2})$/i.test(what);
    const days = isWeek ? weekOf(parseWeek(what, dates), dates.temporal) : [parseCalendarDate(what, dates)];
    const range = { first: days[0] ?? '', last: days.at(-1) ?? '' };
    const commits = await readCommits(context, { since: startOfDay(range.first, dates), author: options.author });
    const look = await lookAt(context, 'me', range, { target: options.target });
    // What is missing is not known without working hours, and lookAt has said so.
    if (look.days.every(({ gap }) => gap === undefined)) return;
    const targets = new Map<string, Target | undefined>();
    // Where entries come without the work item's key, the keys are looked up before they are compared.
    if (look.entries.some(({ key, workItemId }) => key === undefined && workItemId !== null)) await findKeys(context, commits, targets);
    const proposals = proposeEntries(commits, look.days, look.entries, look.dates, (key) => itemId(targets.get(key)));
    if (proposals.length === 0) {
      const gap = look.days.reduce((sum, day) => sum + (day.gap ?? 0), 0);
      return context.notice(
        gap === 0 ? 'Nothing is missing.' : `${formatDuration(gap)} are missing, and no commit says what they went to.`,
      );
    }
    const ready = await prepare(context, proposals, targets);
    const resource = await worklogs();
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
  context: Needs<Placing>,
  proposals: readonly Proposal[],
  targets: Map<string, Target | undefined>,
): Promise<readonly Ready[]> {
  const { files, system } = context;
  const directory = await findDirectoryFile(files, system.cwd, namesWork);
  const needsPlace = proposals.some(({ key }) => key === undefined);
  const { name: host } = await context.host();
  const [place] = await together(
    needsPlace && directory !== undefined ? fromDirectory(context, directory) : undefined,
    findKeys(context, proposals, targets),
  );
  const ready: Ready[] = [];
  for (const proposal of proposals) {
    const { key, date, minutes, description, commits } = proposal;
    const target = key === undefined ? place : (targets.get(key) ?? place);
    // A key that is no work item is worth keeping as text.
    const text = key !== undefined && targets.get(key) === undefined ? `${key} ${description}`.trim() : description;
    const body = { date, minutes, ...(text !== '' && { description: text }), ...target?.fields };
    // The same proposal sent twice is one entry.
    const id = createHash('sha256')
      .update([host, date, key ?? '', ...commits.map(({ hash }) => hash)].join(' '))
      .digest('hex')
      .slice(0, 32);
    ready.push({ proposal, target, write: { ...worklogCreation(body), idempotencyKey: `svc-suggest-${id}` } });
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
  return {
    date: proposal.date,
    minutes: proposal.minutes,
    work_item: target?.name ?? null,
    work_item_id: write.body['work_item_id'] ?? null,
    project_id: write.body['project_id'] ?? null,
    description: write.body['description'] ?? null,
    commits: proposal.commits.map(({ hash }) => hash.slice(0, 12)),
  };
}
