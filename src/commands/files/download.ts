import { dirname, join, relative, resolve } from 'node:path';
import { inOrder } from '../../bulk/in-order.ts';
import { defineCommand, text, toggle } from '../../cli/spec.ts';
import { DeclinedError, SvcError, UsageError } from '../../errors.ts';
import { type FoundFile, filesOf } from '../../records/drive-files.ts';
import { namedPlace } from '../../records/named-place.ts';
import { readId } from '../../records/paths.ts';
import { type FileTarget, type Saved, saveFile, taken } from '../../records/save-file.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import { type Printing, printLine, printOneOrMany } from '../../session/print.ts';
import { formatBytes, startTransfer } from '../../session/progress.ts';
import { integrityInRecord } from '../../transfer/integrity.ts';
import { nameInDisposition, numberedName, safeName } from '../../transfer/safe-name.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted, were } from '../../values/text.ts';
import { throwFailures } from '../throw-failures.ts';

export const downloadFiles = defineCommand({
  showsGlobals: ['host', 'output', 'parallel'],
  description:
    'svc downloads the contents of drive items, or the files that belong to them. The imported API spec (svc schema import) or the record has the address of a file. svc gives each file its own name, without unsafe characters. svc overwrites no file without --force. svc checks the size and SHA-256 that the service reports.\n\nIf the connection breaks, svc resumes the download. If you stop a download, run the same command again to resume. svc can resume only if the service sends a strong ETag and Accept-Ranges. Otherwise svc restarts the download. svc never reads an address on another origin.',
  args: [{ name: 'id', summary: 'Drive items, by id or name', variadic: true, completes: { records: 'drive-items' } }],
  options: {
    out: text('--out <path>', 'Write to this file or directory; - writes to standard output', { type: 'file', completes: 'file' }),
    force: toggle('--force', 'Overwrite existing files'),
  },
  examples: [
    { args: 'drive-items download 3', does: 'Download into the current directory' },
    { args: 'drive-items download 3 5 --out files', does: 'Download several files into a directory' },
    { args: 'drive-items download 3 --out - | less', does: 'Write a file to standard output' },
  ],
  async run(context: Context, { args, options }) {
    const resource = await context.catalog.of('drive-items');
    const { rest } = await namedPlace(context, resource, args);
    const ids = [...new Set(rest.map((id) => readId(resource, id)))];
    if (options.out === '-' && ids.length > 1) throw oneAtATime();
    const found: FoundFile[] = [];
    for (const id of ids) found.push(...(await filesOf(context, id)));
    if (options.out === '-' && found.length > 1) throw oneAtATime();
    const targets = await chooseTargets(context, { out: options.out, force: options.force === true, count: found.length });
    const progress = startTransfer(context, found.length === 1 ? (found[0]?.name ?? 'The file') : counted(found.length, 'file'));
    const attempt = async (file: FoundFile): Promise<Outcome> => {
      let size = 0;
      try {
        const saved = await saveFile(context, {
          way: file.way,
          reported: integrityInRecord(file.record),
          target: (headers) => targets(file, headers),
          onBytes: (count) => progress.add(count),
          onSize: (bytes) => {
            progress.expect(bytes - size);
            size = bytes;
          },
        });
        return { file, saved };
      } catch (error) {
        if (!(error instanceof SvcError) || found.length === 1 || context.signal.aborted) throw error;
        await context.notice(`Not downloaded: ${file.name ?? `the file of drive item ${file.item}`}. ${error.message}`);
        return { file, failure: error };
      }
    };
    try {
      await report(context, inOrder(found, await context.parallel(), attempt), found.length);
    } finally {
      progress.end();
    }
  },
});

interface Outcome {
  readonly file: FoundFile;
  readonly saved?: Saved;
  readonly failure?: SvcError;
}

async function report(context: Needs<Printing | 'system'>, outcomes: AsyncIterable<Outcome>, count: number): Promise<void> {
  const asLines = (await context.presentation()).isDefaultFormat;
  const records: JsonObject[] = [];
  const failures: SvcError[] = [];
  for await (const { file, saved, failure } of outcomes) {
    if (failure !== undefined) failures.push(failure);
    if (saved?.path !== undefined && asLines)
      await printLine(context, `Saved ${relative(context.system.cwd, saved.path)} · ${formatBytes(saved.size)}`);
    const result =
      failure === undefined
        ? { file: saved?.path ?? '-', size: saved?.size ?? 0, sha256: saved?.sha256 ?? '' }
        : { error: failure.message };
    if (saved === undefined || saved.path !== undefined) records.push({ drive_item_id: Number(file.item), ...result });
  }
  if (!asLines && records.length > 0) await printOneOrMany(context, records, count > 1);
  const done = count - failures.length;
  const hint = 'The failures are listed above. To try the failed files again, add --force to the same command.';
  throwFailures(failures, done, `${done} of ${count} files ${were(done)} saved.`, hint);
}

function oneAtATime(): UsageError {
  return new UsageError('--out - prints one file only.', { hint: 'Name a directory, or a drive item with one file.' });
}

interface Choice {
  readonly out: string | undefined;
  readonly force: boolean;
  readonly count: number;
}

/** Chooses the path of a file after the headers of the response have arrived. Undefined means standard output. */
type ChooseTarget = (file: FoundFile, headers: Readonly<Record<string, string>>) => Promise<FileTarget | undefined>;

/**
 * Creates the function that chooses paths. File names come from the service, so svc makes each name safe. Two files of one run never get
 * the same name.
 *
 * @throws UsageError if a directory of --out does not exist, or if several files have no directory.
 */
export async function chooseTargets(context: Needs<Asking | 'files' | 'system'>, { out, force, count }: Choice): Promise<ChooseTarget> {
  if (out === '-') return async () => undefined;
  const { files, system } = context;
  const typed = resolve(system.cwd, out ?? '');
  const found = await files.stat(typed);
  const isDirectory = found?.isDirectory === true;
  if (!isDirectory && (count > 1 || /[/\\]$/.test(out ?? '')))
    throw new UsageError(`--out: ${typed} is not a directory.`, {
      hint: count > 1 ? 'Several files need a directory.' : 'Create the directory first, or name a file.',
    });
  if (!isDirectory && (await files.stat(dirname(typed)))?.isDirectory !== true)
    throw new UsageError(`--out: ${dirname(typed)} is not a directory.`, { hint: 'Create the directory first.' });
  /** The used names in lower case, because some file systems ignore letter case. */
  const used = new Set<string>();
  /** The last question about an existing file. svc asks one question at a time, even with parallel downloads. */
  let asking: Promise<unknown> = Promise.resolve();

  async function mayWrite(path: string): Promise<FileTarget> {
    if (force) return { path, overwrites: true };
    if ((await files.stat(path)) === undefined) return { path, overwrites: false };
    if (!context.interactive) throw taken(path);
    if (await context.prompts.confirm(`${path} exists already. Overwrite the file?`, context.signal)) return { path, overwrites: true };
    throw new DeclinedError(`${path} is unchanged.`, { hint: 'You said no.' });
  }

  return async (file, headers) => {
    const name = freeName(safeName(nameInDisposition(headers['content-disposition']) ?? file.name ?? '', `file-${file.id}`), used);
    const path = isDirectory ? join(typed, name) : typed;
    if (isDirectory && (await files.stat(path))?.isDirectory === true)
      throw new SvcError(`${path} is a directory.`, { hint: 'Name a file: --out <file>' });
    const next = asking.then(() => mayWrite(path));
    asking = next.catch(() => undefined);
    return next;
  };
}

function freeName(name: string, used: Set<string>): string {
  let free = name;
  for (let number = 2; used.has(free.toLowerCase()); number += 1) free = numberedName(name, number);
  used.add(free.toLowerCase());
  return free;
}
