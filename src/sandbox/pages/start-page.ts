import { type SandboxToken, shownToken } from '../controls.ts';
import type { LoggedRequest } from '../http/context.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { escapeForPage, type SandboxPage, sitePage } from './layout.ts';

const SHOWN = 50;

export function startPage(sandboxState: SandboxState): SandboxPage {
  const { host } = new URL(sandboxState.origin);
  const ready = sandboxState.tokens.all.filter(({ isReadyMade }) => isReadyMade).map((token) => shownToken(sandboxState, token));
  const data =
    sandboxState.read === undefined ? 'data to try things on. Nothing here is real and' : 'the records of your organisation. Here';
  const main = `<p>The whole service on this computer, with ${data} nothing leaves the machine.</p>
<h2>Sign in</h2>
<pre>svc login ${escapeForPage(host)}</pre>
<h2>Ready-made tokens</h2>
<p class="soft">For <code>svc token set</code> and for scripts. The API is at <code>${escapeForPage(sandboxState.origin)}/api/v2</code>.</p>
<div class="cards">
${ready.map((token) => tokenCard(token, sandboxState.clock.now())).join('\n')}
</div>
<h2>Latest requests</h2>
${requestTable(sandboxState.requests.slice(-SHOWN).reverse())}
<h2>Resources</h2>
<div class="checks">
${collections(sandboxState).join('\n')}
</div>`;
  return sitePage('/', 'The sandbox', main);
}

function tokenCard({ name, user, role, value, abilities, expires }: SandboxToken, now: number): string {
  const ended = expires.getTime() <= now;
  const until = `${ended ? 'expired' : 'expires'} ${expires.toISOString().slice(0, 10)}`;
  return `<article class="card">
<h3>${escapeForPage(name)}</h3>
<p><code>${escapeForPage(value)}</code></p>
<p class="soft"><bdi>${escapeForPage(user)}</bdi> (${escapeForPage(role)}) · <span${ended ? ' class="bad"' : ''}>${until}</span></p>
<p class="soft">${escapeForPage(abilities.join(', '))}</p>
</article>`;
}

function requestTable(requests: readonly LoggedRequest[]): string {
  if (requests.length === 0)
    return '<p class="soft">The sandbox has received no request yet. After the first request, reload this page.</p>';
  const rows = requests.map(({ method, path, status, units }) => {
    const shown = status === 0 ? 'no answer' : String(status);
    const bad = status === 0 || status >= 400 ? ' bad' : '';
    return `<tr><td><code>${escapeForPage(`${method} ${readable(path)}`)}</code></td><td class="number${bad}">${shown}</td><td class="number">${units}</td></tr>`;
  });
  return `<table>
<thead><tr><th scope="col">Request</th><th scope="col" class="number">Status</th><th scope="col" class="number">Units</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function collections({ db, read, service, switches }: SandboxState): string[] {
  return service.resources
    .filter(
      ({ topLevel, feature, name }) => topLevel && !read?.unread.has(name) && (feature === undefined || switches.features.has(feature)),
    )
    .map(({ name, path }) => `<span><code>${escapeForPage(path)}</code> <span class="soft">${db.table(name).rows.size}</span></span>`);
}
