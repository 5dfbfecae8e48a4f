import type { Resource } from '../../catalog/define.ts';
import { naming } from '../../cli/naming.ts';
import { type CommandSpec, defineCommand, text } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { readBody } from '../../records/body.ts';
import { BODY_OPTIONS } from '../../records/body-flags.ts';
import type { Understanding } from '../../records/kinds.ts';
import { type FindingRecords, namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import type { Context, Needs } from '../../session/context.ts';
import { parseWorkItem } from '../../values/work-item.ts';
import { type Confirming, calledIn } from '../nouns/written.ts';
import { ACTION_OPTIONS, act, checkAction } from './act.ts';

/** `svc work-items move <id> --after <id or key>` (rules 9.58, 9.59): the one body that takes a key as it is (rule 2.14). */
export function moveCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'move',
    summary: 'Place a work item after another, on the board or in the backlog',
    description: 'svc moves the work item, as dragging does in the web app. -F sends any other field that your service takes here.',
    args: [{ name: 'id', summary: itsId(resource) }],
    options: {
      after: text('--after <id|key>', 'Place the work item after this one', { type: 'work-item', completes: { records: 'work-items' } }),
      ...BODY_OPTIONS,
      ...ACTION_OPTIONS,
    },
    examples: [
      { args: 'work-items move ABC-12 --after ABC-7', does: 'Place ABC-12 right after ABC-7' },
      { args: 'work-items move ABC-12 --after 4711 --dry-run', does: 'Show what svc would send' },
    ],
    async run(
      context: Needs<Confirming | Understanding | FindingRecords | 'host' | 'readFileArgument' | 'tellOnce'>,
      { args: [typed = ''], options },
    ) {
      checkAction(options);
      const id = await namedRecord(context, resource, typed);
      itemPath(resource, id);
      const { after } = options;
      // None of the flags for fields: what is moved is its place, not its fields.
      const { body } = await readBody(context, { ...resource, fields: {} }, 'update', options);
      if (after !== undefined) {
        const ref = await naming('--after', () => parseWorkItem(after));
        body['after_work_item_id'] = ref.kind === 'id' ? ref.id : ref.key;
      }
      if (Object.keys(body).length === 0)
        throw new UsageError('"svc work-items move" needs --after <id|key>.', {
          hint: `For example: svc work-items move ${id} --after ABC-7`,
        });
      await act(context, {
        resource,
        id,
        name: 'move',
        body,
        options,
        line: (record) => `Moved ${calledIn(record, id)}${after === undefined ? '' : ` after ${after}`}`,
      });
    },
  });
}
