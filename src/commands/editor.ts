import { DeclinedError, SvcError, withMore } from '../errors.ts';
import type { Needs } from '../session/context.ts';

/** Returns the command of the user’s editor, from SVC_EDITOR, VISUAL, EDITOR or the setting `editor`. Default: vi, on Windows notepad. */
export async function editorCommand(context: Needs<'env' | 'settings' | 'system'>): Promise<string> {
  return (await editorSet(context)) || (context.system.platform === 'win32' ? 'notepad' : 'vi');
}

export async function hasEditor(context: Needs<'env' | 'settings'>): Promise<boolean> {
  return Boolean(await editorSet(context));
}

async function editorSet({ env, settings }: Needs<'env' | 'settings'>): Promise<string | undefined> {
  const name = VARIABLES.find((variable) => env[variable]);
  return name === undefined ? (await settings()).editor : env[name];
}

/** The variables that name an editor, by precedence. */
const VARIABLES = ['SVC_EDITOR', 'VISUAL', 'EDITOR'] as const;

/**
 * Runs the editor, and returns the new text. The text is empty if the user deleted the file.
 *
 * @throws SvcError if the editor does not start, or ends with an error.
 */
export async function editText(context: Needs<'env' | 'files' | 'programs' | 'system'>, editor: string, file: string): Promise<string> {
  const code = await context.programs.run(editor, [file]).catch((cause: unknown) => {
    const name = VARIABLES.find((variable) => context.env[variable]) ?? 'EDITOR';
    const example = context.system.platform === 'win32' ? `$env:${name} = 'notepad'` : `export ${name}=nano`;
    const hint = `Set ${name} to the command of an editor, for example: ${example}`;
    throw new SvcError(`svc could not start the editor: ${editor}`, { hint, cause });
  });
  if (code !== 0)
    throw new SvcError(`The editor exited with ${code}, so svc changed nothing.`, {
      hint: 'Save the file, and quit the editor without an error.',
    });
  return (await context.files.readText(file)) ?? '';
}

export function withDraft(error: unknown, file: string): unknown {
  if (!(error instanceof SvcError)) return error;
  return withMore(error, { lines: [`Your text is in ${file}`] });
}

/** Creates a file for the editor. @param name The start of the name of the file. */
async function createDraft(
  { files, paths, system }: Needs<'files' | 'paths' | 'system'>,
  name: string,
  extension: string,
  content: string,
): Promise<string> {
  const token = Buffer.from(system.randomBytes(6)).toString('hex');
  const file = `${paths.cache}/edit/${name}-${token}.${extension}`;
  await files.writeAtomic(file, content);
  return file;
}

/** Runs `work` with a new file for the editor. After a failure, the file with the user’s text stays, and the error names the file. */
export async function withDraftFile(
  context: Needs<'files' | 'paths' | 'system'>,
  { name, extension, content }: { readonly name: string; readonly extension: string; readonly content: string },
  work: (file: string) => Promise<void>,
): Promise<void> {
  const file = await createDraft(context, name, extension, content);
  try {
    await work(file);
  } catch (error) {
    throw withDraft(error, file);
  }
  await context.files.remove(file);
}

/**
 * Opens the editor on an empty file. Returns the text, and the path of the file.
 *
 * @param what The kind of text, for the name of the file: `comment`.
 * @throws DeclinedError for an empty text.
 */
export async function writeText(
  context: Needs<'env' | 'files' | 'paths' | 'programs' | 'settings' | 'system'>,
  what: string,
  extension: 'md' | 'html',
) {
  const editor = await editorCommand(context);
  const file = await createDraft(context, what, extension, '');
  const text = await editText(context, editor, file);
  // The caller removes the file after svc has sent the text.
  if (text.trim() !== '') return { text, file };
  await context.files.remove(file);
  throw new DeclinedError('The text is empty, so svc sent nothing.', { hint: 'Run the command again, and save a text in the editor.' });
}
