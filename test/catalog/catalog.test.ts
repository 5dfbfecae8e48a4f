import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { manifestWithPages, resourceNamesModule } from '../../scripts/resource-names.ts';
import { defineResource, type Resource } from '../../src/catalog/define.ts';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { abilitiesFor, flagOf, maxPerPage, reachOf, wordsOf, writableFields } from '../../src/catalog/rules.ts';

const { all, find, nouns } = builtInCatalog();
const resources = await all();

function named(words: string): Resource {
  const found = resources.find((resource) => wordsOf(resource) === words);
  if (found === undefined) throw new Error(`No resource ${words}`);
  return found;
}

describe('the list of resource names', () => {
  it('equals the output of its generator', async () => {
    expect(await readFile(new URL('../../src/catalog/resource-names.ts', import.meta.url), 'utf8')).toBe(await resourceNamesModule());
  });

  it('gives package.json a man page for each name', async () => {
    expect(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).toBe(await manifestWithPages());
  });

  it('has the same name, singular and summary as each catalog entry', async () => {
    for (const { noun, singular, summary, load } of nouns) expect(await load()).toMatchObject({ noun, singular, summary });
  });

  it('leads to a resource only by the name or singular of the resource', async () => {
    expect((await find('work-item'))?.noun).toBe('work-items');
    expect((await find('workflow-statuses'))?.singular).toBe('workflow-status');
    for (const word of ['items', 'constructor', '']) expect(await find(word)).toBeUndefined();
  });
});

describe('abilities (rules 11.14 to 11.38)', () => {
  it.each([
    ['projects', 'GET', ['api:read:projects', 'api:read:kanban']],
    ['project-links', 'GET', ['api:read:projects']],
    ['budgets', 'POST', ['api:write:budgets']],
    ['budget-groups', 'GET', ['api:read:budget_groups']],
    ['work-types', 'GET', ['api:read:work_types']],
    ['workflows', 'PATCH', ['api:write:workflows']],
    ['workflow-statuses', 'GET', ['api:read:workflows']],
    ['workflow-transitions', 'GET', ['api:read:workflows']],
    ['customers', 'DELETE', ['api:destroy:customers']],
    ['contacts', 'GET', ['api:read:customers']],
    ['contact-roles', 'GET', ['api:read:customers']],
    ['customer-categories', 'GET', ['api:read:customer_categories']],
    ['sales-invoices', 'GET', ['api:read:sales_invoices']],
    ['sales-invoice-rows', 'GET', ['api:read:sales_invoices']],
    ['sales-invoices rows', 'GET', ['api:read:sales_invoices']],
    ['invoices', 'GET', ['api:read:invoices']],
    ['customer-subscriptions', 'GET', ['api:read:customer_subscriptions']],
    ['subscription-items', 'GET', ['api:read:customer_subscriptions']],
    ['subscription-types', 'GET', ['api:read:subscription_types']],
    ['subscription-type-items', 'GET', ['api:read:subscription_types']],
    ['subscription-products', 'GET', ['api:read:subscription_products']],
    ['company-branches', 'GET', ['api:read:company_branches']],
    ['users', 'GET', ['api:read:users']],
    ['work-items', 'GET', ['api:read:project_management']],
    ['work-items comments', 'GET', ['api:read:project_management']],
    ['subtasks', 'GET', ['api:read:project_management']],
    ['work-item-links', 'GET', ['api:read:project_management']],
    ['labels', 'GET', ['api:read:project_management']],
    ['sprints', 'GET', ['api:read:project_management']],
    ['todos', 'GET', ['api:read:project_management']],
    ['tasks', 'GET', ['api:read:kanban']],
    ['worklogs', 'POST', ['api:write:times']],
    ['timers', 'POST', ['api:write:hours']],
    ['notes', 'GET', ['api:read:project_drive', 'api:read:customer_drive', 'api:read:organization_drive', 'api:read:user_drive']],
    ['absences', 'GET', ['api:read:absences']],
    ['holidays', 'GET', ['api:read:holidays']],
    ['free-days', 'GET', ['api:read:free_days']],
    ['checkins', 'GET', ['api:read:checkins']],
    ['furlough-balance-mutations', 'GET', ['api:read:furlough']],
    ['events', 'GET', ['api:read:events']],
  ])('match the documentation for %s %s', (words, method, abilities) => {
    expect(abilitiesFor(named(words), method)).toEqual(abilities);
  });
});

describe('documented fields (rules 4.5, 4.8 to 4.10, 4.18 to 4.21, 4.33 to 4.34, 4.39)', () => {
  it.each([
    [
      'worklogs',
      'date minutes description project_id work_item_id budget_id task_id user_id is_overtime is_not_billable exceeded_budget reviewed_by invoice_id sales_invoice_row_id links',
    ],
    [
      'sales-invoice-rows',
      'quantity unit_price vat_rate vat_amount total_amount billable_minutes sales_invoice_id sales_invoice subscription_item_id budget_id name description hourly_rate is_aggregated_price sort_order deleted_at links external_item_id external_vat_code external_cost_center external_gl_account',
    ],
    ['work-items', 'issue_key workflow_status_id description due_date estimation version web_url sprint_id sprint assignee comments_count'],
    ['projects', 'status end_date web_url'],
    ['workflows', 'name order'],
    ['workflow-statuses', 'workflow_id'],
    ['workflow-transitions', 'from_status_id to_status_id'],
    ['drive-items', 'folder_id drive_folder'],
    ['drive-folders', 'parent_id parent_folder'],
    ['drive-documents', 'content content_html'],
    ['contacts', 'contact_role_id role'],
    ['work-items comments', 'body'],
    ['notes', 'content'],
    ['budgets', 'budget'],
    ['users', 'name timezone working_hours'],
  ])('of %s are in the catalog, and are not marked as assumed', (words, fields) => {
    for (const name of fields.split(' ')) expect(named(words).fields[name], name).toMatchObject({ kind: expect.any(String) });
    for (const name of fields.split(' ')) expect(named(words).fields[name]?.assumed, name).toBeUndefined();
  });

  it('include the foreign keys without the form <relation>_id (rules 2.3 to 2.5)', () => {
    expect(named('drive-items').relations?.['drive_folder']?.key).toBe('folder_id');
    expect(named('drive-folders').relations?.['parent_folder']?.key).toBe('parent_id');
    expect(named('contacts').relations?.['role']?.key).toBe('contact_role_id');
  });

  it('that are read-only cannot be set by a create (rules 2.41, 4.23)', () => {
    for (const resource of resources) {
      const settable = writableFields(resource, 'create').map(([name]) => name);
      for (const name of ['id', 'web_url', 'version', 'created_at', 'updated_at', 'deleted_at']) expect(settable).not.toContain(name);
    }
    expect(named('workflows').fields['order']?.write).toBeUndefined();
  });
});

describe('a catalog entry', () => {
  it.each(resources.map((resource) => [wordsOf(resource), resource] as const))(
    '(%s) has known filters, unique flags and the path of its name',
    (_, resource) => {
      for (const { flag, sets } of resource.shortcuts ?? []) {
        for (const { field } of sets) expect(Object.keys(resource.filters), `--${flag}`).toContain(field);
      }
      for (const { field, orNull } of (resource.shortcuts ?? []).flatMap(({ sets }) => sets)) {
        // The filter also requests rows without a value, and the other field when the catalog names one.
        if (orNull !== undefined) expect(resource.fields[field]?.kind).toBe('span-end');
        if (typeof orNull === 'string') expect(Object.keys(resource.filters)).toContain(orNull);
      }
      for (const [name, { kind, begins }] of Object.entries(resource.fields)) {
        expect(begins !== undefined, name).toBe(kind === 'span-end');
        if (begins !== undefined) expect(resource.fields[begins]?.kind, name).toBe('date-time');
      }
      for (const [name, { kind }] of Object.entries(resource.filters)) {
        // svc can apply an assumed filter to the rows itself, so the rows must have the field.
        expect(resource.fields[name]?.kind ?? kind, name).toBeDefined();
        expect(Object.keys(resource.fields), name).toContain(name);
      }
      for (const name of Object.keys(resource.relations ?? {}).filter((relation) => reachOf(resource, relation) === 'one')) {
        expect(Object.keys(resource.fields), name).toContain(name);
      }
      for (const [name, field] of Object.entries(resource.fields)) {
        if (field.ref !== undefined)
          expect(
            nouns.map(({ noun }) => noun),
            name,
          ).toContain(field.ref);
      }
      for (const operation of ['create', 'update'] as const) {
        const flags = writableFields(resource, operation).map(([name, field]) => flagOf(name, field));
        expect(flags).toEqual([...new Set(flags)]);
      }
      expect(resource.path).toContain(
        resource.parent === undefined ? `/${resource.noun}` : `{${resource.parent.parameter}}/${resource.noun}`,
      );
    },
  );

  it('does not compile with a column that its records lack', () => {
    defineResource({
      noun: 'gadgets',
      singular: 'gadget',
      summary: 'Gadgets',
      path: '/gadgets',
      ability: 'gadgets',
      counted: false,
      fields: { id: { kind: 'id' } },
      // @ts-expect-error: there is no such field.
      columns: ['id', 'nmae'],
      filters: {},
    });
  });
});

describe('the largest page size (rules 8.3 to 8.5)', () => {
  const relations = { labels: { many: true }, sprint: {} } as const;
  it.each([
    [[], 100],
    [['sprint'], 100],
    [['labels'], 25],
    [['labels.author'], 25],
    [['tags'], 50],
    [['tags', 'labels'], 25],
  ])('with the relations %j is %i rows', (include, rows) => {
    expect(maxPerPage({ relations }, include)).toBe(rows);
  });
});
