import { abilitiesFor, permissionFor } from '../catalog/rules.ts';
import { nameHost } from '../cli/name-host.ts';
import type { CommandSpec } from '../cli/spec.ts';
import { ForbiddenError, type SvcError, withHint } from '../errors.ts';
import type { Context, Needs } from './context.ts';
import { hostToName } from './printed-command.ts';

/** A 403 names the missing permission. Printed commands name the organisation, where that is not svc's default. */
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

/** `api:write:times` or `hours::read`, in full: the catalog supplies a name that the service left out (rules 11.8, 11.14 to 11.41). */
export async function explainForbidden({ catalog }: Needs<'catalog'>, error: SvcError): Promise<SvcError> {
  const { type, request = '' } = error.details;
  if (!(error instanceof ForbiddenError) || type === undefined) return error;
  const [, method = '', noun = ''] = /^([A-Z]+) .*?\/api\/v2\/([a-z-]+)/.exec(request) ?? [];
  const resource = await catalog.find(noun);
  if (resource === undefined) return error;
  const said = `${error.message} ${error.hint ?? ''}`;
  if (type === 'insufficient-token-scope') {
    const abilities = abilitiesFor(resource, method);
    if (abilities.some((ability) => said.includes(ability))) return error;
    return withHint(error, `It needs ${abilities.join(' or ')}. ${error.hint ?? ''}`);
  }
  const permission = type === 'insufficient-permission' ? permissionFor(resource.noun, method) : undefined;
  if (permission === undefined || said.includes('::')) return error;
  // Apps lose all their rights together with Manage API tokens (rule 12.26), so that may be the missing one.
  return withHint(error, `It needs ${permission}, and with a browser sign-in Manage API tokens. ${error.hint ?? ''}`);
}
