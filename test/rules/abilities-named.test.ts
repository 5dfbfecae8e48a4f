import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMachine, type Machine } from '../support/svc.ts';

// Which ability svc says that a command needs, before anything is sent: chapter 11 of docs/service-rules.md.

interface Sends {
  readonly method: string;
  readonly path: string;
  readonly needs_one_of: readonly string[];
}

let machine: Machine;
let all: readonly Sends[];
beforeAll(async () => {
  machine = await createMachine();
  const { stdout } = await machine.svc(['commands', '--jq', '[.commands[].sends | select(.needs_one_of)]']);
  all = JSON.parse(stdout);
  expect(all.length).toBeGreaterThan(200);
});
afterAll(() => machine.remove());

const DRIVES = ['project_drive', 'customer_drive', 'organization_drive', 'user_drive'];
const DRIVE_PATHS = ['drive-documents', 'drive-folders', 'drive-items', 'notes'];

test.each([
  ['(rules 11.14, 11.29)', 'projects', ['project-links', 'projects']],
  ['(rule 11.15)', 'budgets', ['budgets']],
  ['(rule 11.16)', 'budget_groups', ['budget-groups']],
  ['(rule 11.17)', 'work_types', ['work-types']],
  ['(rule 11.18)', 'workflows', ['workflow-statuses', 'workflow-transitions', 'workflows']],
  ['(rule 11.19)', 'customers', ['contact-roles', 'contacts', 'customers']],
  ['(rule 11.20)', 'customer_categories', ['customer-categories']],
  ['(rule 11.21)', 'sales_invoices', ['sales-invoice-rows', 'sales-invoices']],
  ['(rule 11.22)', 'invoices', ['invoices']],
  ['(rule 11.23)', 'customer_subscriptions', ['customer-subscriptions', 'subscription-items']],
  ['(rule 11.24)', 'subscription_types', ['subscription-type-items', 'subscription-types']],
  ['(rule 11.25)', 'subscription_products', ['subscription-products']],
  ['(rule 11.26)', 'company_branches', ['company-branches']],
  ['(rule 11.27)', 'users', ['users']],
  ['(rule 11.28)', 'project_management', ['labels', 'sprints', 'subtasks', 'todos', 'work-item-links', 'work-items']],
  ['(rule 11.29)', 'kanban', ['projects', 'tasks']],
  ['(rule 11.30)', 'times', ['worklogs']],
  ['(rule 11.31)', 'hours', ['timers']],
  ...DRIVES.map((prefix): [string, string, string[]] => ['(rule 11.32)', prefix, DRIVE_PATHS]),
  ['(rule 11.33)', 'absences', ['absences']],
  ['(rule 11.34)', 'holidays', ['holidays']],
  ['(rule 11.35)', 'free_days', ['free-days']],
  ['(rule 11.36)', 'checkins', ['checkins']],
  ['(rule 11.37)', 'furlough', ['furlough-balance-mutations']],
  ['(rule 11.38)', 'events', ['events']],
])('the abilities %s for %s cover only commands for %j', (_, prefix, paths) => {
  const covered = all.filter(({ needs_one_of }) => needs_one_of.some((ability) => ability.split(':')[2] === prefix));
  expect([...new Set(covered.map(({ path }) => path.split('/')[1]))].toSorted()).toEqual(paths);
});

test('a GET needs read abilities, a DELETE needs destroy abilities, and a POST or PATCH needs write abilities (rules 11.5, 11.8)', () => {
  const CLASS: Readonly<Record<string, string>> = { GET: 'read', DELETE: 'destroy', POST: 'write', PATCH: 'write' };
  for (const { method, path, needs_one_of } of all) {
    for (const ability of needs_one_of) expect([method, path, ability]).toEqual([method, path, expect.stringMatching(/^api:\w+:[a-z_]+$/)]);
    expect([method, path, ...new Set(needs_one_of.map((ability) => ability.split(':')[1]))]).toEqual([method, path, CLASS[method]]);
  }
});

describe('svc api --dry-run', () => {
  const of = (prefixes: readonly string[], what: string) => prefixes.map((prefix) => `api:${what}:${prefix}`).join(' or ');
  test.each([
    ['(rule 11.28)', 'POST', '/work-items/ABC-12/uploads', of(['project_management'], 'write')],
    ['(rule 11.28)', 'DELETE', '/work-items/ABC-12/attachments/1', of(['project_management'], 'destroy')],
    ['(rule 11.32)', 'POST', '/drive-items/1/uploads', of(DRIVES, 'write')],
  ])('prints the ability of an operation without a command %s: %s %s needs %s', async (_, method, path, ability) => {
    const { stdout } = await machine.svc(['api', method, path, '--dry-run', '--host', 'acme.example.com']);
    expect(JSON.parse(stdout)).toMatchObject({ method, ability });
  });
});
