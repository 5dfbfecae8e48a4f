import { dirname, join } from 'node:path';
import { DeclinedError, SvcError, UsageError } from '../../errors.ts';
import type { FoundFile } from '../../records/drive-files.ts';
import { type FileTarget, taken } from '../../records/save-file.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { nameInDisposition, numberedName, safeName } from '../../transfer/safe-name.ts';

interface Choice {
  readonly out: string | undefined;
  readonly force: boolean;
  /** How many files there are. */
  readonly count: number;
}

/** Where a file goes, once its headers are there; undefined: standard output. */
type ChooseTarget = (file: FoundFile, headers: Readonly<Record<string, string>>) => Promise<FileTarget | undefined>;

/**
 * Where files go by what was typed. A name comes from the service, and is made safe; two of one run never meet.
 *
 * @throws UsageError for a directory that is not there. SvcError, from what it gives, for a file that must not be overwritten.
 */
export async function chooseTargets(context: Needs<Asking | 'files' | 'system'>, { out, force, count }: Choice): Promise<ChooseTarget> {
  if (out === '-') return async () => undefined;
  const { files, system } = context;
  const typed = out ?? system.cwd;
  const found = await files.stat(typed);
  const isDirectory = found?.isDirectory === true;
  if (!isDirectory && (count > 1 || /[/\\]$/.test(typed)))
    throw new UsageError(`--out: ${typed} is no directory.`, {
      hint: count > 1 ? 'Several files need one.' : 'Make it first, or name a file.',
    });
  if (!isDirectory && (await files.stat(dirname(typed)))?.isDirectory !== true)
    throw new UsageError(`--out: ${dirname(typed)} is no directory.`, { hint: 'Make it first.' });
  /** In small letters, since some file systems know no others. */
  const used = new Set<string>();
  /** Questions one after the other. */
  let asking: Promise<unknown> = Promise.resolve();

  async function mayWrite(path: string): Promise<FileTarget> {
    if (force) return { path, overwrites: true };
    if ((await files.stat(path)) === undefined) return { path, overwrites: false };
    if (!context.interactive) throw taken(path);
    if (await context.prompts.confirm(`${path} is there already. Overwrite it?`, context.signal)) return { path, overwrites: true };
    throw new DeclinedError(`${path} stays as it is.`, { hint: 'You said no.' });
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
