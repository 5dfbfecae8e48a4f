import { type CommandSpec, defineCommand, toggle } from '../../cli/spec.ts';
import { UnavailableError, UsageError } from '../../errors.ts';
import type { DayRange } from '../../records/entries.ts';
import type { Understanding } from '../../records/kinds.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { parseWeek, weekOf } from '../../time/calendar.ts';
import { compareDays, dayText, readDayText, type TextLine } from '../../time/day-text.ts';
import { parseCalendarDate } from '../../values/dates.ts';
import { editorCommand, editText, withDraft } from '../editor.ts';
import { applyChanges, planChanges } from './day-changes.ts';
import type { Placing } from './target.ts';
import { lookAt } from './week/look.ts';

/**
 * `svc worklogs edit`: a day or a week as text in the editor, a line an entry; with an id, one entry as every `edit` does.
 *
 * @param base The edit of one worklog as the catalog makes it.
 */
export function editDaysCommand(base: CommandSpec<Context>): CommandSpec<Context> {
  return defineCommand({
    ...base,
    showsGlobals: ['host', 'output', 'dryRun', 'yes'],
    summary: 'Change a day, a week or an entry in your editor',
    description:
      'Without an id, svc opens your entries of a day or a week as text, one line for each entry. Change, add, move or delete lines. svc shows the updates, creations and deletions, and asks before it sends them. It never overwrites an entry that somebody else changed. Deleting needs a personal access token. An empty file changes nothing.',
    args: [
      { name: 'what', summary: 'A day, the id of an entry, or last for the entry that you wrote last (default: today)', optional: true },
    ],
    ...(base.options && { catalogOptions: base.options }),
    options: { week: toggle('--week', 'Open the whole week of that day, or of last, next or 2026-W23') },
    examples: [
      { args: 'worklogs edit', does: 'Edit the entries of today' },
      { args: 'worklogs edit monday', does: 'Edit the entries of the latest Monday' },
      { args: 'worklogs edit --week last', does: 'Edit the entries of last week' },
      { args: 'worklogs edit 812', does: 'Edit every field of one entry' },
    ],
    async run(context: Context, { args, options, given }) {
      const [what = 'today'] = args;
      if (/^(?:\d+|last)$/i.test(what) && !options.week) return base.run?.(context, { args, options: given });
      const dates = await context.dates();
      const isWeek = options.week || /^(?:this|next|\d{4}-?w\d{2})$/i.test(what);
      const week = isWeek ? weekOf(parseWeek(what, dates), dates.temporal) : undefined;
      const day = isWeek ? '' : parseCalendarDate(what, dates);
      await editDays(context, { first: week?.[0] ?? day, last: week?.[6] ?? day });
    },
  });
}

async function editDays(
  context: Needs<Printing | Understanding | Placing | Asking | 'credentials' | 'paths'>,
  range: DayRange,
): Promise<void> {
  if (!context.interactive) {
    throw new UsageError('Editing needs a terminal.', { hint: 'In a script: svc worklogs add, svc worklogs update.' });
  }
  const editor = await editorCommand(context);
  const { days, entries, dates } = await lookAt(context, 'me', range);
  const hidden = entries.find(({ projectId, workItemId }) => workItemId === undefined || (workItemId === null && projectId === undefined));
  if (hidden !== undefined) {
    throw new UnavailableError(`The service does not show what entry ${hidden.id} belongs to, so it cannot stand in a text.`, {
      hint: `One entry, every field of it: svc worklogs edit ${hidden.id}`,
    });
  }
  const { files, system } = context;
  const text = dayText(days, entries, dates.temporal);
  const token = Buffer.from(system.randomBytes(6)).toString('hex');
  const file = `${context.paths.cache}/edit/hours-${range.first}-${token}.txt`;
  await files.writeAtomic(file, text);
  try {
    const known = new Set(entries.flatMap(({ id }) => id ?? []));
    const lines = await editUntilReadable(context, editor, file, (typed) =>
      readDayText(
        typed,
        known,
        days.map(({ date }) => date),
      ),
    );
    const changes = compareDays(entries, lines ?? []);
    if (lines === undefined || changes.created.length + changes.updated.length + changes.deleted.length === 0) {
      await context.notice('Nothing was changed.');
    } else {
      await applyChanges(context, await planChanges(context, changes, dates.temporal));
    }
  } catch (error) {
    // What was typed is never lost: the file stays until it has been sent.
    throw withDraft(error, file);
  }
  await files.remove(file);
}

/** The lines; undefined when nothing is left in the file. Where they cannot be read, the person may edit again. */
async function editUntilReadable(
  context: Needs<'files' | 'notice' | 'programs' | 'prompts' | 'signal'>,
  editor: string,
  file: string,
  read: (text: string) => readonly TextLine[],
): Promise<readonly TextLine[] | undefined> {
  const { prompts } = context;
  for (;;) {
    const text = await editText(context, editor, file);
    if (text.split('\n').every((line) => line.trim() === '' || line.startsWith('#'))) return undefined;
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const line of [error.message, ...(error.details.lines ?? []), error.hint ?? '']) await context.notice(line);
      if (!(await prompts.confirm('Edit again?', context.signal))) throw error;
    }
  }
}
