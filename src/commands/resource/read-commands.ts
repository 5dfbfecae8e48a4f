import type { Resource } from '../../catalog/define.ts';
import { notesOf } from '../../catalog/rules.ts';
import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand, type LoadedCommand } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import { parentArgs } from '../../records/paths.ts';
import type { Context } from '../../session/context.ts';
import { examplesOf } from './examples.ts';
import { getOptions, listOptions, shortcutOptions } from './read-flags.ts';

// Help and completion need only these specs. Each command loads its other code when it runs.

export function listCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: READING_GLOBALS,
    description: notesOf(resource, 'list').join(' ') || undefined,
    args: parentArgs(resource),
    catalogOptions: shortcutOptions(resource),
    options: listOptions(resource),
    examples: examplesOf(resource, 'list'),
    async run(context: Context, input) {
      await (await import('./list.ts')).listRecords(context, resource, input);
    },
  });
}

export function getCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: READING_GLOBALS,
    args: [...parentArgs(resource), { name: 'id', summary: `${itsId(resource)}; for several records, svc prints a list`, variadic: true }],
    options: getOptions(resource),
    examples: examplesOf(resource, 'get'),
    async run(context: Context, input) {
      await (await import('./get.ts')).getRecords(context, resource, input);
    },
  });
}
