import { completionLines } from '../../cli/complete/candidate.ts';
import { complete } from '../../cli/complete/complete.ts';
import { GLOBAL_OPTIONS } from '../../cli/globals.ts';
import { type CommandSpec, defineCommand, text, toggle } from '../../cli/spec.ts';
import type { Context, Needs } from '../../session/context.ts';
import { COMPLETE, createKnown } from './known.ts';

/** `svc __complete -- <words>…`: what a shell may offer; the scripts of `svc completion` ask it. */
export function shellCompletionCommand(root: CommandSpec): CommandSpec<Context> {
  return defineCommand({
    name: COMPLETE,
    showsGlobals: [],
    summary: 'What a shell may complete, for its completion script',
    description:
      'Give the words after svc up to the cursor, the last of them unfinished or empty. Prints a candidate a line, a tab, and what it is; then a line with a colon that says how to use them.',
    args: [{ name: 'word', summary: 'A word of the line', optional: true, variadic: true }],
    options: {
      empty: toggle('--empty', 'The unfinished word is empty, and not given'),
      ask: text('--ask <resource>', 'Ask the service for the names of these instead, and keep them'),
      of: text('--of <id|key>', 'The work item, where moves are asked for'),
    },
    examples: [{ args: '__complete -- worklogs li', does: 'What may follow' }],
    async run(
      context: Needs<
        | 'account'
        | 'accounts'
        | 'catalog'
        | 'client'
        | 'clock'
        | 'env'
        | 'files'
        | 'host'
        | 'paths'
        | 'programs'
        | 'settings'
        | 'stdio'
        | 'system'
      >,
      { args, options },
    ) {
      if (options.ask !== undefined) {
        const { askMoves, askRecords } = await import('../../records/ask-records.ts');
        return options.of === undefined ? askRecords(context, options.ask) : askMoves(context, options.of);
      }
      const typed = options.empty ? [...args, ''] : args;
      await context.stdio.stdout.write(completionLines(await complete(root, GLOBAL_OPTIONS, typed, createKnown(context))));
    },
  });
}
