import { z } from 'zod';
import type { Files } from '../../deps.ts';
import { SvcError, UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';
import { counted } from '../../values/text.ts';
import { dataFile, readJson, SPLIT_STATE } from '../export/manifest.ts';
import { resourceOfTable } from '../sync/sync-into.ts';
import { chooseColumns, columnValues } from './split-columns.ts';

const column = z.object({ name: z.string(), type: z.enum(['boolean', 'json', 'number', 'string']) });

/** The state of a directory. svc writes the changes before their sizes, so the files can have more changes than the state shows. */
const splitState = z.object({
  version: z.literal(1),
  host: z.string(),
  /** The resources that the user names. An empty list means all resources. */
  resources: z.array(z.string()),
  /** The id of the last change that svc read. Undefined before the first read. */
  position: z
    .string()
    .regex(/^[0-9a-f]{12}-\d{1,15}$/)
    .optional(),
  files: z.array(z.object({ noun: z.string(), bytes: z.number().int().nonnegative(), columns: z.array(column).readonly() })),
});

type SplitState = z.infer<typeof splitState>;
type SplitFile = SplitState['files'][number];

type Splitting = 'catalog' | 'files' | 'host' | 'notice';

/**
 * Opens or creates a directory for `svc changes --split`, with one file for the changes of each resource.
 *
 * svc appends a batch to the files, and then stores the batch’s position and the files’ sizes. After a kill between these steps, the next
 * run gets the same changes again. svc compares these changes with the ends of the files, and appends only the missing bytes.
 *
 * @throws UsageError for a directory of another organisation or other resources. UsageError for a `since` other than `last` if the
 * directory has a position. SvcError for a damaged state.
 */
export async function openSplit(
  context: Needs<Splitting>,
  directory: string,
  { nouns, since }: { readonly nouns: readonly string[]; readonly since: string | undefined },
) {
  const { files } = context;
  const { name: host } = await context.host();
  const resources = [...new Set(nouns)].sort();
  let state = await readSplitState(files, directory);
  if (state !== undefined && state.host !== host)
    throw new UsageError(`${directory} has the changes of ${state.host}, not of ${host}.`, { hint: 'Name another directory.' });
  if (state !== undefined && state.resources.join() !== resources.join())
    throw new UsageError(`${directory} has the changes of ${state.resources.join(', ') || 'all resources'}.`, {
      hint: 'Name the same resources, or another directory.',
    });
  if (state?.position !== undefined && since !== undefined && since !== 'last')
    throw new UsageError(`${directory} has a position, and --since names another position.`, {
      hint: 'Leave out --since to continue, or name another directory.',
    });
  const path = (noun: string) => `${directory}/${dataFile(noun)}`;
  const known = new Map(state?.files.map((file) => [file.noun, file]));
  let position = state?.position;
  const save = async () => {
    state = { version: 1, host, resources, ...(position !== undefined && { position }), files: [...known.values()] };
    await files.writeAtomic(`${directory}/${SPLIT_STATE}`, `${JSON.stringify(state)}\n`);
  };

  /**
   * Returns the file of a resource. svc records a new file before creating the file.
   *
   * @throws SvcError for a file that svc did not record, and for a resource whose name is no file name.
   */
  async function fileOf(noun: string, changes: readonly JsonObject[]): Promise<SplitFile & { readonly size: number }> {
    if (!SAFE_NAME.test(noun))
      throw new SvcError(`The change log has a resource whose name is not a file name: ${JSON.stringify(noun)}.`, {
        hint: 'Name the resources that you want: svc changes <resource> --split <dir>',
      });
    const found = known.get(noun);
    const there = await files.stat(path(noun));
    if (found !== undefined && there !== undefined) return { ...found, size: there.size };
    if (there !== undefined) throw foreignFile(path(noun));
    const records = changes.flatMap(({ before, after }) => [before, after].filter(isJsonObject));
    const file = { noun, bytes: 0, columns: chooseColumns(await resourceOfTable(context, noun), records) };
    known.set(noun, file);
    await save();
    if (!(await files.reserve(path(noun)))) throw foreignFile(path(noun));
    return { ...file, size: 0 };
  }

  const startsNow = position === undefined && (since === undefined || since === 'last');
  let written = 0;
  const changed = new Set<string>();
  return {
    /** The value of `--since` at which svc continues. */
    since: position ?? (startsNow ? 'now' : since),
    /** Appends changes to their files. */
    async write(changes: readonly JsonObject[]): Promise<void> {
      const byNoun = [...Map.groupBy(changes, ({ noun }) => scalarText(noun))];
      const opened: (Awaited<ReturnType<typeof fileOf>> & { readonly own: readonly JsonObject[] })[] = [];
      // svc creates all files first. Creating a file stores the state, and that state must not have the sizes after this batch.
      for (const [noun, own] of byNoun) opened.push({ ...(await fileOf(noun, own)), own });
      for (const { own, size, ...file } of opened) {
        const { noun } = file;
        const bytes = Buffer.from(own.map((change) => `${stringifyJson(lineOf(change, file))}\n`).join(''));
        const there = await readTail(files, path(noun), file.bytes, Math.min(size - file.bytes, bytes.length));
        if (size < file.bytes || !bytes.subarray(0, there.length).equals(there)) throw changedFile(path(noun));
        if (there.length < bytes.length) await files.append(path(noun), bytes.subarray(there.length));
        known.set(noun, { ...file, bytes: file.bytes + bytes.length });
        changed.add(noun);
      }
      written += changes.length;
    },
    /** Stores the id of the last change that the files have. */
    async keepPosition(change: string): Promise<void> {
      if (change === position) return;
      position = change;
      await save();
    },
    async printSummary(): Promise<void> {
      const start = startsNow ? ' This directory has changes from now on. For earlier changes, name another directory and --since 0.' : '';
      await context.notice(`svc wrote ${counted(written, 'change')} of ${counted(changed.size, 'resource')} to ${directory}.${start}`);
    },
  };
}

/** Matches the names of resources and child resources that svc uses for files. */
const SAFE_NAME = /^[a-z0-9_-]{1,100}(?:\.[a-z0-9_-]{1,100})?$/;

/** Returns a change as a line of its file. All lines of a file have the same fields. A record that did not exist has only null values. */
function lineOf({ changed, before, after, ...change }: JsonObject, { columns }: SplitFile): JsonObject {
  const record = (value: JsonValue | undefined) => columnValues(isJsonObject(value) ? value : {}, columns);
  return { ...change, changed: stringifyJson(changed ?? []), before: record(before), after: record(after) };
}

async function readSplitState(files: Files, directory: string): Promise<SplitState | undefined> {
  const path = `${directory}/${SPLIT_STATE}`;
  if ((await files.stat(path)) === undefined) return undefined;
  const { data } = splitState.safeParse(await readJson(files, path));
  if (data === undefined) throw changedFile(path);
  return data;
}

/** Reads at most `length` bytes of a file, from the byte `from`. */
async function readTail(files: Files, path: string, from: number, length: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (length > 0)
    for await (const piece of files.read(path, from)) {
      pieces.push(piece);
      size += piece.byteLength;
      if (size >= length) break;
    }
  return Buffer.concat(pieces).subarray(0, Math.max(0, length));
}

function foreignFile(path: string): SvcError {
  return new SvcError(`${path} exists, and svc changes did not create it, so svc did not change it.`, { hint: 'Name another directory.' });
}

function changedFile(path: string): SvcError {
  return new SvcError(`${path} has changed since svc changes wrote it, so svc did not change it.`, {
    hint: 'Restore the file. To start again: name another directory.',
  });
}
