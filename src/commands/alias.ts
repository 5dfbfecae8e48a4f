import { findCommandEntry } from '../cli/resolve.ts';
import { defineCommand, defineGroup, type LoadedCommand } from '../cli/spec.ts';
import { openAliasFile } from '../config/alias-file.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import type { Context, Needs } from '../session/context.ts';
import { type Printing, printRecords } from '../session/print.ts';
import { readAlias } from '../values/command-line.ts';
import { nearest } from '../values/suggest.ts';

const NAME = /^[A-Za-z][\w-]{0,39}$/;

export function aliasCommand(root: LoadedCommand<Context>): LoadedCommand<Context> {
  const set = defineCommand({
    name: 'set',
    showsGlobals: [],
    summary: 'Define an alias for a command line',
    description:
      'Put the command line between quotes. $1 to $9 are the words that you type after the alias; svc adds other words at the end. svc runs a line without a shell, or with sh if the line starts with an exclamation mark. An alias never replaces a command of svc.',
    args: [
      { name: 'name', summary: 'The name of the alias' },
      { name: 'line', summary: 'The command line, without svc' },
    ],
    examples: [
      {
        args: `alias set standup 'worklogs add 15m "Stand-up" --no-context'`,
        does: 'Define svc standup, which takes no work item from the git branch',
      },
      { args: `alias set mine 'work-items list --assignee me --project $1'`, does: 'Define an alias with an argument, for svc mine 12' },
      { args: `alias set back '!svc undo --yes && svc status'`, does: 'Run two commands with a shell' },
    ],
    async run(context: Needs<'files' | 'notice' | 'paths'>, { args: [name = '', line = ''] }) {
      if (!NAME.test(name))
        throw new UsageError(`"${name}" cannot be an alias.`, {
          hint: 'Use a letter, then letters, digits, - and _: 40 characters at most.',
        });
      if (name === 'help' || findCommandEntry(root.commands ?? [], name) !== undefined)
        throw new UsageError(`${name} is a command of svc.`, { hint: 'Choose another word.' });
      const expansion = readAlias(line);
      const first = 'words' in expansion ? expansion.words.find((word) => !word.startsWith('-')) : expansion.shell;
      if (first === undefined || first === '')
        throw new UsageError('The line is empty.', { hint: 'To remove an alias: svc alias delete <name>' });
      if ('words' in expansion && findCommandEntry(root.commands ?? [], first) === undefined)
        throw new UsageError(`svc has no command "${first}".`, {
          hint: 'See: svc --help. A line for a shell begins with an exclamation mark.',
        });
      await openAliasFile(context.files, context.paths.config).set(name, line);
      await context.notice(`svc ${name} is now: ${'words' in expansion ? `svc ${line.trim().replace(/^svc /, '')}` : expansion.shell}`);
    },
  });

  return defineGroup<Context>({
    commands: [set, list, remove],
    examples: [
      {
        args: `alias set standup 'worklogs add 15m "Stand-up" --no-context'`,
        does: 'Define svc standup, which takes no work item from the git branch',
      },
      { args: 'alias list', does: 'List your aliases' },
    ],
  });
}

const list = defineCommand({
  name: 'list',
  showsGlobals: ['output', 'fields', 'jq'],
  summary: 'List your aliases',
  examples: [{ args: 'alias list', does: 'List each alias with its command line' }],
  async run(context: Needs<Printing | 'files' | 'paths'>) {
    const aliases = Object.entries(await openAliasFile(context.files, context.paths.config).read());
    await printRecords(
      context,
      aliases.map(([name, line]) => ({ name, line })),
      ['name', 'line'],
    );
    if (aliases.length === 0 && context.stdio.stdout.isTTY) await context.notice('You have no aliases.');
  },
});

const remove = defineCommand({
  name: 'delete',
  showsGlobals: [],
  summary: 'Delete an alias',
  args: [{ name: 'name', summary: 'The name of the alias', completes: 'alias' }],
  examples: [{ args: 'alias delete standup', does: 'Delete an alias' }],
  async run(context: Needs<'files' | 'notice' | 'paths'>, { args: [name = ''] }) {
    const file = openAliasFile(context.files, context.paths.config);
    if (await file.delete(name)) return context.notice(`Deleted the alias ${name}.`);
    const near = nearest(name, Object.keys(await file.read()));
    throw new NotFoundError(`svc has no alias ${name}.`, {
      hint: near === undefined ? 'See: svc alias list' : `Did you mean: svc alias delete ${near}`,
    });
  },
});
