import { type BulkWrite, readsIds, readTargets, writeEach } from '../../bulk/bulk-ids.ts';
import { AT_ONCE, inOrder } from '../../bulk/import/in-order.ts';
import type { Resource } from '../../catalog/define.ts';
import { notesOf, thingOf } from '../../catalog/rules.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { commandWords, itsId, summaryOf } from '../../cli/words.ts';
import {
  ConflictError,
  DeclinedError,
  exitCodeOf,
  ForbiddenError,
  NotFoundError,
  PartialError,
  RefusedError,
  SvcError,
  UsageError,
} from '../../errors.ts';
import { neutraliseLine } from '../../output/neutralise.ts';
import { namesOf } from '../../records/name-of.ts';
import { type FindingRecords, namedPlace } from '../../records/named-place.ts';
import { itemPath, parentArgs, readId } from '../../records/paths.ts';
import { currentEtag, recordNow, usableEtag } from '../../records/record-at.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printOneOrMany, printRecords } from '../../session/print.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { were } from '../../values/counted.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { examplesOf } from './examples.ts';
import { CONDITION_OPTIONS, type Conditions, checkConditions } from './write-flags.ts';

/** What it takes of a context to delete the records that standard input names. */
type DeletingMany =
  | Printing
  | ShowingProgress
  | 'argv'
  | 'client'
  | 'credentials'
  | 'files'
  | 'host'
  | 'paths'
  | 'plan'
  | 'readStdin'
  | 'settleWrites'
  | 'signal';

/** A record that is to go. */
interface Target {
  readonly id: string;
  readonly path: string;
}

/** The ETag that the deletion of a record depends on, by its path; absent: on nothing. */
type Etags = Map<string, string>;

/** `svc <noun> delete <id>…`: asks first at a terminal, then deletes and reports each. */
export function deleteCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun', 'yes'],
    name: 'delete',
    summary: summaryOf(resource, 'delete'),
    description: [
      'Deleting needs a personal access token with the Delete scope; a browser sign-in can never delete. See svc token set --help.',
      ...notesOf(resource, 'delete'),
    ].join(' '),
    args: [
      ...parentArgs(resource),
      {
        name: 'id',
        summary: `${itsId(resource)}; svc deletes several one by one; - reads ids from standard input`,
        variadic: true,
      },
    ],
    options: CONDITION_OPTIONS,
    examples: examplesOf(resource, 'delete'),
    async run(context: Needs<FindingRecords | DeletingMany | Asking>, { args, options }) {
      checkConditions(options);
      const { parent, rest } = await namedPlace(context, resource, args);
      const words = commandWords(resource, 'delete');
      if (rest.length === 0) throw new UsageError(`"svc ${words}" needs <id>.`, { hint: `See: svc ${words} --help` });
      const conditional = options.ifMatch !== undefined || options.ifUnchanged === true;
      if (readsIds(rest) && conditional) throw forOne('--if-match and --if-unchanged');
      if (readsIds(rest)) return deleteFromStdin(context, { resource, parent, method: 'DELETE' });
      const ids = [...new Set(rest.map((id) => readId(resource, id)))];
      const targets = ids.map((id) => ({ id, path: itemPath(resource, id, parent) }));
      if (targets.length > 1 && options.ifMatch !== undefined) throw forOne('--if-match');
      if (context.globals.dryRun) {
        const ifMatch = options.ifUnchanged ? '<its ETag now>' : options.ifMatch;
        const writes = targets.map(({ path }) => ({ method: 'DELETE', path, ifMatch }) as const);
        const descriptions = await Promise.all(writes.map((write) => describeWrite(context, resource, write)));
        return printOneOrMany(context, descriptions, targets.length > 1);
      }
      // Without a token that may delete, say so before asking and before sending anything.
      await (await context.credentials())({ method: 'DELETE', upload: false, signal: context.signal });
      const seen = await confirmDelete(context, resource, targets, options);
      await deleteEach(context, resource, targets, (path) => conditionOf(context, path, options, seen));
    },
  });
}

function forOne(flags: string): UsageError {
  return new UsageError(`${flags}: for the deletion of one record.`, { hint: 'Leave it out, or give one id.' });
}

/** What the deletion of a record depends on: the ETag of what was shown, where somebody was asked about it. */
async function conditionOf(
  context: Needs<'client'>,
  path: string,
  { ifMatch, ifUnchanged }: Conditions,
  seen: Etags,
): Promise<string | undefined> {
  return ifUnchanged ? (seen.get(path) ?? (await currentEtag(context, path))) : ifMatch;
}

async function deleteFromStdin(context: Needs<DeletingMany>, write: BulkWrite): Promise<void> {
  const targets = await readTargets(context, write);
  if (!context.globals.dryRun) {
    await (await context.credentials())({ method: 'DELETE', upload: false, signal: context.signal });
    if (!context.globals.yes && context.plan === undefined)
      throw new UsageError(`These are ${targets.length} records, and standard input is no place to ask.`, {
        hint: 'Add --yes if you are sure.',
      });
  }
  await writeEach(context, targets, write);
}

/** What came of the deletion of a record. */
interface Outcome {
  readonly result: JsonObject;
  /** What a person is told of it. */
  readonly line?: string | undefined;
  readonly failure?: SvcError;
}

async function deleteEach(
  context: Needs<Printing | 'client' | 'plan' | 'signal'>,
  resource: Resource,
  targets: readonly Target[],
  conditionAt: (path: string) => Promise<string | undefined>,
): Promise<void> {
  const thing = thingOf(resource);
  let worked = false;
  let stopped = false;
  const attempt = async ({ id, path }: Target): Promise<Outcome> => {
    if (stopped) return { result: { id: idValue(id), deleted: false, error: 'Not tried.' } };
    try {
      await sendWrite(context, { method: 'DELETE', path, ifMatch: await conditionAt(path) });
      worked = true;
      const line = context.plan === undefined ? `Deleted ${thing} ${id}.` : undefined;
      return { result: { id: idValue(id), deleted: context.plan === undefined }, line };
    } catch (error) {
      if (!(error instanceof SvcError) || targets.length === 1 || context.signal.aborted) throw error;
      // What is not about this record would happen to every other one too.
      stopped ||= !isAboutOneRecord(error);
      const line = `Not deleted: ${thing} ${id}. ${error.message}`;
      return { result: { id: idValue(id), deleted: false, error: error.message }, line, failure: error };
    }
  };
  const results: JsonObject[] = [];
  const failures: SvcError[] = [];
  // The first alone: what would be refused for all is refused once.
  for await (const { result, line, failure } of inOrder(targets, () => (worked ? AT_ONCE : 1), attempt)) {
    results.push(result);
    if (line !== undefined) await context.notice(line);
    if (failure !== undefined) failures.push(failure);
  }
  if (!(await context.presentation()).isUnasked) await printRecords(context, results, ['id', 'deleted', 'error']);
  const [first] = failures;
  if (first === undefined) return;
  const deleted = results.filter((result) => result['deleted'] === true).length;
  if (deleted === 0 && failures.every((failure) => exitCodeOf(failure) === exitCodeOf(first))) throw first;
  throw new PartialError(`${deleted} of ${targets.length} ${were(deleted)} deleted.`, {
    hint: 'What failed is named above; the others are gone.',
    details: { lines: failures.map(({ message }) => message) },
  });
}

function isAboutOneRecord(error: SvcError): boolean {
  return [NotFoundError, ConflictError, RefusedError, ForbiddenError].some((type) => error instanceof type);
}

/**
 * At a terminal a yes is asked for, with what is to go by name; elsewhere `--yes` must say it.
 *
 * @returns the ETags of what was shown, where the deletion shall depend on them.
 */
async function confirmDelete(
  context: Needs<Asking | 'client' | 'globals' | 'plan' | 'stdio'>,
  resource: Resource,
  targets: readonly Target[],
  { ifUnchanged }: Conditions,
): Promise<Etags> {
  const seen: Etags = new Map();
  // A plan is approved when it is applied.
  if (context.globals.yes || context.plan !== undefined) return seen;
  if (!context.interactive)
    throw new UsageError('Deleting asks first, and there is nobody to ask.', { hint: 'Add --yes if you are sure.' });
  const read = async (target: Target) => ({ ...target, found: await recordNow(context, target.path) });
  for await (const { id, path, found } of inOrder(targets, AT_ONCE, read)) {
    if (ifUnchanged) seen.set(path, usableEtag(found));
    const name = lineOf(found.record);
    await context.stdio.stderr.write(`  ${thingOf(resource)} ${id}${name === '' ? '' : `: ${neutraliseLine(name)}`}\n`);
  }
  const question = targets.length === 1 ? 'Delete it?' : `Delete these ${targets.length}?`;
  if (!(await context.prompts.confirm(question, context.signal))) throw new DeclinedError('Nothing was deleted.', { hint: 'You said no.' });
  return seen;
}

/** A record in a line, for somebody who has to say yes to its end. */
function lineOf(record: JsonObject): string {
  const key = scalarText(record['issue_key'] ?? null);
  return [...(key === '' ? [] : [key]), ...namesOf(record)].slice(0, 4).join(', ').slice(0, 120);
}

function idValue(id: string): string | number {
  return /^\d+$/.test(id) ? Number(id) : id;
}
