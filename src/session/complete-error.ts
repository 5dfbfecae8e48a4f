import { nameHost } from '../cli/name-host.ts';
import type { CommandSpec } from '../cli/spec.ts';
import { type SvcError, withHint } from '../errors.ts';
import type { Context, Needs } from './context.ts';
import { explainForbidden } from './explain-forbidden.ts';
import { hostToName } from './host-to-name.ts';

/**
 * Completes a failure for a person. A 403 names the missing permission. Every command in the hint, the lines and `resume` names the
 * organisation, where that is not svc's default.
 */
export async function completeError(
  context: Needs<'catalog' | 'resolvedHost' | 'settings'>,
  error: SvcError,
  root: CommandSpec<Context>,
): Promise<SvcError> {
  const explained = await explainForbidden(context, error);
  const { hint, details } = explained;
  const { resume, lines } = details;
  if (![hint, resume, ...(lines ?? [])].some((text) => text !== undefined && /\bsvc /.test(text))) return explained;
  const host = await hostToName(context);
  if (host === undefined) return explained;
  const named = (text: string) => nameHost(text, host, root);
  return withHint(explained, hint && (await named(hint)), {
    ...details,
    resume: resume && (await named(resume)),
    lines: lines && (await Promise.all(lines.map(named))),
  });
}
