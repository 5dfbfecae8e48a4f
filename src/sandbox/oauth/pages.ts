import { createHash } from 'node:crypto';
import type { Row } from '../json.ts';
import type { SignInRequest } from './authorize.ts';
import { scopeInWords } from './scopes.ts';

/** A page and the headers that keep it harmless. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --ground: #f4f5f7; --card: #fff; --line: #d5d9de; --go: #1f6f4a; --go-ink: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a3abb5; --ground: #14171a; --card: #1e2226; --line: #3a4047; --go: #58c08c; --go-ink: #0c1a13; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(28rem, 100%); padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
p, ul { margin: 0 0 1rem; } ul { padding-left: 1.25rem; } .soft { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
select, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; font: inherit; }
select { margin-bottom: 1.25rem; } button { cursor: pointer; font-weight: 600; margin-bottom: .5rem; }
button[value=approve] { background: var(--go); border-color: var(--go); color: var(--go-ink); }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** @param formTargets Where the page's form may lead, redirects included, as sources of a Content-Security-Policy. */
function page(title: string, main: string, formTargets: string): Page {
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`,
      // same-origin, not no-referrer: browsers leave Origin out of a form's post under the latter, and the post checks it.
      'Referrer-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
    },
  };
}

/** Asks the person whether the app may act for them. */
export function consentPage(consent: string, request: SignInRequest, people: readonly Row[], userId: number): Page {
  const { client, scopes, redirectUri } = request;
  const returnsTo = new URL(redirectUri);
  const options = people.map((user) => {
    const selected = user.id === userId ? ' selected' : '';
    return `<option value="${user.id}"${selected}>${escapeHtml(String(user['name']))} (${escapeHtml(String(user['role']))})</option>`;
  });
  const main = `<h1>Let “<bdi>${escapeHtml(client.name)}</bdi>” act for you?</h1>
<p>The app asks to:</p>
<ul>
${scopes.map((scope) => `<li>${escapeHtml(scopeInWords(scope))}</li>`).join('\n')}
</ul>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="consent" value="${escapeHtml(consent)}">
<label for="user">Sign in as</label>
<select id="user" name="user">
${options.join('\n')}
</select>
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="cancel">Cancel</button>
</form>
<p class="soft">You will be sent back to ${escapeHtml(returnsTo.host)} on this computer. This is a sandbox: nothing here is real.</p>`;
  // A policy cannot name an IPv6 address, so for [::1] it allows any http address instead.
  const target = returnsTo.hostname.startsWith('[') ? 'http:' : returnsTo.origin;
  return page('Approve an app', main, `'self' ${target}`);
}

/** Says why there is no sign-in. The code is what other software would call it. */
export function refusalPage(code: string, message: string): Page {
  const main = `<h1>This sign-in cannot go on</h1>\n<p>${escapeHtml(message)}</p>\n<p class="soft">${escapeHtml(code)}</p>`;
  return page('Sign-in refused', main, "'none'");
}

/** Text as HTML, for content and quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
