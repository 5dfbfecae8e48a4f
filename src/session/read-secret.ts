import { UsageError } from '../errors.ts';
import { isToken } from '../values/token-text.ts';
import type { Asking, Needs } from './context.ts';

/**
 * Reads a token from a hidden prompt at a terminal, else from stdin. Other users of the machine could see an argument.
 *
 * @param command The command that takes the token, for the hint: `svc token set`.
 * @throws UsageError when there is nobody to ask, or the token is empty. UsageError also for characters that no header can carry.
 */
export async function readSecret(context: Needs<Asking | 'readStdin' | 'stdio'>, question: string, command: string): Promise<string> {
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
