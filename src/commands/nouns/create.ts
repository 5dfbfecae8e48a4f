import type { Resource } from '../../catalog/define.ts';
import { notesOf } from '../../catalog/rules.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { summaryOf } from '../../cli/words.ts';
import { fieldOptions } from '../../records/body-flags.ts';
import { parentArgs } from '../../records/paths.ts';
import type { Context } from '../../session/context.ts';
import { examplesOf } from './examples.ts';
import { CREATE_OPTIONS } from './write-flags.ts';

/** `svc <noun> create`: exactly one POST. Hours are added rather than created. */
export function createCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: resource.createAs?.name ?? 'create',
    summary: summaryOf(resource, 'create'),
    description: notesOf(resource, 'create').join(' ') || undefined,
    args: parentArgs(resource),
    catalogOptions: fieldOptions(resource, 'create'),
    options: CREATE_OPTIONS,
    examples: examplesOf(resource, 'create'),
    async run(context: Context, input) {
      // Help needs nothing of this.
      await (await import('./send-create.ts')).sendCreate(context, resource, input);
    },
  });
}
