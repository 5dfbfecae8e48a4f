import { randomBytes } from 'node:crypto';
import type { Row } from '../json.ts';
import { escapeForPage, page, type SandboxPage } from '../pages/layout.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { MANAGE_API_TOKENS, userMay } from '../tokens/permissions.ts';
import type { Approval } from './apps.ts';
import { formParameters, isAcceptable, MCP_SCOPE, matches, parseScopes, scopeInWords } from './parameters.ts';

type SignInRequest = Omit<Approval, 'userId'> & { readonly state: string | undefined };

export type Step =
  | { readonly kind: 'refuse'; readonly status: 400 | 401 | 403 | 404; readonly code: string; readonly message: string }
  | { readonly kind: 'ask'; readonly consent: string; readonly request: SignInRequest; readonly userId: number }
  | { readonly kind: 'redirect'; readonly to: string };

export type PendingConsents = Map<string, { readonly request: SignInRequest; readonly until: number }>;

const CONSENT_LIFETIME = 15 * 60 * 1000;
const MOST_PENDING = 200;

export function beginSignIn(sandboxState: SandboxState, pending: PendingConsents, search: URLSearchParams, userId: number): Step {
  const checked = checkRequest(sandboxState, search);
  if ('kind' in checked) return checked;
  const refused = refusal(sandboxState, userId, checked.scopes);
  if (refused !== undefined && isAboutOrganisation(refused)) return refused;
  if (sandboxState.settings.approve) return refused ?? approve(sandboxState, checked, userId, true);
  if (refused === undefined && hasApproved(sandboxState, checked, userId)) return approve(sandboxState, checked, userId, false);
  const consent = randomBytes(18).toString('base64url');
  pending.set(consent, { request: checked, until: sandboxState.clock.now() + CONSENT_LIFETIME });
  for (const old of [...pending.keys()].slice(0, -MOST_PENDING)) pending.delete(old);
  return { kind: 'ask', consent, request: checked, userId };
}

/** Serves `POST /oauth/authorize`. The key of the form is valid only once, and also protects against forged requests. */
export function finishSignIn(sandboxState: SandboxState, pending: PendingConsents, form: ReadonlyMap<string, string>): Step {
  const key = form.get('consent') ?? '';
  const waiting = pending.get(key);
  pending.delete(key);
  if (waiting === undefined || waiting.until <= sandboxState.clock.now()) {
    return refuse(400, 'invalid_request', 'This page was already used or has expired. Start the sign-in again.');
  }
  const { request } = waiting;
  if (form.get('decision') !== 'approve')
    return back(sandboxState, request, { error: 'access_denied', error_description: 'The person cancelled.' });
  const userId = Number(form.get('user') ?? sandboxState.defaultUserId);
  return refusal(sandboxState, userId, request.scopes) ?? approve(sandboxState, request, userId, true);
}

/** Checks a sign-in request. The app and the redirect address come first, because later errors go to that address (RFC 6749 §4.1.2.1). */
function checkRequest(sandboxState: SandboxState, search: URLSearchParams): SignInRequest | Step {
  let parameters: ReadonlyMap<string, string>;
  try {
    parameters = formParameters(search);
  } catch {
    return refuse(400, 'invalid_request', 'A parameter was sent twice.');
  }
  const client = sandboxState.apps.clients.get(parameters.get('client_id') ?? '');
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (client === undefined) {
    const message = 'This organisation does not know the app. The app must register again.';
    const isSentBack = sandboxState.interpretations.unknownClient === 'redirect' && isAcceptable(redirectUri);
    if (!isSentBack) return refuse(401, 'invalid_client', message);
    return back(sandboxState, { redirectUri, state: parameters.get('state') }, { error: 'invalid_client', error_description: message });
  }
  if (!client.redirectUris.some((registered) => matches(registered, redirectUri))) {
    return refuse(401, 'invalid_client', 'The app has not registered this redirect address.');
  }
  const state = parameters.get('state');
  const fail = (error: string, message: string): Step =>
    sandboxState.interpretations.authorizeErrors === 'page'
      ? refuse(400, error, message)
      : back(sandboxState, { redirectUri, state }, { error, error_description: message });

  if (parameters.get('response_type') !== 'code') return fail('unsupported_response_type', 'response_type must be code.');
  const challenge = parameters.get('code_challenge');
  if (parameters.get('code_challenge_method') !== 'S256' || challenge === undefined || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return fail('invalid_request', 'PKCE with code_challenge_method S256 is required.');
  }
  const requested = parseScopes(sandboxState.service, parameters.get('scope'));
  if ('invalid' in requested) return fail('invalid_scope', `The scope ${requested.invalid} cannot be given to an app.`);
  return { client, redirectUri, scopes: requested.scopes, state, challenge };
}

function refusal(sandboxState: SandboxState, userId: number, scopes: readonly string[]): (Step & { readonly kind: 'refuse' }) | undefined {
  if (scopes.includes(MCP_SCOPE) && !sandboxState.switches.mcp)
    return refuse(404, 'not_found', 'AI assistants are switched off for this organisation.');
  if (sandboxState.switches.supportSession) return refuse(403, 'access_denied', 'You cannot sign in with an app during a support session.');
  const user = sandboxState.db.table('users').get(userId);
  if (user === undefined || !userMay(sandboxState.read, user, MANAGE_API_TOKENS)) {
    return refuse(403, 'access_denied', 'Your role lacks the permission Manage API tokens. An administrator can grant it.');
  }
  return undefined;
}

/** Returns true if the refusal concerns the whole organisation, so that choosing another user would not help. */
function isAboutOrganisation(refused: Step & { readonly kind: 'refuse' }): boolean {
  return !refused.message.startsWith('Your role');
}

/**
 * Returns true if the app already has a valid access token of the user with the same scopes (rule 13.63). The service then asks for no
 * consent.
 */
function hasApproved(sandboxState: SandboxState, { client, scopes }: SignInRequest, userId: number): boolean {
  const wanted = [...scopes].sort().join(' ');
  const now = sandboxState.clock.now();
  return sandboxState.apps.connections.some(
    (connection) =>
      connection.client.id === client.id &&
      connection.userId === userId &&
      [...connection.scopes].sort().join(' ') === wanted &&
      [...connection.accessTokens.values()].some((until) => until > now),
  );
}

function approve(sandboxState: SandboxState, request: SignInRequest, userId: number, counts: boolean): Step {
  if (counts) sandboxState.events.consents += 1;
  return back(sandboxState, request, { code: sandboxState.apps.issueCode({ ...request, userId }, sandboxState.clock.now()) });
}

function back(
  sandboxState: SandboxState,
  { redirectUri, state }: Pick<SignInRequest, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): Step {
  const to = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) to.searchParams.set(name, value);
  if (state !== undefined) to.searchParams.set('state', state);
  if (sandboxState.interpretations.issParameter) to.searchParams.set('iss', sandboxState.origin);
  return { kind: 'redirect', to: to.href };
}

function refuse(status: 400 | 401 | 403 | 404, code: string, message: string): Step & { readonly kind: 'refuse' } {
  return { kind: 'refuse', status, code, message };
}

export function peopleToChoose(sandboxState: SandboxState): readonly Row[] {
  return [...sandboxState.db.table('users').rows.values()].filter(
    (user) => user['is_active'] !== false && (user['deleted_at'] ?? null) === null,
  );
}

export function consentPage(consent: string, request: SignInRequest, people: readonly Row[], userId: number): SandboxPage {
  const { client, scopes, redirectUri } = request;
  const returnsTo = new URL(redirectUri);
  const options = people.map((user) => {
    const selected = user.id === userId ? ' selected' : '';
    return `<option value="${user.id}"${selected}>${escapeForPage(String(user['name']))} (${escapeForPage(String(user['role']))})</option>`;
  });
  const main = `<h1>Let “<bdi>${escapeForPage(client.name)}</bdi>” act for you?</h1>
<p>The app asks to:</p>
<ul>
${scopes.map((scope) => `<li>${escapeForPage(scopeInWords(scope))}</li>`).join('\n')}
</ul>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="consent" value="${escapeForPage(consent)}">
<label for="user">Sign in as</label>
<select id="user" name="user">
${options.join('\n')}
</select>
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="cancel">Cancel</button>
</form>
<p class="soft">You will be sent back to ${escapeForPage(returnsTo.host)} on this computer. This is a sandbox: nothing here is real.</p>`;
  // A Content-Security-Policy can’t contain an IPv6 address. For [::1], the policy therefore allows any http address.
  const target = returnsTo.hostname.startsWith('[') ? 'http:' : returnsTo.origin;
  return page({ title: 'Approve an app', main, formTargets: `'self' ${target}` });
}

export function refusalPage(code: string, message: string): SandboxPage {
  const main = `<h1>This sign-in cannot continue</h1>\n<p>${escapeForPage(message)}</p>\n<p class="soft">${escapeForPage(code)}</p>`;
  return page({ title: 'Sign-in refused', main, formTargets: "'none'" });
}
