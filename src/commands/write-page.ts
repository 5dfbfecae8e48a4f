import { SvcError } from '../errors.ts';
import type { Needs } from '../session/context.ts';

/** Writes a page, or another text, to the file that a flag names, for its owner alone (it may hold other people's hours), and says so. @throws SvcError */
export async function writePage(context: Needs<'files' | 'notice'>, file: string, page: string): Promise<void> {
  await context.files.writeAtomic(file, page, 0o600).catch((cause: unknown) => {
    throw new SvcError(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { hint: 'Check the path.', cause });
  });
  await context.notice(`Written: ${file}`);
}
