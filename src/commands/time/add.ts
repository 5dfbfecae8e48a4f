import { type CommandSpec, defineCommand, type OptionSpec, type Options, repeated, text, toggle } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

/** The flags that `worklogs add` has beside those of every `create`. */
export const TALK_OPTIONS = {
  date: repeated('--date <date>', 'The day; several with commas or as monday..friday; today if not given', { group: 'Days' }),
  repeat: text('--repeat <weekdays>', 'Those days of the week: mon-fri, or mon,wed', { group: 'Days' }),
  from: text('--from <hh:mm>', 'When it began; with --to, instead of a duration', { group: 'Days' }),
  to: text('--to <hh:mm>', 'When it ended', { group: 'Days' }),
  like: text('--like <last|id>', 'As your last entry, or another one; what is typed goes before it', { group: 'Fields' }),
  noCheck: toggle('--no-check', 'Do not look whether the day is full, or free', { group: 'Request' }),
  noContext: toggle('--no-context', 'Nothing from .svc.json or the git branch', { group: 'Fields' }),
} as const satisfies Options;

/**
 * `svc worklogs add 1h30 ABC-12 "Review"`: the generic create, and a way to say it in words. Flags alone are sent as they are, with one
 * request; words are understood, completed and checked first, by code that is loaded then.
 *
 * @param base The create of worklogs as the catalog makes it.
 */
export function addCommand(base: CommandSpec<Context>): CommandSpec<Context> {
  return defineCommand({
    ...base,
    summary: 'Log hours',
    description:
      'Say it in words: a duration, a work item, a text. svc says what it understood, fills in what is not typed from .svc.json and the key in the name of the git branch, and warns when the day is full, a holiday or an absence. With flags alone it sends what they say, in one request.',
    args: [
      { name: 'words', summary: 'A duration (1h30), a work item (ABC-12) or project:3, and what was done', optional: true, variadic: true },
    ],
    options: { ...base.options, ...TALK_OPTIONS } as Readonly<Record<string, OptionSpec>>,
    examples: [
      { args: 'worklogs add 1h30 ABC-12 "Review"', does: 'An hour and a half, today' },
      { args: 'worklogs add ABC-12 --from 9:15 --to 11:00 --date yesterday', does: 'From one time to another' },
      { args: 'worklogs add 15m "Stand-up" --repeat mon-fri', does: 'Every day of this week' },
      { args: 'worklogs add 2h --like last', does: 'Two hours more of the same' },
      { args: 'worklogs add --minutes 90', does: 'With flags alone: exactly this, in one request' },
    ],
    async run(context: Context, { args, options }) {
      const given: Readonly<Record<string, unknown>> = options;
      const { findDirectoryFile, namesWork } = await import('../../config/directory-file.ts');
      const { files, system } = context;
      const directory = given['noContext'] ? undefined : await findDirectoryFile(files, system.cwd, namesWork);
      const dates = (given['date'] ?? []) as readonly string[];
      const plainDate = dates.length === 1 && !/,|\.\./.test(dates[0] ?? '');
      const oneDay = dates.length === 0 || plainDate;
      const isPlain = args.length === 0 && oneDay && ['repeat', 'from', 'to', 'like'].every((name) => given[name] === undefined);
      if (isPlain && directory === undefined) {
        return base.run?.(context, { args: [], options: { ...given, date: dates[0] } as never });
      }
      const { talk } = await import('./talk.ts');
      return talk(context, { words: args, options: given, directory, isPlain });
    },
  });
}
