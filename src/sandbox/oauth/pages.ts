import type { Row } from '../json.ts';
import { escapeForPage, page, type SandboxPage } from '../pages/layout.ts';
import type { SignInRequest } from './authorize.ts';
import { scopeInWords } from './scopes.ts';

/** Asks the person whether the app may act for them. */
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
  // A policy cannot name an IPv6 address, so for [::1] it allows any http address instead.
  const target = returnsTo.hostname.startsWith('[') ? 'http:' : returnsTo.origin;
  return page({ title: 'Approve an app', main, formTargets: `'self' ${target}` });
}

/** Says why there is no sign-in. The code is what other software would call it. */
export function refusalPage(code: string, message: string): SandboxPage {
  const main = `<h1>This sign-in cannot go on</h1>\n<p>${escapeForPage(message)}</p>\n<p class="soft">${escapeForPage(code)}</p>`;
  return page({ title: 'Sign-in refused', main, formTargets: "'none'" });
}
