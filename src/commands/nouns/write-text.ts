import { DeclinedError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { editorCommand, editText } from '../editor.ts';

/** A text that somebody wrote in the editor, and the file that keeps it until it is sent. */
export interface WrittenText {
  readonly text: string;
  readonly file: string;
}

/**
 * Opens the editor on an empty file, as `git commit` does.
 *
 * @param what What is written, for the name of the file: `comment`.
 * @throws DeclinedError for a text that stays empty: nothing is written then.
 */
export async function writeText(
  context: Needs<'env' | 'files' | 'paths' | 'programs' | 'settings' | 'system'>,
  what: string,
  extension: 'md' | 'html',
): Promise<WrittenText> {
  const editor = await editorCommand(context);
  const token = Buffer.from(context.system.randomBytes(6)).toString('hex');
  const file = `${context.paths.cache}/edit/${what}-${token}.${extension}`;
  await context.files.writeAtomic(file, '');
  const text = await editText(context, editor, file);
  if (text.trim() !== '') return { text, file };
  await context.files.remove(file);
  throw new DeclinedError('The text is empty, so nothing was written.', { hint: 'Save a text in the editor, and it is sent.' });
}
