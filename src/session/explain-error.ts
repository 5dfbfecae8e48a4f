import type { Resource } from '../catalog/define.ts';
import { builtInCatalog, type Catalog } from '../catalog/index.ts';
import { abilitiesFor, flagOf, permissionFor, verbsOf } from '../catalog/rules.ts';
import { nameHost } from '../cli/name-host.ts';
import type { CommandSpec } from '../cli/spec.ts';
import { ForbiddenError, type SvcError, UsageError, withHint } from '../errors.ts';
import type { Context, Needs } from './context.ts';
import { accountToName, hostToName } from './printed-command.ts';

/**
 * Completes an error. A 403 names the missing permission. Commands in the error name an organisation and an account that svc does not
 * choose by default.
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
  const [host, account] = await Promise.all([hostToName(context), accountToName(context)]);
  if (host === undefined && account === undefined) return explained;
  const named = (text: string) => nameHost(text, { host, account }, root);
  return withHint(explained, hint && (await named(hint)), {
    ...details,
    resume: resume && (await named(resume)),
    lines: lines && (await Promise.all(lines.map(named))),
  });
}

/**
 * Adds the missing ability or permission to the hint of a 403 error, such as `api:write:times` or `hours::read`. The catalog supplies a name
 * that the service left out (rules 11.8, 11.14 to 11.41).
 */
export async function explainForbidden({ catalog }: Needs<'catalog'>, error: SvcError): Promise<SvcError> {
  const { type, request = '' } = error.details;
  if (!(error instanceof ForbiddenError) || type === undefined) return error;
  const [, method = '', noun = ''] = /^([A-Z]+) .*?\/api\/v2\/([a-z-]+)/.exec(request) ?? [];
  const resource = await catalog.find(noun);
  if (resource === undefined) return error;
  const text = `${error.message} ${error.hint ?? ''}`;
  if (type === 'insufficient-token-scope') {
    const abilities = abilitiesFor(resource, method);
    if (abilities.some((ability) => text.includes(ability))) return error;
    return withHint(error, `The request needs ${abilities.join(' or ')}. ${error.hint ?? ''}`);
  }
  const permission = type === 'insufficient-permission' ? permissionFor(resource.noun, method) : undefined;
  if (permission === undefined || text.includes('::')) return error;
  // A user without Manage API tokens loses all rights in apps (rule 12.26). The permission Manage API tokens may therefore be missing too.
  return withHint(error, `The request needs ${permission}, and with a browser sign-in Manage API tokens. ${error.hint ?? ''}`);
}

/**
 * Adds a hint to a failure about a name that the imported API spec hides. The hint explains how to make svc’s own flag, field, filter,
 * relation or command available again. Returns any other failure unchanged.
 * @param argv words that the user typed after `svc`.
 */
export async function explainHidden(error: unknown, catalog: Catalog, argv: readonly string[]): Promise<unknown> {
  if (catalog.described === undefined || !(error instanceof UsageError)) return error;
  const [known, here] = await Promise.all([builtInCatalog(), catalog].map((one) => namesAfter(one, argv)));
  const hidden = error.message.match(/[a-z][\w-]*/g)?.find((word) => known?.has(word) && !here?.has(word));
  if (hidden === undefined) return error;
  const { name } = catalog.described.host;
  const why = `The imported API spec of ${name} does not have ${hidden}. To remove the spec: svc schema forget --host ${name}`;
  return withHint(error, error.hint === undefined ? why : `${why}. ${error.hint}`);
}

/** Returns the words that may follow a resource or its child resource on a command line. */
async function namesAfter(catalog: Catalog, argv: readonly string[]): Promise<ReadonlySet<string>> {
  for (const [at, word] of argv.entries()) {
    const resource = word.startsWith('-') ? undefined : await catalog.find(word);
    if (resource === undefined) continue;
    const child = resource.nested?.find(({ noun, singular }) => [noun, singular].includes(argv[at + 1] ?? ''));
    return new Set([...namesIn(resource), ...(child === undefined ? [] : namesIn(child))]);
  }
  return new Set();
}

function namesIn(resource: Resource): string[] {
  const { fields, filters, relations = {}, shortcuts = [], actions = [], ownCommands = [], nested = [], createAs, described } = resource;
  return [
    ...Object.entries(fields).flatMap(([name, field]) => [name, ...(field.write === undefined ? [] : [flagOf(name, field)])]),
    ...Object.keys(filters),
    ...Object.keys(relations),
    ...[...shortcuts, ...nested].map((entry) => ('flag' in entry ? entry.flag : entry.noun)),
    ...[...actions, ...(described?.commands ?? [])].map(({ name }) => name),
    ...ownCommands.flatMap((own) => ('name' in own ? [own.name] : [])),
    ...verbsOf(resource),
    ...(createAs === undefined ? [] : [createAs.name]),
  ];
}
