import { DAY, utcDate } from '../dates.ts';
import type { Row } from '../json.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { type IssuedToken, latestExpiry, USUAL_LIFETIME } from '../tokens/personal.ts';
import { escapeForPage, type SandboxPage, sitePage } from './layout.ts';

export interface TokenNotice {
  readonly made?: IssuedToken;
  readonly refused?: string;
}

export function tokenPage(sandboxState: SandboxState, user: Row, people: readonly Row[], { made, refused }: TokenNotice): SandboxPage {
  const now = sandboxState.clock.now();
  const mine = sandboxState.tokens.all.filter(({ userId }) => userId === user.id);
  const notices = [
    made === undefined
      ? ''
      : `<div class="note" role="status"><p>The token “${escapeForPage(made.name)}” is ready. Copy the token now: the sandbox does not show the token again.</p>
<pre id="secret">${escapeForPage(made.value)}</pre></div>`,
    refused === undefined ? '' : `<p class="note bad" role="alert">${escapeForPage(refused)}</p>`,
  ];
  const main = `${notices.join('')}
<form method="get" action="/sandbox/tokens" class="narrow">
<label for="user">Tokens of</label>
<select id="user" name="user">
${people.map((person) => personOption(person, user)).join('\n')}
</select>
<button type="submit">Show</button>
</form>
<h2>Tokens</h2>
<div class="cards">
${mine.length === 0 ? '<p class="soft">None yet.</p>' : mine.map((token) => tokenCard(token, user, now)).join('\n')}
</div>
<h2>New token</h2>
${newTokenForm(sandboxState, user, now)}`;
  return sitePage('/sandbox/tokens', 'Personal access tokens', main);
}

function personOption(person: Row, chosen: Row): string {
  const selected = person.id === chosen.id ? ' selected' : '';
  return `<option value="${person.id}"${selected}>${escapeForPage(`${String(person['name'])} (${String(person['role'])})`)}</option>`;
}

/** Renders one personal access token. If the token has not expired, its form for rolling proposes the same expiry date (rule 12.17). */
function tokenCard({ id, name, abilities, expiresAt }: IssuedToken, user: Row, now: number): string {
  const ended = expiresAt <= now;
  const offered = ended ? now + USUAL_LIFETIME : expiresAt;
  return `<article class="card">
<h3>${escapeForPage(name)}</h3>
<p class="soft"><span${ended ? ' class="bad"' : ''}>${ended ? 'Expired' : 'Expires'} ${utcDate(expiresAt)}</span></p>
<p class="soft">${escapeForPage(abilities.join(', ')) || 'No ability'}</p>
<form method="post" action="/sandbox/tokens/roll">
<input type="hidden" name="user" value="${user.id}"><input type="hidden" name="token" value="${id}">
${dateInput(`aria-label="New expiry of ${escapeForPage(name)}"`, offered, now)}
<button type="submit">Roll</button>
</form>
<form method="post" action="/sandbox/tokens/revoke">
<input type="hidden" name="user" value="${user.id}"><input type="hidden" name="token" value="${id}">
<button type="submit">Revoke</button>
</form>
</article>`;
}

function newTokenForm({ service }: SandboxState, user: Row, now: number): string {
  const scopes = [
    ['read', 'Read'],
    ['write', 'Write'],
    ['destroy', 'Delete'],
  ] as const;
  const scopeBoxes = scopes.map(([value, label]) => checkbox('scope', value, label, value === 'read'));
  return `<form method="post" action="/sandbox/tokens">
<input type="hidden" name="user" value="${user.id}">
<div class="narrow">
<label for="name">Name</label>
<input id="name" name="name" required maxlength="255" autocomplete="off">
</div>
<fieldset><legend>Scopes</legend><div class="checks">${scopeBoxes.join('')}</div></fieldset>
<fieldset><legend>Resources</legend><p class="soft">None chosen: all of them.</p><div class="checks">${service.prefixes.map((prefix) => checkbox('resource', prefix, prefix, false)).join('')}</div></fieldset>
<div class="narrow">
<label for="expires">Expires</label>
${dateInput('id="expires"', now + USUAL_LIFETIME, now)}
<button type="submit" class="go">Make the token</button>
</div>
</form>`;
}

function checkbox(name: string, value: string, label: string, checked: boolean): string {
  return `<label><input type="checkbox" name="${name}" value="${value}"${checked ? ' checked' : ''}>${label}</label>`;
}

function dateInput(attribute: string, value: number, now: number): string {
  return `<input type="date" ${attribute} name="expires" required value="${utcDate(value)}" min="${utcDate(now + DAY)}" max="${utcDate(latestExpiry(now))}">`;
}
