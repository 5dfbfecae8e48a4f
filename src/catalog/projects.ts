import { type Area, defineResource } from './define.ts';
import { ASSUMED_STAMP_FILTERS, BY_ENUM, BY_ID, idShortcut, NAME, refTo, STAMPS, TEXT } from './fields.ts';

const projects = defineResource({
  noun: 'projects',
  singular: 'project',
  summary: 'Projects',
  path: '/projects',
  // Which operations ask for which of the two is not documented (rule 19.17).
  ability: ['projects', 'kanban'],
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Website' },
    status: { kind: 'enum', write: 'both', values: ['on-hold'], summary: 'Its state' },
    customer_id: refTo('customers'),
    customer: { kind: 'json', assumed: true },
    workflow_id: refTo('workflows', {
      summary: 'Along which its work items move',
      ifNone: 'Without a workflow its work items cannot be moved.',
    }),
    key_prefix: { ...TEXT, summary: 'What the keys of its work items begin with', example: 'WEB' },
    start_date: { kind: 'date', write: 'both', assumed: true },
    end_date: { kind: 'date', write: 'both', summary: 'The last day, if there is one' },
    web_url: { kind: 'string', summary: 'Its page in the web app' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'status', 'customer_id', 'end_date'],
  wide: ['start_date'],
  relations: { customer: { assumed: true } },
  filters: { status: BY_ENUM, customer_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    { flag: 'status', summary: 'In this state, such as on-hold', takes: 'enum', sets: [{ field: 'status' }] },
    idShortcut('customer', 'Billed to this customer'),
  ],
  notes: [
    {
      on: ['create'],
      text: 'Work items move along their project’s workflow: without one, or along one that has no transitions, they stay where they are (svc workflows apply makes one). Without a key prefix they may have no keys such as WEB-12. Neither is documented for projects: a service that does not take one refuses it by its name.',
    },
  ],
  examples: [
    { verb: 'list', args: '--status on-hold', does: 'Projects that are on hold' },
    { verb: 'list', args: '--search website --fields id,name', does: 'Projects with “website” in their text' },
    { verb: 'create', args: '--name "Website" --customer "Bakkerij Jansen & Zonen"', does: 'A project for a customer' },
    {
      verb: 'create',
      args: '--name "Website" --workflow Development --key-prefix SITE',
      does: 'One whose work items can be moved, and have keys',
    },
    { verb: 'update', args: '12 --status on-hold', does: 'Put it on hold' },
    { verb: 'update', args: '12 --end-date 2026-03-31 --if-unchanged', does: 'Set its last day, unless somebody changed it meanwhile' },
  ],
});

const projectLinks = defineResource({
  noun: 'project-links',
  singular: 'project-link',
  summary: 'Web addresses kept with a project',
  path: '/project-links',
  ability: 'projects',
  counted: true,
  fields: {
    id: { kind: 'id' },
    project_id: refTo('projects', { required: true }),
    project: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Design' },
    url: { ...TEXT, required: true, summary: 'The address', example: 'https://design.example.com/12' },
    ...STAMPS,
  },
  columns: ['id', 'project_id', 'name', 'url'],
  relations: { project: { assumed: true } },
  filters: { project_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('project', 'Of this project')],
  examples: [
    { verb: 'list', args: '--project "Web shop"', does: 'The links of a project' },
    { verb: 'list', args: '--output csv --fields project_id,name,url', does: 'All links, for a spreadsheet' },
  ],
});

const budgets = defineResource({
  noun: 'budgets',
  singular: 'budget',
  summary: 'Time budgets of projects',
  path: '/budgets',
  ability: 'budgets',
  counted: true,
  ownCommands: [{ code: 'burn-budgets', name: 'burn', summary: 'How much of each budget is spent, and when it ends', looks: true }],
  fields: {
    id: { kind: 'id' },
    project_id: refTo('projects', { required: true }),
    project: { kind: 'json', assumed: true },
    budget_group_id: refTo('budget-groups'),
    budget_group: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Development' },
    budget: { kind: 'duration', write: 'both', summary: 'How much time it holds', example: '40h' },
    logged_minutes: { kind: 'duration', assumed: true, summary: 'How much of it is used' },
    ...STAMPS,
  },
  columns: ['id', 'project_id', 'name', 'budget', 'logged_minutes'],
  wide: ['budget_group_id'],
  relations: { project: { assumed: true }, budget_group: { assumed: true } },
  filters: { project_id: BY_ID, budget_group_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('project', 'Of this project'), idShortcut('group', 'In this budget group', 'budget_group_id')],
  notes: ['Time is in minutes: --budget takes 40h, 90m or 1h30.'],
  examples: [
    { verb: 'list', args: '--project "Web shop"', does: 'The budgets of a project' },
    { verb: 'list', args: "--jq '.[] | select(.logged_minutes > .budget) | .name'", does: 'Budgets that are used up' },
    { verb: 'create', args: '--project "Web shop" --name "Development" --budget 40h', does: 'Forty hours for a project' },
  ],
});

const budgetGroups = defineResource({
  noun: 'budget-groups',
  singular: 'budget-group',
  summary: 'Groups that budgets belong to',
  path: '/budget-groups',
  ability: 'budget_groups',
  counted: true,
  fields: { id: { kind: 'id' }, name: { ...NAME, example: 'Maintenance' }, ...STAMPS },
  columns: ['id', 'name', 'created_at'],
  filters: ASSUMED_STAMP_FILTERS,
  examples: [
    { verb: 'list', args: '--sort name', does: 'All groups, by name' },
    { verb: 'list', args: '--output ids', does: 'Their ids alone' },
  ],
});

export const projectArea: Area = { title: 'Projects', resources: [projects, projectLinks, budgets, budgetGroups] };
