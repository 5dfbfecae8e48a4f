import { describe, expect, test } from 'vitest';
import { register } from '../oauth-flow.ts';
import { sandbox, send, tokenNamed, visiting } from '../support.ts';

// Chapters 1 and 17 of docs/service-rules.md.

describe('hosts', () => {
  test('share no token, app or record with another organisation (rules 1.1, 1.3, 13.71)', async () => {
    const [one, other] = [await sandbox({ seed: 1 }), await sandbox({ seed: 2 })];
    expect((await send(one, '/me', { token: tokenNamed(other, 'full') })).status).toBe(401);
    const { body } = await register(other);
    const page = await fetch(`${one.origin}/oauth/authorize?client_id=${body.client_id}&redirect_uri=http://127.0.0.1:1/callback`);
    expect([page.status, (await page.text()).includes('invalid_client')]).toEqual([401, true]);
    await send(one, '/labels/1', { method: 'PATCH', body: { name: 'of one' } });
    expect((await send(other, '/labels/1')).body.data.name).not.toBe('of one');
  });

  test('have the API only below /api/v2, and the sign-in only at the root (rules 1.2, 1.4, 9.67, 17.1)', async () => {
    const service = await sandbox();
    const status = async (path: string): Promise<number> => (await fetch(service.origin + path)).status;
    expect([await status('/api/v2/me'), await status('/api/v1/me'), await status('/me')]).toEqual([401, 404, 404]);
    for (const path of ['/oauth/authorize', '/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/api/v2']) {
      expect([path, await status(path), await status(`/api/v2${path}`)]).toEqual([path, expect.not.toBeOneOf([404]), 404]);
    }
    for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
      const post = (at: string) => fetch(service.origin + at, { method: 'POST' });
      expect([path, (await post(path)).status, (await post(`/api/v2${path}`)).status]).toEqual([path, 400, 404]);
    }
  });
});

describe('the resources of the service', () => {
  test.each([
    ['projects (rule 1.6)', ['projects', 'budgets', 'budget-groups', 'project-links', 'customers']],
    ['work items (rule 1.7)', ['work-items', 'subtasks', 'work-item-links', 'labels']],
    ['time (rule 1.9)', ['worklogs', 'timers']],
    ['drive (rule 1.10)', ['drive-items', 'drive-documents', 'drive-folders', 'notes', 'todos']],
    ['customers (rule 1.11)', ['customers', 'contacts', 'contact-roles', 'customer-categories']],
    [
      'billing (rule 1.12)',
      [
        'sales-invoices',
        'sales-invoice-rows',
        'invoices',
        'customer-subscriptions',
        'subscription-items',
        'subscription-types',
        'subscription-type-items',
        'subscription-products',
      ],
    ],
    ['leave (rule 1.13)', ['absences', 'holidays', 'free-days', 'checkins', 'furlough-balance-mutations']],
    ['planning (rule 1.14)', ['events']],
    ['organisation (rule 1.15)', ['users', 'company-branches']],
    ['configuration (rule 1.16)', ['workflows', 'workflow-statuses', 'workflow-transitions', 'work-types', 'labels']],
  ])('include the documented resources for %s', async (_, names) => {
    const service = await sandbox();
    service.setFeature('furlough', true);
    const listed = (await send(service, '/')).body.data.map((entry: { name: string }) => entry.name);
    expect(listed).toEqual(expect.arrayContaining(names));
  });

  test('include comments and attachments of work items, and comments and files of drive items (rules 1.7, 1.10)', async () => {
    const service = await sandbox();
    for (const path of ['/work-items/12/comments', '/work-items/12/attachments', '/drive-items/1/comments', '/drive-items/1/files']) {
      expect([path, (await send(service, path)).status]).toEqual([path, 200]);
    }
  });

  test('include discovery, the owner of the token, and an upload ticket (rules 1.5, 17.10)', async () => {
    const service = await sandbox();
    expect([(await send(service, '/')).status, (await send(service, '/me')).status]).toEqual([200, 200]);
    const ticket = await send(service, '/work-items/12/uploads', { method: 'POST', body: { file_name: 'a.txt' } });
    expect([ticket.status, ticket.body.data.upload_url]).toEqual([201, expect.stringContaining(service.baseUrl)]);
  });

  test('include sprints, and the action complete sets an active sprint to completed (rule 1.8)', async () => {
    const service = await sandbox();
    const { body } = await send(service, '/sprints?filter[state]=active');
    const done = await send(service, `/sprints/${body.data[0].id}/actions/complete`, { method: 'POST' });
    expect([body.data[0].state, done.body.data.state]).toEqual(['active', 'completed']);
  });
});

describe('bodies', () => {
  test('are JSON in both directions (rule 1.17)', async () => {
    const service = await sandbox();
    const made = await send(service, '/labels', { method: 'POST', body: { name: 'x' } });
    for (const answer of [made, await send(service, '/labels'), await send(service, '/labels/1')]) {
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
    const form = { method: 'POST', body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await send(service, '/labels', form)).status).toBe(415);
  });

  test('have error messages in English even if the client asks for Dutch (rule 1.25)', async () => {
    const service = await sandbox();
    const asked = async (language: string) => {
      const { title, detail } = (await send(service, '/worklogs?per_page=0', { headers: { 'accept-language': language } })).body;
      return { title, detail };
    };
    expect(await asked('nl')).toEqual(await asked('en'));
    expect((await asked('nl')).title).toBe('A query parameter is not valid');
  });

  test('return text exactly as sent (rule 1.27)', async () => {
    const service = await sandbox();
    const name = '  =SUM(A1) \t"ünïcode" 🚀 \u202Eabc\u202C <b>&amp;</b> \u0000\u001b[31m\r\n';
    const made = await send(service, '/labels', { method: 'POST', body: { name } });
    expect((await send(service, `/labels/${made.body.data.id}`)).body.data.name).toBe(name);
  });
});

test('the pages of tokens and apps get 404 while the API is off (rule 1.24)', async () => {
  const service = await sandbox();
  const statuses = async () =>
    Promise.all(
      ['tokens', 'apps'].map(async (page) => (await fetch(`${service.origin}/sandbox/${page}`, { headers: visiting(service) })).status),
    );
  expect(await statuses()).toEqual([200, 200]);
  service.switchApi(false);
  expect(await statuses()).toEqual([404, 404]);
});
