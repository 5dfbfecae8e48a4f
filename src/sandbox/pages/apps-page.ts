import { utcSecond } from '../dates.ts';
import type { AppSignIn } from '../oauth/apps.ts';
import type { World } from '../world.ts';
import { escapeForPage, type SandboxPage, sitePage } from './layout.ts';

/** Apps that people signed in with, each with the host it returns to (rules 13.78, 13.79). */
export function appsPage(world: World): SandboxPage {
  const cards = world.apps.connections.map((connection) => card(world, connection));
  const main =
    cards.length === 0
      ? '<p class="soft">No app is connected. Sign in with one, and it shows here.</p>'
      : `<div class="cards">\n${cards.join('\n')}\n</div>`;
  return sitePage('/sandbox/apps', 'Connected apps', main);
}

function card({ db }: World, { client, userId, scopes, returnsTo, refreshedAt }: AppSignIn): string {
  const user = String(db.table('users').get(userId)?.['name'] ?? userId);
  return `<article class="card">
<h2><bdi>${escapeForPage(client.name)}</bdi></h2>
<p class="soft">acts for <bdi>${escapeForPage(user)}</bdi> · returns to ${escapeForPage(returnsTo)}</p>
<p class="soft">${escapeForPage(scopes.join(', '))}</p>
<p class="soft">signed in or refreshed ${utcSecond(refreshedAt)}</p>
<form method="post" action="/sandbox/apps/disconnect">
<input type="hidden" name="client" value="${escapeForPage(client.id)}"><input type="hidden" name="user" value="${userId}">
<button type="submit">Disconnect</button>
</form>
</article>`;
}
