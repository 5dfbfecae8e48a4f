import { UsageError } from '../errors.ts';
import type { Context } from './context.ts';

/**
 * A token, from a hidden prompt at a terminal, else from stdin; never from an argument, which other users of the machine
 * could see.
 *
 * @throws UsageError when it is empty, or has characters that no header can carry.
 */
export async function readSecret(context: Context, question: string): Promise<string> {
  const typed = context.interactive ? await context.deps.prompts.secret(question, context.signal) : await readPiped(context);
  const token = typed.trim();
  if (token === '') throw new UsageError('No token was given.', { hint: 'Pipe it in, for example: svc token set < token.txt' });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('This is no token: it has spaces or characters that no token has.', { hint: 'Copy it again, alone and whole.' });
  return token;
}

async function readPiped(context: Context): Promise<string> {
  if (context.deps.stdio.stdin.isTTY === true)
    throw new UsageError('The token cannot be asked for with --no-input.', { hint: 'Pipe it in: svc token set < token.txt' });
  return context.readStdin();
}
