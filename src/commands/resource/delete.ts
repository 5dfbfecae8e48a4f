import { type BulkWrite, readsIds, readTargets, writeEach } from '../../bulk/bulk-ids.ts';
import { AT_ONCE, inOrder } from '../../bulk/in-order.ts';
import type { Resource } from '../../catalog/define.ts';
import { singularName } from '../../catalog/rules.ts';
import type { TypedInput } from '../../cli/spec.ts';
import { commandWords } from '../../cli/words.ts';
import { ConflictError, DeclinedError, ForbiddenError, NotFoundError, RefusedError, SvcError, UsageError } from '../../errors.ts';
import { dateTimeDisplay, type ShowDateTime } from '../../output/cell.ts';
import { neutraliseLine } from '../../output/neutralise.ts';
import { namesOf } from '../../records/cached-names.ts';
import { namedPlace } from '../../records/named-place.ts';
import { itemPath, readId } from '../../records/paths.ts';
import { recordNow, usableEtag, withEtag } from '../../records/record-at.ts';
import { checkMayDelete, describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import { type Printing, printOneOrMany, printRecords } from '../../session/print.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { idValue } from '../../values/scalars.ts';
import { were } from '../../values/text.ts';
import { throwFailures } from '../throw-failures.ts';
import { type CONDITION_OPTIONS, checkConditions, conditionOf } from './write-flags.ts';

interface Target {
  readonly id: string;
  readonly path: string;
}

export async function deleteRecords(
  context: Context,
  resource: Resource,
  { args, options }: TypedInput<typeof CONDITION_OPTIONS>,
): Promise<void> {
  checkConditions(options);
  const { parent, rest } = await namedPlace(context, resource, args, false);
  const conditional = options.ifMatch !== undefined || options.ifUnchanged === true;
  if (readsIds(rest) && conditional) throw forOne('--if-match and --if-unchanged');
  if (readsIds(rest)) return deleteFromStdin(context, { resource, parent, method: 'DELETE' });
  const ids = [...new Set(rest.map((id) => readId(resource, id)))];
  const targets = ids.map((id) => ({ id, path: itemPath(resource, id, parent) }));
  if (targets.length > 1 && options.ifMatch !== undefined) throw forOne('--if-match');
  if (context.globals.dryRun) {
    const ifMatch = await conditionOf(context, options, '', []);
    const writes = targets.map(({ path }) => describeWrite(context, resource, { method: 'DELETE', path, ifMatch }));
    const descriptions = await Promise.all(writes);
    return printOneOrMany(context, descriptions, targets.length > 1);
  }
  // svc reports a missing token before it asks a question or sends a request.
  await checkMayDelete(context);
  const seen = await confirmDelete(context, resource, targets, options.ifUnchanged);
  await deleteEach(context, resource, targets, async ({ id, path }) => {
    const read = [...commandWords(resource, 'get').split(' '), ...(parent === undefined ? [] : [parent]), id];
    // The ETag of the record in the question takes precedence over the ETag of the last read.
    return seen.get(path) ?? conditionOf(context, options, path, read);
  });
}

function forOne(flags: string): UsageError {
  return new UsageError(`Use ${flags} for one record only.`, { hint: 'Leave out the flag, or name one id.' });
}

async function deleteFromStdin(context: Context, write: BulkWrite): Promise<void> {
  const targets = await readTargets(context, write);
  if (!context.globals.dryRun) {
    await checkMayDelete(context);
    if (!context.globals.yes && context.plan === undefined)
      throw new UsageError(`svc cannot ask about these ${targets.length} records, because standard input has the ids.`, {
        hint: 'Add --yes if you are sure.',
      });
  }
  await writeEach(context, targets, write);
}

interface Outcome {
  readonly result: JsonObject;
  readonly line?: string | undefined;
  readonly failure?: SvcError;
}

async function deleteEach(
  context: Needs<Printing | 'client' | 'plan' | 'signal'>,
  resource: Resource,
  targets: readonly Target[],
  conditionAt: (target: Target) => Promise<string | undefined>,
): Promise<void> {
  const thing = singularName(resource);
  let worked = false;
  let stopped = false;
  const attempt = async (target: Target): Promise<Outcome> => {
    const { id, path } = target;
    if (stopped) return { result: { id: idValue(id), deleted: false, error: 'Not tried.' } };
    try {
      await sendWrite(context, { method: 'DELETE', path, ifMatch: await conditionAt(target) });
      worked = true;
      const line = context.plan === undefined ? `Deleted ${thing} ${id}.` : undefined;
      return { result: { id: idValue(id), deleted: context.plan === undefined }, line };
    } catch (thrown) {
      const error = await withEtag(context, thrown, path);
      if (!(error instanceof SvcError) || targets.length === 1 || context.signal.aborted) throw error;
      // Any other failure, such as an expired token, would repeat for every record.
      stopped ||= ![NotFoundError, ConflictError, RefusedError, ForbiddenError].some((type) => error instanceof type);
      const line = `Not deleted: ${thing} ${id}. ${error.message}`;
      return { result: { id: idValue(id), deleted: false, error: error.message }, line, failure: error };
    }
  };
  const results: JsonObject[] = [];
  const failures: SvcError[] = [];
  // Until a delete succeeds, svc deletes one record at a time. A failure that would repeat then stops svc before the next record.
  for await (const { result, line, failure } of inOrder(targets, () => (worked ? AT_ONCE : 1), attempt)) {
    results.push(result);
    if (line !== undefined) await context.notice(line);
    if (failure !== undefined) failures.push(failure);
  }
  if (!(await context.presentation()).isDefaultFormat) await printRecords(context, results, ['id', 'deleted', 'error']);
  const deleted = results.filter((result) => result['deleted'] === true).length;
  const message = `${deleted} of ${targets.length} ${were(deleted)} deleted.`;
  throwFailures(failures, deleted, message, 'svc printed the result of each record above.');
}

/**
 * Shows the records, and asks whether to delete the records. With --if-unchanged, returns the ETags of the shown records by path. Without a
 * terminal, the command needs `--yes`.
 */
async function confirmDelete(
  context: Needs<Asking | 'client' | 'globals' | 'plan' | 'stdio' | 'timeZone'>,
  resource: Resource,
  targets: readonly Target[],
  ifUnchanged: boolean | undefined,
): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  // The user approves a plan with `svc apply`, so this step needs no question.
  if (context.globals.yes || context.plan !== undefined) return seen;
  if (!context.interactive) throw new UsageError('svc asks before a delete, and cannot ask here.', { hint: 'Add --yes if you are sure.' });
  const showDateTime = dateTimeDisplay(await context.timeZone());
  const read = async (target: Target) => ({ ...target, found: await recordNow(context, target.path) });
  for await (const { id, path, found } of inOrder(targets, AT_ONCE, read)) {
    if (ifUnchanged) seen.set(path, usableEtag(found));
    const name = lineOf(found.record, showDateTime);
    await context.stdio.stderr.write(`  ${singularName(resource)} ${id}${name === '' ? '' : `: ${neutraliseLine(name)}`}\n`);
  }
  await context.stdio.stderr.write('svc cannot undo a delete.\n');
  const question = targets.length === 1 ? 'Delete this record?' : `Delete these ${targets.length} records?`;
  if (!(await context.prompts.confirm(question, context.signal))) throw new DeclinedError('svc deleted nothing.', { hint: 'You said no.' });
  return seen;
}

/**
 * Describes a record on one line of at most 120 characters, for the question before a delete. The line has the work item key and the names.
 */
function lineOf(record: JsonObject, showDateTime: ShowDateTime): string {
  const texts = [scalarText(record['issue_key']), ...namesOf(record, showDateTime)].filter((text) => text !== '');
  return texts.slice(0, 5).join(', ').slice(0, 120);
}
