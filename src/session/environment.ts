import type { Env } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { isToken } from '../values/token-text.ts';
import type { Needs } from './context.ts';

/** `SVC_TOKEN`; an empty one counts as not set. */
export function tokenInEnvironment(env: Env): string | undefined {
  return env['SVC_TOKEN']?.trim() || undefined;
}

/** The same, to be sent. @throws UsageError when it cannot be one. */
export function environmentToken(env: Env): string | undefined {
  const token = tokenInEnvironment(env);
  if (token === undefined || isToken(token)) return token;
  throw new UsageError('SVC_TOKEN holds no token: it has spaces or characters that no token has.', {
    hint: 'Copy it again, alone and whole.',
  });
}

/** What is stored is of no use while `SVC_TOKEN` is set; commands that change what is stored say so. */
export async function tellEnvironmentToken({ env, notice }: Needs<'env' | 'notice'>): Promise<void> {
  if (tokenInEnvironment(env) !== undefined)
    await notice('SVC_TOKEN is set: it is used for every request, over anything stored, until you unset it.');
}

/** Whether a variable such as `SVC_DEBUG` says yes. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
