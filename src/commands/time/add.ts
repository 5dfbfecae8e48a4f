import { anyWords, defineCommand, type LoadedCommand } from '../../cli/spec.ts';
import type { DirectoryFile } from '../../config/directory-file.ts';
import { NetworkError, UsageError, withHint } from '../../errors.ts';
import type { Context } from '../../session/context.ts';
import { ADD_OPTIONS, PLACE_FIELDS } from './add-options.ts';

export function addCommand(base: LoadedCommand<Context>): LoadedCommand<Context> {
  return defineCommand({
    ...base,
    summary: 'Log hours',
    description:
      'Type a duration, a work item and what you did. If the first arguments of the text name a project or work item, svc logs on this record. svc takes missing parts from .svc.json and from the work item key in your git branch. svc prints how svc understood the entry. svc warns when the day is full, is a holiday, or has an absence. At a terminal svc asks for missing values. svc also asks before it logs the same entry again. If you type only flags, svc sends exactly their values, in one request.',
    args: [
      anyWords('words', 'A duration (1h30), a work item (ABC-12) or a project (project:3, "project:Web shop"), and what you did', {
        records: 'work-items',
        behind: { 'project:': 'projects' },
      }),
    ],
    ...(base.options && { catalogOptions: base.options }),
    options: ADD_OPTIONS,
    examples: [
      { args: 'worklogs add 1h30 ABC-12 "Review"', does: 'Log an hour and a half, today' },
      { args: 'worklogs add ABC-12 --from 9:15 --to 11:00 --date yesterday', does: 'Log the time from 9:15 to 11:00' },
      { args: 'worklogs add 15m "Stand-up" --repeat mon-fri', does: 'Log the same hours on Monday to Friday of this week' },
      { args: 'worklogs add 2h --like last', does: 'Log two hours like your last entry' },
      { args: 'worklogs add --minutes 90 --later', does: 'Keep the entry until svc outbox send' },
      { args: 'worklogs add --minutes 90', does: 'Log exactly these values, in one request' },
    ],
    async run(context: Context, { args, options, given: flags }) {
      if (options.later) context.keepWrites();
      const directory = options.noContext ? undefined : await workHere(context, flags, args);
      const dates = options.date ?? [];
      const plainDate = dates.length === 1 && !/,|\.\./.test(dates[0] ?? '');
      const oneDay = dates.length === 0 || plainDate;
      const isPlain =
        args.length === 0 && oneDay && [options.repeat, options.from, options.to, options.like].every((value) => value === undefined);
      // An Idempotency-Key already prevents a second entry. svc does not interpret --data, -F and -f.
      const isGuarded = [options.data, options.field, options.rawField, options.idempotencyKey].some((value) => value !== undefined);
      const hasPerson = context.interactive && !context.globals.dryRun && !isGuarded;
      const lacksLength = [flags['minutes'], options.from, options.to, options.like].every((value) => value === undefined);
      const { words, given } =
        hasPerson && lacksLength
          ? await (await import('./ask-hours.ts')).askHours(context, { words: args, given: flags, directory })
          : { words: args, given: flags };
      const isNothing = /^\s*0+(?:[.,:]0+)?\s*[a-z]*\s*$/i.test(String(given['minutes'] ?? ''));
      if (isPlain && directory === undefined && !hasPerson && !isNothing) {
        return base.run?.(context, { args: [], options: { ...given, date: dates[0] } });
      }
      const { logEntries } = await import('./log-entries.ts');
      const logging = logEntries(context, { words, options, given, directory, isPlain });
      return logging.catch((error: unknown) => explainLookup(error, options.later === true));
    },
  });
}

/** Explains a failure of a request before the write, for which svc needs a connection too. */
function explainLookup(error: unknown, later: boolean): never {
  if (!(error instanceof NetworkError) || error.details.request?.startsWith('GET ') !== true) throw error;
  throw withHint(
    error,
    later
      ? 'svc stored nothing, because svc could not look up a name. To use the local database, add --offline.'
      : 'svc logged nothing. To store the entry for later, add --later --offline.',
  );
}

/**
 * Finds the `.svc.json` with a project or work item. Ignores a broken file if the user named a project or work item.
 *
 * @throws UsageError for a broken file that svc needs.
 */
async function workHere(
  context: Context,
  given: Readonly<Record<string, unknown>>,
  words: readonly string[],
): Promise<DirectoryFile | undefined> {
  const { findDirectoryFile, namesWork } = await import('../../config/directory-file.ts');
  try {
    return await findDirectoryFile(context, namesWork);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { workItem, project } = (await import('../../time/entry-words.ts')).readEntryWords(words);
    const isPlaced = workItem !== undefined || project !== undefined || PLACE_FIELDS.some((name) => given[name] !== undefined);
    if (!isPlaced) throw error;
    return undefined;
  }
}
