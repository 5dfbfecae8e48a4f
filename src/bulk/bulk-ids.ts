import type { Resource } from '../catalog/define.ts';
import { shellCommand } from '../cli/shell-word.ts';
import type { Query } from '../client/cost.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { itemPath, readId } from '../records/paths.ts';
import { readRecord } from '../records/read-record.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../records/send-write.ts';
import type { Needs } from '../session/context.ts';
import type { Printing } from '../session/print.ts';
import { printRows, toAsync, viewOf } from '../session/print.ts';
import type { ShowingProgress } from '../session/progress.ts';
import { type JsonObject, stringifyJson } from '../values/json.ts';
import { pathIn } from '../values/path-in.ts';
import { runBulk } from './import/run-bulk.ts';
import { digest, openRunNotes } from './run-notes.ts';

/** A record that a line of standard input names. */
interface Target {
  readonly line: number;
  readonly id: string;
  readonly path: string;
}

/** The same write for many records. */
export interface BulkWrite {
  readonly resource: Resource;
  readonly parent: string | undefined;
  readonly method: 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly body?: JsonObject;
}

/** Whether the ids are to be read from standard input. */
export function readsIds(ids: readonly string[]): boolean {
  return ids.length === 1 && ids[0] === '-';
}

/** The ids on standard input, one a line as `--output ids` prints them. @throws UsageError that names each line that is none. */
export async function readTargets(context: Needs<'readStdin'>, { resource, parent }: BulkWrite): Promise<readonly Target[]> {
  const targets = new Map<string, Target>();
  const problems: string[] = [];
  for (const [index, text] of (await context.readStdin()).split('\n').entries()) {
    if (text.trim() === '') continue;
    try {
      const id = readId(resource, text.trim());
      if (!targets.has(id)) targets.set(id, { line: index + 1, id, path: itemPath(resource, id, parent) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(`line ${index + 1}: ${error.message}`);
    }
  }
  if (problems.length > 0) {
    throw new UsageError(`${problems.length} lines hold no id, so nothing was sent.`, {
      hint: 'Give one id a line, as --output ids prints them.',
      details: { lines: problems.slice(0, 50) },
    });
  }
  if (targets.size === 0)
    throw new UsageError('There is no id on standard input.', { hint: 'Give one id a line, as --output ids prints them.' });
  return [...targets.values()];
}

/**
 * Does the write for each, as an import does its rows: what is done is noted, so that the same command with the same ids
 * does the rest; what is refused goes to a file of its own.
 */
export async function writeEach(
  context: Needs<Printing | ShowingProgress | 'argv' | 'client' | 'files' | 'host' | 'paths' | 'plan' | 'settleWrites' | 'signal'>,
  targets: readonly Target[],
  write: BulkWrite,
): Promise<void> {
  const { resource, method, query = [], body } = write;
  if (context.globals.dryRun) {
    const descriptions = targets.map(({ path }) => describeWrite(context, resource, { method, path, query, ...(body && { body }) }));
    await printRows(context, toAsync(await Promise.all(descriptions)));
    return;
  }
  const { name: host } = await context.host();
  const what = `${method} ${stringifyJson(body ?? {})}`;
  const notes = await openRunNotes(context.files, {
    directory: context.paths.cache,
    subject: `${host} ${resource.path} ${what}`,
    content: targets.map(({ path }) => path).join('\n'),
  });
  await runBulk(context, {
    items: targets.filter(({ path }) => !notes.isDone(digest(path))),
    all: targets.length,
    note: ({ path }) => notes.note(digest(path)),
    finish: () => notes.finish(),
    labelOf: ({ id }) => id,
    send: (target) => sendOne(context, write, target),
    view: method === 'DELETE' ? { columns: [{ path: 'id' }, { path: 'deleted' }, { path: 'error' }] } : viewOf(resource),
    done: context.plan !== undefined ? 'planned' : method === 'DELETE' ? 'deleted' : 'changed',
    again: shellCommand(context.argv),
    async keepFailed(failed) {
      const file = pathIn(context.system.cwd, `${resource.noun}.failed.ids`);
      await context.files.writeAtomic(file, failed.map(({ item }) => `${item.id}\n`).join(''));
      return `The ids that are left are in ${file}.`;
    },
  });
}

async function sendOne(
  context: Needs<'client' | 'plan'>,
  { method, query = [], body }: BulkWrite,
  { id, path }: Target,
): Promise<JsonObject> {
  const request: WriteRequest = { method, path, query, ...(body && { body }) };
  try {
    const response = await sendWrite(context, request);
    return method === 'DELETE' ? { id, deleted: context.plan === undefined } : readRecord(response);
  } catch (error) {
    // What was to be gone is gone; an earlier run may have done it without hearing so.
    const isGone = method === 'DELETE' && error instanceof NotFoundError && error.details.type !== 'endpoint-not-found';
    if (isGone) return { id, deleted: false, error: 'It was gone already.' };
    throw error;
  }
}
