import type { Resource } from '../../catalog/define.ts';
import { type CommandSpec, defineCommand, text } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import { ConflictError, SvcError, UsageError } from '../../errors.ts';
import { type FindingRecords, namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { type Found, recordNow, usableEtag } from '../../records/record-at.ts';
import { allStatuses, legalTargets, type Status, statusNamed } from '../../records/statuses.ts';
import type { Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { scalarText } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { calledIn } from '../nouns/written.ts';
import { ACTION_OPTIONS, type ActionOptions, act, checkAction } from './act.ts';

/** `svc work-items transition <id> --to <status>` (rules 5.2 to 5.10). The same status is a success. */
export function transitionCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'transition',
    summary: 'Move a work item to another workflow status',
    description:
      'Moves it along its workflow. A move that the workflow does not have is refused, and svc names those it has. Moving it to where it is already is a success.',
    args: [{ name: 'id', summary: itsId(resource) }],
    options: {
      to: text('--to <id|name>', 'The status to move it to (required)', {
        type: 'id-or-name',
        completes: { records: 'workflow-statuses', as: 'name' },
      }),
      ...ACTION_OPTIONS,
    },
    examples: [
      { args: 'work-items transition ABC-12 --to Done', does: 'It is done' },
      { args: 'work-items transition ABC-12 --to 7 --if-unchanged', does: 'To status 7, unless somebody else moved it' },
    ],
    async run(context: Needs<Printing | FindingRecords | 'host'>, { args: [typed = ''], options }) {
      const { to } = options;
      if (to === undefined || to.trim() === '') {
        throw new UsageError('"svc work-items transition" needs --to <id|name>.', {
          hint: `For example: svc work-items transition ${typed} --to Done`,
        });
      }
      checkAction(options);
      const id = await namedRecord(context, resource, typed);
      itemPath(resource, id);
      const numeric = /^\d+$/.test(to) ? Number(to) : undefined;
      const asks = numeric === undefined && !context.globals.dryRun;
      const [before, statuses] = asks ? await together(currentState(context, resource, id), allStatuses(context)) : [];
      const target = numeric ?? (before === undefined ? `<id of ${to}>` : statusOf(statuses ?? [], to, before.statusId));
      try {
        await act(context, {
          resource,
          id,
          name: 'transition',
          body: { workflow_status_id: target },
          options,
          line: (record) => `${calledIn(record, id)} is now ${numeric === undefined ? to : `in status #${numeric}`}`,
          etag: etagOf(before?.found, options),
        });
      } catch (error) {
        throw error instanceof ConflictError && error.details.status === 409 ? await withLegalTargets(context, error, resource, id) : error;
      }
    },
  });
}

/** No id of anything: what {@link State} has for a work item without a status. */
const NO_STATUS = 0;

interface State {
  readonly statusId: number;
  readonly found: Found;
}

async function currentState(context: Needs<'client'>, resource: Resource, id: string): Promise<State> {
  const found = await recordNow(context, itemPath(resource, id));
  return { statusId: Number(scalarText(found.record['workflow_status_id'])), found };
}

/** What the move depends on, where it shall and the work item was read for its status anyway. */
function etagOf(found: Found | undefined, { ifUnchanged }: ActionOptions): string | undefined {
  return found === undefined || !ifUnchanged ? undefined : usableEtag(found);
}

/** The status of a name in the work item's own workflow, of which several may have one of that name. */
function statusOf(statuses: readonly Status[], name: string, currentId: number): number {
  const own = statuses.find(({ id }) => id === currentId)?.workflowId;
  return statusNamed(own === undefined ? statuses : statuses.filter(({ workflowId }) => workflowId === own), name);
}

/** The same failure, with the moves that the workflow has from here; if these cannot be read, as it was. */
async function withLegalTargets(
  context: Needs<'client' | 'signal'>,
  error: ConflictError,
  resource: Resource,
  id: string,
): Promise<ConflictError> {
  try {
    const [{ statusId }, statuses] = await Promise.all([currentState(context, resource, id), allStatuses(context)]);
    const targets = await legalTargets(context, statusId);
    const names = new Map(statuses.map((status) => [status.id, status.name]));
    const legal = targets.map((target) => `${names.get(target) ?? 'status'} (${target})`);
    const from = names.get(statusId) ?? `status ${statusId}`;
    const hint =
      statusId === NO_STATUS
        ? 'It has no status yet, and every move begins at one.'
        : legal.length === 0
          ? `From ${from} the workflow leads nowhere.`
          : `From ${from} it can go to: ${legal.join(', ')}.`;
    return new ConflictError(error.message, { hint, details: error.details, cause: error });
  } catch (failure) {
    if (!(failure instanceof SvcError) || context.signal.aborted) throw failure;
    return error;
  }
}
