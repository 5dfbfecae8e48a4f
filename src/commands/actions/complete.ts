import type { Resource } from '../../catalog/define.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import { readBody } from '../../records/body.ts';
import { BODY_OPTIONS } from '../../records/body-flags.ts';
import type { Understanding } from '../../records/kinds.ts';
import { type FindingRecords, namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import type { Context, Needs } from '../../session/context.ts';
import { type Confirming, calledIn } from '../nouns/written.ts';
import { ACTION_OPTIONS, act, checkAction } from './act.ts';

/** `svc sprints complete <id>` (rule 9.60). What its body holds is not documented, so it is empty unless somebody fills it. */
export function completeCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'complete',
    summary: 'Complete a sprint',
    description: 'svc ends a sprint. -F sends any other field that your service needs.',
    args: [{ name: 'id', summary: itsId(resource) }],
    options: { ...BODY_OPTIONS, ...ACTION_OPTIONS },
    examples: [
      { args: 'sprints complete 14', does: 'Complete sprint 14' },
      { args: 'sprints complete 14 --if-unchanged', does: 'Complete the sprint, unless somebody changes it in between' },
    ],
    async run(
      context: Needs<Confirming | Understanding | FindingRecords | 'host' | 'readFileArgument' | 'tellOnce'>,
      { args: [typed = ''], options },
    ) {
      checkAction(options);
      const id = await namedRecord(context, resource, typed);
      itemPath(resource, id);
      const { body } = await readBody(context, { ...resource, fields: {} }, 'update', options);
      await act(context, { resource, id, name: 'complete', body, options, line: (record) => `Completed ${calledIn(record, id)}` });
    },
  });
}
