import { UsageError } from '../errors.ts';
import { isToken } from '../values/token-text.ts';
import type { Context } from './context.ts';

/**
 * A token, from a hidden prompt at a terminal, else from stdin; never from an argument, which other users of the machine
 * could see.
 *
 * @param command What a person types to give it, for the hint: `svc token set`.
 * @throws UsageError when there is nobody to ask, or it is empty, or has characters that no header can carry.
 */
export async function readSecret(context: Context, question: string, command: string): Promise<string> {
  const hint = `Pipe it in, for example: ${command} < token.txt`;
  if (!context.interactive && context.stdio.stdin.isTTY === true)
    throw new UsageError('The token is not given, and may not be asked for.', { hint });
  const typed = context.interactive ? await context.prompts.secret(question, context.signal) : await context.readStdin();
  const token = typed.trim();
  if (token === '') throw new UsageError('No token was given.', { hint });
  if (!isToken(token))
    throw new UsageError('This is no token: it has spaces or characters that no token has.', { hint: 'Copy it again, alone and whole.' });
  return token;
}
