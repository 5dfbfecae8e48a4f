import { describe, expect, test } from 'vitest';
import { PREFIXES } from '../../../src/sandbox/resources/index.ts';
import { signIn } from '../oauth-flow.ts';
import { problem, sandbox, send, tokenNamed } from '../support.ts';

// Chapters 11 and 12 of docs/service-rules.md.

const FILED = { '/worklogs': { minutes: 5, date: '2026-06-15' }, '/timers': {}, '/checkins': { date: '2026-06-15' } } as const;

describe('tokens', () => {
  test('are personal or belong to a sign-in, and have no more rights than their user (rules 11.1, 11.2)', async () => {
    const service = await sandbox();
    const { access } = await signIn(service, '6');
    for (const token of [access, tokenNamed(service, 'contractor')]) {
      expect((await send(service, '/me', { token })).body.data.id).toBe(6);
      expect((await send(service, '/projects', { token })).status).toBe(200);
      expect(problem(await send(service, '/sales-invoices', { token }))).toEqual({ status: 403, type: 'insufficient-permission' });
    }
  });

  test('can have an ability beyond the role, which has no effect (rule 12.25)', async () => {
    const service = await sandbox();
    const token = service.createToken({ name: 'x', userId: 6, scopes: ['read', 'write', 'destroy'], resources: ['sales_invoices'] });
    expect(token.abilities).toContain('api:destroy:sales_invoices');
    for (const method of ['GET', 'DELETE']) {
      const refused = await send(service, '/sales-invoices/1', { method, token: token.value });
      expect(problem(refused)).toEqual({ status: 403, type: 'insufficient-permission' });
    }
  });

  test('that are personal are valid until the expiry, even if the owner loses Manage API tokens (rule 12.27)', async () => {
    const service = await sandbox();
    const { access } = await signIn(service, '2');
    const token = tokenNamed(service, 'manager');
    service.setRole(2, 'employee');
    expect((await send(service, '/me', { token: access })).status).toBe(403);
    expect((await send(service, '/me', { token })).status).toBe(200);
    service.advance(90 * 24 * 60 * 60 * 1000);
    expect((await send(service, '/me', { token })).status).toBe(401);
  });
});

describe('abilities', () => {
  test('cover every resource when not narrowed (rule 11.5)', async () => {
    const service = await sandbox({ limits: 'off' });
    service.setFeature('furlough', true);
    const token = tokenNamed(service, 'read-only');
    for (const { path, operations } of (await send(service, '/')).body.data) {
      // An upload ticket is made and never read.
      if (operations.some(({ method }: { method: string }) => method === 'GET') && path !== null)
        expect([path, (await send(service, path, { token })).status]).toEqual([path, 200]);
    }
  });

  test('to write include reading, and abilities to delete include reading and writing (rules 11.6 to 11.8)', async () => {
    for (const resources of [[], ['project_management']]) {
      const service = await sandbox();
      const may = async (scope: 'read' | 'write' | 'destroy') => {
        const token = service.createToken({ name: scope, userId: 1, scopes: [scope], resources }).value;
        const made = await send(service, '/labels', { method: 'POST', token, body: { name: 'x' } });
        const deleted = await send(service, '/todos/1', { method: 'DELETE', token });
        return [
          (await send(service, '/labels', { token })).status,
          made.status,
          deleted.status,
          (await send(service, '/users', { token })).status,
        ];
      };
      const users = resources.length === 0 ? 200 : 403;
      expect(await may('read')).toEqual([200, 403, 403, users]);
      expect(await may('write')).toEqual([200, 201, 403, users]);
      expect(await may('destroy')).toEqual([200, 201, 204, users]);
    }
  });

  test('have no wildcard (rule 11.9)', async () => {
    const service = await sandbox();
    expect(service.createToken({ name: 'x', userId: 1, scopes: ['read'], resources: ['*', 'all'] }).abilities).toEqual([]);
    for (const scope of ['api:*', 'api:read:*', '*', 'api']) {
      await expect(signIn(service, '1', scope)).rejects.toThrow('invalid_scope');
    }
  });

  const COVERED: Readonly<Record<string, readonly string[]>> = {
    'projects (rule 11.14)': ['/project-links'],
    'budgets (rule 11.15)': ['/budgets'],
    'budget_groups (rule 11.16)': ['/budget-groups'],
    'work_types (rule 11.17)': ['/work-types'],
    'workflows (rule 11.18)': ['/workflows', '/workflow-statuses', '/workflow-transitions'],
    'customers (rule 11.19)': ['/customers', '/contacts', '/contact-roles'],
    'customer_categories (rule 11.20)': ['/customer-categories'],
    'sales_invoices (rule 11.21)': ['/sales-invoices', '/sales-invoice-rows', '/sales-invoices/1/rows'],
    'invoices (rule 11.22)': ['/invoices'],
    'customer_subscriptions (rule 11.23)': ['/customer-subscriptions', '/subscription-items', '/customer-subscriptions/1/items'],
    'subscription_types (rule 11.24)': ['/subscription-types', '/subscription-type-items', '/subscription-types/1/items'],
    'subscription_products (rule 11.25)': ['/subscription-products'],
    'company_branches (rule 11.26)': ['/company-branches'],
    'users (rule 11.27)': ['/users'],
    'project_management (rule 11.28)': [
      '/work-items',
      '/work-items/12/comments',
      '/work-items/12/attachments',
      '/work-items/12/links',
      '/work-items/12/subtasks',
      '/subtasks',
      '/work-item-links',
      '/labels',
      '/sprints',
      '/todos',
    ],
    'kanban (rule 11.29)': ['/tasks'],
    'times (rule 11.30)': ['/worklogs'],
    'hours (rule 11.31)': ['/timers'],
    'absences (rule 11.33)': ['/absences'],
    'holidays (rule 11.34)': ['/holidays'],
    'free_days (rule 11.35)': ['/free-days'],
    'checkins (rule 11.36)': ['/checkins'],
    'furlough (rule 11.37)': ['/furlough-balance-mutations'],
    'events (rule 11.38)': ['/events'],
  };

  test.each(Object.entries(COVERED))('for %s cover %j, and no other ability does', async (title, paths) => {
    const service = await sandbox();
    service.setFeature('furlough', true);
    const prefix = title.split(' ')[0] ?? '';
    const others = PREFIXES.filter((other) => other !== prefix);
    const own = service.createToken({ name: 'own', userId: 1, scopes: ['read'], resources: [prefix] }).value;
    const rest = service.createToken({ name: 'rest', userId: 1, scopes: ['read'], resources: others }).value;
    for (const path of paths) {
      const statuses = [(await send(service, path, { token: own })).status, (await send(service, path, { token: rest })).status];
      expect([path, ...statuses]).toEqual([path, 200, 403]);
    }
    expect((await send(service, prefix === 'users' ? '/labels' : '/users', { token: own })).status).toBe(403);
  });

  test('cover /projects only for projects and kanban (rules 11.14, 11.29)', async () => {
    const service = await sandbox();
    const status = async (resources: readonly string[]): Promise<number> => {
      const token = service.createToken({ name: 'x', userId: 1, scopes: ['read'], resources }).value;
      return (await send(service, '/projects', { token })).status;
    };
    const others = PREFIXES.filter((prefix) => prefix !== 'projects' && prefix !== 'kanban');
    expect([await status(['projects']), await status(['kanban']), await status(others)]).toEqual([200, 200, 403]);
  });

  test('allow uploads to a work item only with project_management (rule 11.28)', async () => {
    const service = await sandbox();
    const post = async (resources: readonly string[]): Promise<number> => {
      const token = service.createToken({ name: 'x', userId: 1, scopes: ['write'], resources }).value;
      return (await send(service, '/work-items/12/uploads', { method: 'POST', token, body: { file_name: 'a.txt' } })).status;
    };
    expect([await post(['project_management']), await post(['user_drive'])]).toEqual([201, 403]);
  });

  test('cover each kind of drive by its own prefix (rule 11.32)', async () => {
    const service = await sandbox();
    const every = (await send(service, '/drive-items?per_page=100')).body.data;
    const owners = new Set<string>(every.map((row: { owner_type: string }) => row.owner_type));
    expect([...owners].toSorted()).toEqual(['customer', 'organization', 'project', 'user']);
    for (const owner of owners) {
      const token = service.createToken({ name: owner, userId: 1, scopes: ['read'], resources: [`${owner}_drive`] }).value;
      for (const path of ['/drive-items', '/drive-folders', '/drive-documents', '/notes']) {
        const { body } = await send(service, `${path}?per_page=100`, { token });
        for (const row of body.data) expect([path, row.owner_type]).toEqual([path, owner]);
      }
      for (const { id, owner_type } of every) {
        for (const part of ['comments', 'files']) {
          const { data } = (await send(service, `/drive-items/${id}/${part}`)).body;
          const narrowed = await send(service, `/drive-items/${id}/${part}`, { token });
          if (owner_type === owner) expect(narrowed.body.data).toEqual(data);
          else expect(narrowed.status).toBe(404);
        }
      }
    }
  });
});

describe('permissions', () => {
  test.each([
    ['workflows::create', 'employee', 'POST', '/workflows', { name: 'x' }],
    ['absences::manage', 'employee', 'GET', '/absences?filter[user_id]=4', undefined],
    ['hours::read', 'contractor', 'GET', '/worklogs', undefined],
    ['checkins::read', 'contractor', 'GET', '/checkins', undefined],
    ['times::write_overtime', 'employee', 'POST', '/worklogs', { ...FILED['/worklogs'], is_overtime: true }],
    ['project_management::manage_work_items', 'contractor', 'PATCH', '/work-items/12', { title: 'x' }],
  ])('are named in the refusal of a user who lacks %s (rules 11.12, 11.13)', async (permission, name, method, path, body) => {
    const service = await sandbox();
    const refused = await send(service, path, { method, token: tokenNamed(service, name), ...(body && { body }) });
    expect([problem(refused), refused.body.permission]).toEqual([{ status: 403, type: 'insufficient-permission' }, permission]);
  });

  test('are needed to read hours and check-ins, and not to log your own hours and check-ins (rules 11.39 to 11.41)', async () => {
    const service = await sandbox();
    for (const [path, body] of Object.entries(FILED)) {
      const file = (name: string) => send(service, path, { method: 'POST', token: tokenNamed(service, name), body });
      expect([path, (await file('contractor')).status, (await file('employee')).status]).toEqual([path, 201, 201]);
      const read = async (name: string) => (await send(service, path, { token: tokenNamed(service, name) })).status;
      expect([path, await read('contractor'), await read('employee')]).toEqual([path, 403, 200]);
    }
    const others = { ...FILED['/worklogs'], user_id: 4 };
    const refused = await send(service, '/worklogs', { method: 'POST', token: tokenNamed(service, 'contractor'), body: others });
    expect(problem(refused)).toEqual({ status: 403, type: 'insufficient-permission' });
  });
});
