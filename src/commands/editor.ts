import { SvcError, UsageError, withMore } from '../errors.ts';
import type { Needs } from '../session/context.ts';

/** The command that edits a file: SVC_EDITOR, VISUAL, EDITOR, else the setting. @throws UsageError when none is set. */
export async function editorCommand(context: Needs<'env' | 'settings'>): Promise<string> {
  const editor = await editorSet(context);
  if (editor) return editor;
  throw new UsageError('No editor is set.', { hint: 'Set EDITOR, for example: export EDITOR=nano, or: svc config set editor nano' });
}

/** Whether there is one. */
export async function hasEditor(context: Needs<'env' | 'settings'>): Promise<boolean> {
  return Boolean(await editorSet(context));
}

async function editorSet({ env, settings }: Needs<'env' | 'settings'>): Promise<string | undefined> {
  return env['SVC_EDITOR'] || env['VISUAL'] || env['EDITOR'] || (await settings()).editor;
}

/** Opens a file in the editor, and gives what it then holds; empty where it is gone. @throws SvcError when the editor fails. */
export async function editText(context: Needs<'files' | 'programs'>, editor: string, file: string): Promise<string> {
  const code = await context.programs.run(editor, [file]).catch((cause: unknown) => {
    throw new SvcError(`The editor could not be started: ${editor}`, { hint: 'Set EDITOR to a command that edits a file.', cause });
  });
  if (code !== 0)
    throw new SvcError(`The editor ended with ${code}, so nothing is changed.`, { hint: 'Save and leave it without a failure.' });
  return (await context.files.readText(file)) ?? '';
}

/** The same failure, with where the draft is. */
export function withDraft(error: unknown, file: string): unknown {
  if (!(error instanceof SvcError)) return error;
  return withMore(error, { lines: [`What you typed is in ${file}`] });
}
