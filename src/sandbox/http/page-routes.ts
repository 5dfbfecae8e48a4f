import { randomBytes } from 'node:crypto';
import { Hono } from 'hono/quick';
import { isDate, utcSecond } from '../dates.ts';
import type { Row } from '../json.ts';
import type { AppSignIn } from '../oauth/apps.ts';
import { peopleToChoose } from '../oauth/authorize.ts';
import { escapeForPage, missingPage, type SandboxPage, sitePage, standInPage } from '../pages/layout.ts';
import { startPage } from '../pages/start-page.ts';
import { type TokenNotice, tokenPage } from '../pages/token-page.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { type AbilityClass, MANAGE_API_TOKENS, userMay } from '../tokens/permissions.ts';
import type { IssuedToken } from '../tokens/personal.ts';
import { answerPage, type SandboxContext, type SandboxEnv } from './context.ts';
import { fits, personOf, rememberPerson, rememberVisitor, visitorsOnly } from './cookies.ts';

/**
 * Serves the sandbox’s pages for people. In the service, the web app has such pages, and not the API. The log, the rate limits and the
 * faults therefore ignore requests for these pages.
 */
export function pageRoutes(sandboxState: SandboxState): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  /** New tokens whose secret no page has shown yet. A page shows each secret once. */
  const fresh = new Map<string, IssuedToken>();

  routes.get('/sandbox/start/:key', (c) => {
    if (!fits(c.req.param('key'), sandboxState.startKey))
      return answerPage(c, missingPage('This is not the address that svc sandbox printed.'), 404);
    rememberVisitor(sandboxState, c);
    c.header('Referrer-Policy', 'no-referrer');
    return c.redirect('/', 303);
  });
  // Other users of the machine can open the sandbox’s address too. These users must not see the records of an organisation, or sign in.
  const real = ['/projects/*', '/work-items/*', ...(sandboxState.settings.approve ? [] : ['/oauth/authorize'])];
  for (const path of ['/', '/sandbox/tokens/*', '/sandbox/apps/*', ...(sandboxState.read === undefined ? [] : real)])
    routes.use(path, visitorsOnly(sandboxState));
  routes.get('/', (c) => answerPage(c, startPage(sandboxState)));

  // If the API is off, the service hides these pages (rule 1.24).
  for (const path of ['/sandbox/tokens/*', '/sandbox/apps/*']) {
    routes.use(path, async (c, next) =>
      sandboxState.switches.api ? next() : answerPage(c, missingPage('The REST API is switched off.'), 404),
    );
  }

  routes.get('/sandbox/tokens', (c) => {
    const key = c.req.query('made') ?? '';
    const made = fresh.get(key);
    fresh.delete(key);
    const chosen = c.req.query('user');
    return tokens(sandboxState, c, Number(chosen ?? personOf(sandboxState, c)), made === undefined ? {} : { made });
  });
  const onPost = (path: string, act: Act) =>
    routes.post(path, async (c) => manage(sandboxState, c, fresh, new URLSearchParams(await c.req.text()), act));
  onPost('/sandbox/tokens', (userId, form) => {
    const name = form.get('name')?.trim() ?? '';
    const scopes = form.getAll('scope').filter((scope): scope is AbilityClass => ['read', 'write', 'destroy'].includes(scope));
    if (name === '' || name.length > 255) throw new RangeError('Give the token a name of at most 255 characters.');
    if (scopes.length === 0) throw new RangeError('Choose at least one scope.');
    const now = sandboxState.clock.now();
    return sandboxState.tokens.create({ name, userId, scopes, resources: form.getAll('resource'), lifetime: expiryOf(form) - now }, now);
  });
  onPost('/sandbox/tokens/roll', (userId, form) => {
    const now = sandboxState.clock.now();
    return sandboxState.tokens.roll(ownToken(sandboxState, userId, form), now, expiryOf(form) - now);
  });
  onPost('/sandbox/tokens/revoke', (userId, form) => {
    sandboxState.tokens.revoke(ownToken(sandboxState, userId, form));
    return undefined;
  });

  routes.get('/sandbox/apps', (c) => answerPage(c, appsPage(sandboxState)));
  routes.post('/sandbox/apps/disconnect', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    sandboxState.apps.disconnect(form.get('client') ?? '', Number(form.get('user')));
    sandboxState.keeper?.changed();
    return c.redirect('/sandbox/apps', 303);
  });

  for (const resource of ['projects', 'work-items']) {
    routes.get(`/${resource}/:id`, (c) => {
      const id = c.req.param('id');
      const table = sandboxState.db.table(resource);
      const row = /^\d+$/.test(id) ? table.get(Number(id)) : table.where('issue_key', id)[0];
      return row === undefined
        ? answerPage(c, missingPage(`There is no ${resource.slice(0, -1)} ${id}.`), 404)
        : answerPage(c, standInPage(row));
    });
  }
  return routes;
}

const MOST_FRESH = 20;

function tokens(
  sandboxState: SandboxState,
  c: SandboxContext,
  userId: number,
  notice: TokenNotice,
  status: 200 | 403 | 422 = 200,
): Response {
  const user = sandboxState.db.table('users').get(userId);
  if (user === undefined) return answerPage(c, missingPage(`There is no user ${userId}.`), 404);
  rememberPerson(c, userId);
  return answerPage(c, tokenPage(sandboxState, user, peopleToChoose(sandboxState), notice), status);
}

type Act = (userId: number, form: URLSearchParams) => IssuedToken | undefined;

function manage(sandboxState: SandboxState, c: SandboxContext, fresh: Map<string, IssuedToken>, form: URLSearchParams, act: Act): Response {
  const user: Row | undefined = sandboxState.db.table('users').get(Number(form.get('user')));
  if (user === undefined) return answerPage(c, missingPage('There is no such user.'), 404);
  if (!userMay(sandboxState.read, user, MANAGE_API_TOKENS)) {
    return tokens(
      sandboxState,
      c,
      user.id,
      { refused: 'This role lacks the permission Manage API tokens. An administrator can grant it.' },
      403,
    );
  }
  try {
    const made = act(user.id, form);
    sandboxState.keeper?.changed();
    if (made === undefined) return c.redirect(`/sandbox/tokens?user=${user.id}`, 303);
    const key = randomBytes(12).toString('base64url');
    fresh.set(key, made);
    for (const old of [...fresh.keys()].slice(0, -MOST_FRESH)) fresh.delete(old);
    return c.redirect(`/sandbox/tokens?user=${user.id}&made=${key}`, 303);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return tokens(sandboxState, c, user.id, { refused: sentence(error.message) }, 422);
  }
}

/** Returns the expiry time from a form. The token expires when the given day begins in UTC. @throws RangeError for an invalid date. */
function expiryOf(form: URLSearchParams): number {
  const text = form.get('expires') ?? '';
  if (!isDate(text)) throw new RangeError('Give the token an expiry date.');
  return Date.parse(`${text}T00:00:00Z`);
}

function ownToken(sandboxState: SandboxState, userId: number, form: URLSearchParams): number {
  const id = Number(form.get('token'));
  if (!sandboxState.tokens.all.some((token) => token.id === id && token.userId === userId)) throw new RangeError('There is no such token.');
  return id;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

function appsPage(sandboxState: SandboxState): SandboxPage {
  const cards = sandboxState.apps.connections.map((connection) => card(sandboxState, connection));
  const main =
    cards.length === 0
      ? '<p class="soft">No app is connected. After you sign in with an app, this page shows the app.</p>'
      : `<div class="cards">\n${cards.join('\n')}\n</div>`;
  return sitePage('/sandbox/apps', 'Connected apps', main);
}

function card({ db }: SandboxState, { client, userId, scopes, returnsTo, refreshedAt }: AppSignIn): string {
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
