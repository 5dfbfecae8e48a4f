import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { signIn } from './oauth-flow.ts';
import { sandbox, send, tokenNamed, visiting } from './support.ts';

const DAY = 24 * 60 * 60 * 1000;

interface Shown {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function page(service: Sandbox, path: string): Promise<Shown> {
  const answer = await fetch(service.origin + path, { headers: visiting(service) });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** Sends a form as a browser does, and follows to the page that answers. */
async function submit(
  service: Sandbox,
  path: string,
  fields: readonly (readonly [string, string])[],
  origin = service.origin,
): Promise<Shown> {
  const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]));
  const answer = await fetch(service.origin + path, { method: 'POST', body, headers: { origin, ...visiting(service) } });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** A form for a new token, filled in well but for what is given. */
function newToken(service: Sandbox, more: Record<string, string> = {}): Promise<Shown> {
  const fields = { user: '1', name: 'Mine', scope: 'read', expires: '2026-09-13', ...more };
  return submit(service, '/sandbox/tokens', Object.entries(fields));
}

function secretIn({ text }: Shown): string {
  return /id="secret">([^<]+)</.exec(text)?.[1] ?? '';
}

function idOf(service: Sandbox, name: string): string {
  return String(service.tokens.find((token) => token.name === name)?.id);
}

describe('the start page', () => {
  test('shows the sign-in command, the tokens with person and expiry, and the latest requests with their cost', async () => {
    const service = await sandbox();
    await send(service, '/worklogs?view=detail&filter[user_id]=1');
    await send(service, '/nosuch');
    const { text } = await page(service, '/');
    expect(text).toContain(`svc login ${new URL(service.origin).host}`);
    for (const { name, value } of service.tokens) expect(text).toContain(`<h3>${name}</h3>\n<p><code>${value}</code></p>`);
    expect(text).toContain('<bdi>أحمد المنصوري</bdi> (contractor) · <span>expires 2026-09-13</span>');
    const rows = [...text.matchAll(/<tr><td><code>([^<]+)<.code><.td><td class="number[^"]*">(\d+)<.td><td class="number">(\d+)</g)];
    expect(rows.map(([, request, status, units]) => [request, status, units])).toEqual([
      ['GET /api/v2/nosuch', '404', '0'],
      ['GET /api/v2/worklogs?view=detail&amp;filter[user_id]=1', '200', '3'],
    ]);
    expect(service.requests).toHaveLength(2);
  });

  test('escapes text from requests', async () => {
    const service = await sandbox();
    await fetch(`${service.baseUrl}/<script>alert(1)</script>`);
    await fetch(`${service.baseUrl}/%3Cb%3E?%`);
    const { text, headers } = await page(service, '/');
    expect(text).not.toMatch(/<script|<b>/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('the token page', () => {
  test('requires a name, a scope and a date for a new token (rules 12.3, 12.6, 12.9)', async () => {
    const service = await sandbox();
    const before = service.tokens.length;
    for (const fields of [{ name: ' ' }, { scope: 'everything' }, { expires: '' }, { expires: '2026-02-30' }, { expires: '2026-06-15' }]) {
      const answer = await newToken(service, fields);
      expect([fields, answer.status, answer.text.includes('role="alert"')]).toEqual([fields, 422, true]);
    }
    expect(service.tokens).toHaveLength(before);
  });

  test('offers 90 days by default, and at most 12 months (rules 12.7, 12.8, 16.6)', async () => {
    const service = await sandbox();
    const { text } = await page(service, '/sandbox/tokens');
    expect(text).toContain('<input type="date" id="expires" name="expires" required value="2026-09-13" min="2026-06-16" max="2027-06-15">');
    expect((await newToken(service, { expires: '2027-06-16' })).status).toBe(422);
    expect((await newToken(service, { expires: '2027-06-15' })).status).toBe(200);
  });

  test('stores Delete as destroy, and an empty choice as all resources (rules 12.4, 12.5)', async () => {
    const service = await sandbox();
    await submit(service, '/sandbox/tokens', [
      ['user', '1'],
      ['name', 'all'],
      ['scope', 'read'],
      ['scope', 'destroy'],
      ['expires', '2026-07-01'],
    ]);
    expect(service.tokens.at(-1)).toMatchObject({ abilities: ['api:read', 'api:destroy'], expires: new Date('2026-07-01T00:00:00Z') });
  });

  test('combines scopes and resources, and ignores an unknown resource (rules 12.23, 12.24)', async () => {
    const service = await sandbox();
    await submit(service, '/sandbox/tokens', [
      ['user', '1'],
      ['name', 'four'],
      ['scope', 'read'],
      ['scope', 'write'],
      ['resource', 'times'],
      ['resource', 'projects'],
      ['resource', 'nosuch'],
      ['expires', '2026-07-01'],
    ]);
    expect(service.tokens.at(-1)?.abilities.toSorted()).toEqual([
      'api:read:projects',
      'api:read:times',
      'api:write:projects',
      'api:write:times',
    ]);
  });

  test('shows a new secret only once (rule 12.12)', async () => {
    const service = await sandbox();
    const made = await newToken(service);
    const secret = secretIn(made);
    expect((await send(service, '/me', { token: secret })).status).toBe(200);
    for (const path of ['/sandbox/tokens', '/']) expect((await page(service, path)).text).not.toContain(secret);
  });

  test('rolls a token with a new secret and date, but the same name and abilities (rules 12.16 to 12.19)', async () => {
    const service = await sandbox();
    const old = secretIn(await newToken(service, { name: 'rolled', expires: '2026-08-01' }));
    const offered = (await page(service, '/sandbox/tokens')).text;
    expect(offered).toContain('aria-label="New expiry of rolled" name="expires" required value="2026-08-01"');
    const { abilities } = service.tokens.at(-1) ?? {};
    const rolled = await submit(service, '/sandbox/tokens/roll', [
      ['user', '1'],
      ['token', idOf(service, 'rolled')],
      ['expires', '2026-12-01'],
    ]);
    const secret = secretIn(rolled);
    expect(secret).not.toBe(old);
    expect(service.tokens.at(-1)).toMatchObject({ name: 'rolled', abilities, expires: new Date('2026-12-01T00:00:00Z') });
    expect((await send(service, '/me', { token: old })).status).toBe(401);
    expect((await send(service, '/me', { token: secret })).status).toBe(200);
  });

  test('revokes a token at once (rules 12.11, 12.22)', async () => {
    const service = await sandbox();
    const secret = secretIn(await newToken(service, { name: 'gone' }));
    await submit(service, '/sandbox/tokens/revoke', [
      ['user', '1'],
      ['token', idOf(service, 'gone')],
    ]);
    const answer = await send(service, '/me', { token: secret });
    expect([answer.status, answer.body.type]).toEqual([401, expect.stringMatching(/\/unauthenticated$/)]);
    expect((await page(service, '/sandbox/tokens')).text).not.toContain('<h3>gone</h3>');
  });

  test('allows ten valid tokens, not counting expired tokens and apps (rules 12.13 to 12.15, 13.81, 16.5)', async () => {
    const service = await sandbox();
    await signIn(service);
    // Four are there from the start.
    for (let live = 4; live < 10; live++) expect((await newToken(service)).status).toBe(200);
    const refused = await newToken(service);
    expect([refused.status, refused.text.includes('at most 10')]).toEqual([422, true]);
    service.advance(DAY);
    expect((await newToken(service)).status).toBe(200);
  });

  test('rolls a valid token, and rolls an expired token only with fewer than ten valid tokens (rules 12.20, 12.21)', async () => {
    const service = await sandbox();
    service.advance(DAY);
    for (let live = 3; live < 10; live++) await newToken(service, { name: `t${live}` });
    const roll = (name: string) =>
      submit(service, '/sandbox/tokens/roll', [
        ['user', '1'],
        ['token', idOf(service, name)],
        ['expires', '2026-12-01'],
      ]);
    expect((await roll('t3')).status).toBe(200);
    expect((await roll('short-lived')).status).toBe(422);
    service.revokeToken(Number(idOf(service, 't4')));
    const renewed = await roll('short-lived');
    expect((await send(service, '/me', { token: secretIn(renewed) })).status).toBe(200);
  });

  test('needs the permission Manage API tokens, which an admin has (rules 12.1, 12.2)', async () => {
    const service = await sandbox();
    const value = tokenNamed(service, 'employee');
    for (const path of ['', '/roll', '/revoke']) {
      const fields = { user: '3', name: 'x', scope: 'read', expires: '2026-07-01', token: idOf(service, 'employee') };
      const answer = await submit(service, `/sandbox/tokens${path}`, Object.entries(fields));
      expect([path, answer.status, answer.text.includes('Manage API tokens')]).toEqual([path, 403, true]);
    }
    expect((await send(service, '/me', { token: value })).status).toBe(200);
    service.setRole(3, 'admin');
    expect((await newToken(service, { user: '3' })).status).toBe(200);
  });

  test('refuses a token of another person, an unknown user, and a form of another site', async () => {
    const service = await sandbox();
    const fields = [
      ['user', '1'],
      ['token', idOf(service, 'manager')],
    ] as const;
    expect((await submit(service, '/sandbox/tokens/revoke', fields)).status).toBe(422);
    expect((await newToken(service, { user: '99' })).status).toBe(404);
    expect((await page(service, '/sandbox/tokens?user=99')).status).toBe(404);
    expect((await submit(service, '/sandbox/tokens/revoke', [['user', '2'], ...fields.slice(1)], 'http://evil.example')).status).toBe(403);
    expect((await send(service, '/me', { token: tokenNamed(service, 'manager') })).status).toBe(200);
  });
});

test('the page of connected apps shows the redirect host, and disconnects the app at once (rules 13.78, 13.79)', async () => {
  const service = await sandbox();
  const { access, clientId } = await signIn(service);
  const { text } = await page(service, '/sandbox/apps');
  expect(text).toContain('A &lt;test&gt; app');
  expect(text).toContain('returns to 127.0.0.1:1<');
  const after = await submit(service, '/sandbox/apps/disconnect', [
    ['client', clientId],
    ['user', '1'],
  ]);
  expect(after.text).toContain('No app is connected');
  expect((await send(service, '/me', { token: access })).status).toBe(401);
});

test('web_url leads to a page about the record (rule 2.40)', async () => {
  const service = await sandbox();
  for (const path of ['/projects/1', '/work-items/ABC-12']) {
    const { body } = await send(service, path);
    const answer = await fetch(body.data.web_url);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining(String(body.data.title ?? body.data.name).slice(0, 8)),
    ]);
  }
  expect((await page(service, '/projects/999999')).status).toBe(404);
});
