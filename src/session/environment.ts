import type { Env } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { isToken } from '../values/request-headers.ts';
import type { Needs } from './context.ts';

/** `SVC_TOKEN`; an empty one counts as not set. */
export function tokenInEnvironment(env: Env): string | undefined {
  return env['SVC_TOKEN']?.trim() || undefined;
}

export function environmentToken(env: Env): string | undefined {
  const token = tokenInEnvironment(env);
  if (token === undefined || isToken(token)) return token;
  throw new UsageError('SVC_TOKEN is not a token: it has spaces or characters that no token has.', {
    hint: 'Copy the whole token again, and nothing else.',
  });
}

/** Warns that `SVC_TOKEN` replaces the stored sign-in; commands that change the stored one print this. */
export async function warnEnvironmentToken({ env, notice }: Needs<'env' | 'notice'>): Promise<void> {
  if (tokenInEnvironment(env) !== undefined)
    await notice('svc uses SVC_TOKEN for every request, instead of the stored tokens, until you unset the variable.');
}

export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** Whether svc reads a record before it changes it, so that the write can be undone. */
export function keepsBefore({ env, interactive }: Needs<'env' | 'interactive'>): boolean {
  return interactive || isOn(env['SVC_KEEP_BEFORE']);
}
