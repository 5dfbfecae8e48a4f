import { createHash } from 'node:crypto';
import type { Resource } from '../catalog/define.ts';
import { shellCommand } from '../cli/shell-word.ts';
import type { Query } from '../client/cost.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { itemPath, readId } from '../records/paths.ts';
import { readRecord } from '../records/record-at.ts';
import { unwritable } from '../records/save-file.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../records/send-write.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printRows, toAsync, viewOf } from '../session/print.ts';
import type { ShowingProgress } from '../session/progress.ts';
import { type JsonObject, stringifyJson } from '../values/json.ts';
import { pathIn } from '../values/paths.ts';
import { signInName } from '../values/sign-in-names.ts';
import { runBulk } from './import/run-bulk.ts';

const DAY_MS = 24 * 60 * 60_000;

interface Target {
  readonly id: string;
  readonly path: string;
}

export interface BulkWrite {
  readonly resource: Resource;
  readonly parent: string | undefined;
  readonly method: 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly body?: JsonObject;
}

/** Returns true if the only argument is `-`. The ids then come from standard input. */
export function readsIds(ids: readonly string[]): boolean {
  return ids.length === 1 && ids[0] === '-';
}

/**
 * Reads record ids from standard input, one per line, and adds the paths of the records. Drops repeated ids.
 *
 * @throws UsageError for input without ids, and for lines without a valid id. The error names the first 50 such lines.
 */
export async function readTargets(context: Needs<'readStdin'>, { resource, parent }: BulkWrite): Promise<readonly Target[]> {
  const hint = 'Write one id per line, in the format of --output ids.';
  const targets = new Map<string, Target>();
  const problems: string[] = [];
  for (const [index, text] of (await context.readStdin()).split('\n').entries()) {
    if (text.trim() === '') continue;
    try {
      const id = readId(resource, text.trim());
      targets.set(id, { id, path: itemPath(resource, id, parent) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(`line ${index + 1}: ${error.message}`);
    }
  }
  if (problems.length > 0)
    throw new UsageError(`${problems.length} lines have no valid id, so svc sent nothing.`, {
      hint,
      details: { lines: problems.slice(0, 50) },
    });
  if (targets.size === 0) throw new UsageError('Standard input contains no id.', { hint });
  return [...targets.values()];
}

/**
 * Sends a write for each id. With `--dry-run`, prints the writes and sends nothing. svc writes the refused ids to a file. After a failure,
 * the same command with the same ids sends the remaining writes, for one day. After a success, the same command sends all writes again,
 * because somebody possibly changed the records.
 */
export async function writeEach(
  context: Needs<
    Printing | ShowingProgress | 'argv' | 'client' | 'clock' | 'files' | 'host' | 'paths' | 'plan' | 'resolveWrites' | 'signal'
  >,
  targets: readonly Target[],
  write: BulkWrite,
): Promise<void> {
  const { resource, method, query = [], body } = write;
  if (context.globals.dryRun) {
    const descriptions = targets.map(({ path }) => describeWrite(context, resource, { method, path, query, ...(body && { body }) }));
    await printRows(context, toAsync(await Promise.all(descriptions)));
    return;
  }
  const host = signInName(await context.host());
  const subject = `${host} ${resource.path} ${method} ${stringifyJson(body ?? {})}`;
  const done = await openDoneFile(context, digest(subject, targets.map(({ path }) => path).join('\n')));
  await runBulk(context, {
    items: targets.filter(({ path }) => !done.has(digest(path))),
    all: targets.length,
    note: ({ path }) => done.add(digest(path)),
    labelOf: ({ id }) => id,
    send: (target) => sendOne(context, write, target),
    view: method === 'DELETE' ? { columns: [{ path: 'id' }, { path: 'deleted' }, { path: 'error' }] } : viewOf(resource),
    done: context.plan !== undefined ? 'planned' : method === 'DELETE' ? 'deleted' : 'changed',
    again: shellCommand(context.argv),
    async saveFailed(failed) {
      const file = pathIn(context.system.cwd, `${resource.noun}.failed.ids`);
      await context.files.writeAtomic(file, failed.map(({ item }) => `${item.id}\n`).join(''));
      return `The remaining ids are in ${file}.`;
    },
  });
  if (context.plan === undefined) await done.remove();
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
    // An earlier run possibly deleted this record and lost the answer.
    const isDeleted = method === 'DELETE' && error instanceof NotFoundError && error.details.type !== 'endpoint-not-found';
    if (isDeleted) return { id, deleted: false, error: 'The record was already deleted.' };
    throw error;
  }
}

/**
 * Opens a file that lists the finished writes of an incomplete run, one digest a line. The first line is the start of the run, in
 * milliseconds since 1970. After a day, the list starts again. The journal cannot replace this file, because you can repeat a write on
 * purpose.
 */
async function openDoneFile({ clock, files, paths }: Needs<'clock' | 'files' | 'paths'>, name: string) {
  const path = pathIn(paths.cache, 'import', `${name}.done`);
  const text = (await files.readText(path)) ?? '';
  const [start = '', ...digests] = text.split('\n');
  const continues = Math.abs(clock.now() - Number(start)) <= DAY_MS;
  const written = (writing: Promise<void>) =>
    writing.catch((error: unknown) => {
      throw unwritable(error, path);
    });
  // Ends a line that a crash cut off, so that the next digest starts a new line.
  await written(continues ? files.append(path, text.endsWith('\n') ? '' : '\n') : files.writeAtomic(path, `${clock.now()}\n`));
  const done = new Set(continues ? digests : []);
  return {
    has: (line: string) => done.has(line),
    add: (line: string) => written(files.append(path, `${line}\n`)),
    remove: () => files.remove(path),
  };
}

function digest(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 32);
}
