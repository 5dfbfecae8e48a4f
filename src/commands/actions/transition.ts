import type { Resource } from '../../catalog/define.ts';
import { defineCommand, type LoadedCommand, text } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  RefusedError,
  SignInError,
  SvcError,
  UsageError,
  undefinedFor,
} from '../../errors.ts';
import { type FindingRecords, namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { placeholderId } from '../../records/placeholder-id.ts';
import { type CurrentRecord, recordNow } from '../../records/record-at.ts';
import { allowedTargets, allowsTransition, allStatuses, sameName, statusNamed } from '../../records/workflows.ts';
import type { Context, Needs } from '../../session/context.ts';
import { keepsBefore } from '../../session/environment.ts';
import type { PrintingCommand } from '../../session/printed-command.ts';
import { isPlainLine } from '../../values/hidden-characters.ts';
import { scalarText } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { checkConditions } from '../resource/write-flags.ts';
import { calledIn } from '../resource/written.ts';
import { ACTION_OPTIONS, act } from './act.ts';

/** Defines `svc work-items transition` (rules 5.2 to 5.10). A transition to the current status succeeds. */
export function transitionCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description:
      'svc sets another status from the workflow of the work item. If the workflow does not allow the transition, svc lists the allowed transitions and exits with 6. If the work item already has this status, svc changes nothing. At a terminal, without --to, svc lists the allowed transitions to choose from. A dry run looks up a status by its name, and fails if the workflow does not allow the transition. A dry run does not check a status id.',
    args: [{ name: 'id', summary: itsId(resource) }],
    options: {
      to: text('--to <id|name>', 'Set this status (required)', {
        type: 'id-or-name',
        completes: { records: 'workflow-statuses', as: 'move' },
      }),
      ...ACTION_OPTIONS,
    },
    examples: [
      { args: 'work-items transition ABC-12 --to Done', does: 'Set the status Done' },
      {
        args: 'work-items transition ABC-12 --to 7 --if-unchanged',
        does: 'Set status 7, unless somebody changed the work item since you read it',
      },
    ],
    async run(context: Context, { args: [typed = ''], options }) {
      const { to = '' } = options;
      const asks = to.trim() === '' && context.interactive && !context.globals.dryRun;
      if (to.trim() === '' && !asks) {
        throw new UsageError('"svc work-items transition" needs --to <id|name>.', {
          hint: `For example: svc work-items transition ${typed} --to Done`,
        });
      }
      checkConditions(options);
      const id = await namedRecord(context, resource, typed);
      itemPath(resource, id);
      const { target, called, was, found } = asks ? await pickMove(context, resource, id) : await readMove(context, resource, id, to);
      try {
        await act(context, {
          resource,
          id,
          name: 'transition',
          body: { workflow_status_id: target },
          options,
          line(record, before) {
            const statusId = scalarText(before?.['workflow_status_id']);
            const earlier = was ?? (statusId === '' ? undefined : `in status #${statusId}`);
            return `${calledIn(record, id)} is now ${called}${earlier === undefined ? '' : ` (was ${earlier})`}`;
          },
          leadsBack: await leadsBack(context, resource, id, target, found),
        });
      } catch (error) {
        throw error instanceof ConflictError && error.details.status === 409
          ? await withAllowedTargets(context, error, resource, id)
          : error;
      }
    },
  });
}

interface Move {
  /** The id of the new status. In a dry run without a sign-in, a placeholder stands for the id of a typed name. */
  readonly target: number | string;
  readonly called: string;
  readonly was?: string | undefined;
  readonly found?: CurrentRecord;
}

/** Finds the status that the user typed, by its id or by its name in the work item’s own workflow. */
async function readMove(
  context: Needs<'client' | 'globals' | 'notifyOnce' | 'signal'>,
  resource: Resource,
  id: string,
  to: string,
): Promise<Move> {
  if (/^\d+$/.test(to)) return { target: Number(to), called: `in status #${Number(to)}` };
  const { dryRun } = context.globals;
  const reading = together(currentState(context, resource, id), allStatuses(context));
  // Without a sign-in, a dry run shows the known part of the request.
  const read = dryRun ? await reading.catch(undefinedFor(SignInError)) : await reading;
  if (read === undefined) return { target: placeholderId(context, to), called: to };
  const [before, statuses] = read;
  const now = statuses.find(({ id }) => id === before.statusId);
  // Other workflows can have a status with the same name. If svc knows the work item’s workflow, svc searches only this workflow.
  const own = now?.workflowId === undefined ? statuses : statuses.filter(({ workflowId }) => workflowId === now.workflowId);
  const target = statusNamed(own, to);
  if (dryRun) await checkAllowed(context, resource, id, { from: before.statusId, target, called: to });
  return { target, called: to, was: now?.name, found: before.found };
}

/**
 * Checks in a dry run that the workflow allows the transition. The check also succeeds without permission to read the transitions.
 *
 * @throws ConflictError if the workflow does not allow the transition.
 */
async function checkAllowed(
  context: Needs<'client' | 'signal'>,
  resource: Resource,
  id: string,
  { from, target, called }: { readonly from: number; readonly target: number; readonly called: string },
): Promise<void> {
  if (from === target || (await allowsTransition(context, from, target)) !== false) return;
  throw await withAllowedTargets(
    context,
    new ConflictError(`The workflow does not allow the transition to ${called}.`, { hint: 'See: svc workflow-transitions list' }),
    resource,
    id,
  );
}

async function pickMove(context: Needs<FindingRecords | PrintingCommand>, resource: Resource, id: string): Promise<Move> {
  const [{ statusId, found }, statuses] = await together(currentState(context, resource, id), allStatuses(context));
  const now = statuses.find((status) => status.id === statusId);
  const allowed = await allowedTargets(context, statusId).catch((error: unknown) => {
    // If the service refuses to list the transitions, svc offers every other status of the workflow. The service refuses a transition that
    // is not allowed.
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError) && !(error instanceof RefusedError)) throw error;
    return statuses.filter((status) => status.workflowId === now?.workflowId && status.id !== statusId).map((status) => status.id);
  });
  const called = (target: number) => statuses.find((status) => status.id === target)?.name || `status ${target}`;
  if (allowed.length === 0)
    throw new ConflictError(`The workflow allows no transition from ${called(statusId)}.`, { hint: 'svc changed nothing.' });
  const choices = [...new Set(allowed)].map((target) => ({ name: called(target), value: String(target) }));
  const target = Number(
    await context.prompts.pick(`${calledIn(found.record, id)} is ${called(statusId)}. Which status do you want?`, choices, context.signal),
  );
  const name = called(target);
  const isAlone = statuses.filter((status) => status.workflowId === now?.workflowId && sameName(status.name, name)).length === 1;
  const { flagWords, printCommandLine } = await import('../../session/printed-command.ts');
  await printCommandLine(context, flagWords('to', isAlone && !/^\d+$/.test(name) && isPlainLine(name) ? name : String(target)));
  return { target, called: name, was: now?.name, found };
}

/**
 * Returns true if the workflow allows the transition back (rule 9.31), or if svc does not need the answer. Returns false if the service
 * refuses to list the transitions.
 */
async function leadsBack(
  context: Needs<'client' | 'env' | 'globals' | 'interactive' | 'plan'>,
  resource: Resource,
  id: string,
  target: Move['target'],
  found: CurrentRecord | undefined,
): Promise<boolean> {
  if (!keepsBefore(context) || context.globals.dryRun || context.plan !== undefined || typeof target === 'string') return true;
  const ifReadable = undefinedFor(ForbiddenError, NotFoundError, RefusedError);
  const seen = found ?? (await recordNow(context, itemPath(resource, id)).catch(ifReadable));
  const before = Number(scalarText(seen?.record['workflow_status_id']));
  return before === target || (await allowsTransition(context, target, before)) === true;
}

/** The `statusId` of a work item without a status. No status has this id. */
const NO_STATUS = 0;

async function currentState(context: Needs<'client'>, resource: Resource, id: string) {
  const found = await recordNow(context, itemPath(resource, id));
  return { statusId: Number(scalarText(found.record['workflow_status_id'])), found };
}

/** Adds the allowed transitions of the workflow to the error. If svc cannot read the transitions, the error stays unchanged. */
async function withAllowedTargets(
  context: Needs<'client' | 'signal'>,
  error: ConflictError,
  resource: Resource,
  id: string,
): Promise<ConflictError> {
  try {
    const [{ statusId }, statuses] = await Promise.all([currentState(context, resource, id), allStatuses(context)]);
    const targets = await allowedTargets(context, statusId);
    const names = new Map(statuses.map((status) => [status.id, status.name]));
    const allowed = targets.map((target) => `${names.get(target) ?? 'status'} (${target})`);
    const from = names.get(statusId) ?? `status ${statusId}`;
    const hint =
      statusId === NO_STATUS
        ? 'The work item has no status yet, and every transition starts from a status.'
        : allowed.length === 0
          ? `The workflow allows no transition from ${from}.`
          : `Allowed transitions from ${from}: ${allowed.join(', ')}.`;
    return new ConflictError(error.message, { hint, details: error.details, cause: error });
  } catch (failure) {
    if (!(failure instanceof SvcError) || context.signal.aborted) throw failure;
    return error;
  }
}
