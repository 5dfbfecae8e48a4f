import { UsageError } from '../errors.ts';

const DEFAULT_SCOPES: readonly string[] = ['api:read', 'api:write'];

const FORM = /^api:(read|write)(:[a-z_]+)?$/;

/**
 * Returns the scopes to request. A `--scope` value can list several scopes, separated by spaces or commas. svc drops duplicates. Default:
 * `api:read` and `api:write`, or only `api:read` with `readOnly`.
 *
 * @throws UsageError for an empty `--scope`, a malformed or impossible scope (`api:destroy`, `mcp:use`), and a write scope with `readOnly`.
 */
export function requestedScopes(choice: {
  readonly readOnly?: boolean | undefined;
  readonly scopes?: readonly string[] | undefined;
}): readonly string[] {
  const named = (choice.scopes ?? []).flatMap((value) => value.split(/[\s,]+/)).filter((scope) => scope !== '');
  if (named.length === 0) {
    if (choice.scopes !== undefined && choice.scopes.length > 0) throw new UsageError('--scope needs a scope.', { hint: FORMS });
    return choice.readOnly ? ['api:read'] : DEFAULT_SCOPES;
  }
  for (const scope of named) checkForm(scope);
  const writing = named.find((scope) => scope.startsWith('api:write'));
  if (choice.readOnly && writing !== undefined) {
    throw new UsageError(`--read-only and --scope ${writing} contradict each other.`, { hint: 'Leave out one of the two flags.' });
  }
  return [...new Set(named)];
}

/**
 * Refuses a narrowed scope that the service does not list. The service would answer with an error page that svc cannot see. Skips the check
 * if the service lists no narrowed scopes.
 *
 * @throws UsageError that names the available resources.
 */
export function checkScopesOffered(scopes: readonly string[], offered: readonly string[] | undefined, hostName: string): void {
  const narrowed = (offered ?? []).filter((scope) => FORM.test(scope) && scope.split(':').length === 3);
  if (narrowed.length === 0) return;
  const unknown = scopes.find((scope) => scope.split(':').length === 3 && !narrowed.includes(scope));
  if (unknown === undefined) return;
  const resources = [...new Set(narrowed.map((scope) => scope.split(':')[2]))];
  throw new UsageError(`${hostName} has no scope ${unknown}.`, { hint: `You can narrow a scope to: ${resources.join(', ')}.` });
}

const FORMS = 'Use api:read or api:write, or a narrowed form such as api:read:projects.';

function checkForm(scope: string): void {
  if (/^api:destroy(:|$)/.test(scope)) {
    throw new UsageError(`A browser sign-in cannot have ${scope}: the service does not let apps delete.`, {
      hint: 'Leave out the scope. Deleting needs a personal access token with Delete from the web app: see svc token set --help',
    });
  }
  if (scope === 'mcp:use') {
    throw new UsageError('mcp:use is for AI assistants and does not open the REST API.', { hint: FORMS });
  }
  if (!FORM.test(scope)) throw new UsageError(`"${scope}" is not a scope of the REST API.`, { hint: FORMS });
}
