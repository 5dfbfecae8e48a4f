import type { Env } from '../deps.ts';
import { UsageError } from '../errors.ts';
import { isToken } from '../values/request-headers.ts';
import type { Needs } from './context.ts';

/** Returns the token in `SVC_TOKEN`. An empty variable counts as unset. */
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

/** Warns that `SVC_TOKEN` replaces the stored sign-in. Commands that change the stored sign-in print this warning. */
export async function warnEnvironmentToken({ env, notice }: Needs<'env' | 'notice'>): Promise<void> {
  if (tokenInEnvironment(env) !== undefined)
    await notice('svc uses SVC_TOKEN for every request, instead of the stored tokens, until you unset the variable.');
}

export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** Returns true if svc reads a record before a change, so that you can undo the write. */
export function keepsBefore({ env, interactive }: Needs<'env' | 'interactive'>): boolean {
  return interactive || isOn(env['SVC_KEEP_BEFORE']);
}
