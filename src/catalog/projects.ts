import { type Area, defineResource } from './define.ts';
import { BY_ENUM, BY_ID, idShortcut, NAME, refTo, shortcut, TEXT, withRecord } from './fields.ts';

const projects = defineResource({
  noun: 'projects',
  summary: 'Projects',
  // The documentation does not show which operations need which ability (rule 19.17).
  ability: ['projects', 'kanban'],
  fields: {
    name: { ...NAME, example: 'Website' },
    status: { kind: 'enum', write: 'both', values: ['on-hold'], summary: 'The state' },
    ...withRecord('customer', refTo('customers')),
    workflow_id: refTo('workflows', {
      summary: 'The workflow of the project’s work items',
      ifNone: 'Without a workflow, the work items of the project cannot change status.',
    }),
    key_prefix: { ...TEXT, summary: 'The prefix of the project’s work item keys', example: 'WEB' },
    start_date: { kind: 'date', write: 'both', assumed: true },
    end_date: { kind: 'date', write: 'both', summary: 'The last day' },
    web_url: { kind: 'string', summary: 'The address of the page in the web app' },
  },
  columns: ['id', 'name', 'status', 'customer_id', 'end_date'],
  wide: ['start_date'],
  filters: { status: BY_ENUM, customer_id: BY_ID },
  shortcuts: [
    shortcut('status', 'Show only projects in this state, such as on-hold', 'enum', { field: 'status' }),
    idShortcut('customer', 'Show only projects billed to this customer'),
  ],
  notes: [
    {
      on: ['create'],
      text: 'The workflow of a project decides which statuses the work items of the project can have. Without a workflow with transitions, work items keep their status; svc workflows apply creates a workflow. Without a key prefix, work items may lack keys such as WEB-12. The service documents neither a workflow nor a key prefix for projects. If your service refuses a field, the error names the field.',
    },
  ],
  examples: [
    ['list', '--status on-hold', 'List projects that are on hold'],
    ['list', '--search website --fields id,name', 'List projects with “website” in their text'],
    ['create', '--name "Website" --customer "Bakkerij Jansen & Zonen"', 'Create a project for a customer'],
    ['create', '--name "Website" --workflow Development --key-prefix SITE', 'Create a project with a workflow and work item keys'],
    ['update', '12 --status on-hold', 'Put a project on hold'],
    ['update', '12 --end-date 2026-03-31 --if-unchanged', 'Set the last day, unless somebody changed the project since you read it'],
  ],
});

const projectLinks = defineResource({
  noun: 'project-links',
  summary: 'Web addresses of projects',
  ability: 'projects',
  fields: {
    ...withRecord('project', refTo('projects', { required: true })),
    name: { ...NAME, example: 'Design' },
    url: { ...TEXT, required: true, summary: 'The address', example: 'https://design.example.com/12' },
  },
  columns: ['id', 'project_id', 'name', 'url'],
  filters: { project_id: BY_ID },
  shortcuts: [idShortcut('project', 'Show only records of this project')],
  examples: [
    ['list', '--project "Web shop"', 'List the links of a project'],
    ['list', '--output csv --fields project_id,name,url', 'Write all links for a spreadsheet'],
  ],
});

const budgets = defineResource({
  noun: 'budgets',
  summary: 'Time budgets of projects',
  ownCommands: [
    { code: 'burn-budgets', name: 'burn', summary: 'Show how much of each budget is spent, and when the budget runs out', onlyReads: true },
  ],
  fields: {
    ...withRecord('project', refTo('projects', { required: true })),
    ...withRecord('budget_group', refTo('budget-groups')),
    name: { ...NAME, example: 'Development' },
    budget: { kind: 'duration', write: 'both', summary: 'The time of the budget', example: '40h' },
    logged_minutes: { kind: 'duration', assumed: true, summary: 'The used time of the budget' },
  },
  columns: ['id', 'project_id', 'name', 'budget', 'logged_minutes'],
  wide: ['budget_group_id'],
  filters: { project_id: BY_ID, budget_group_id: BY_ID },
  shortcuts: [
    idShortcut('project', 'Show only records of this project'),
    idShortcut('group', 'Show only budgets in this group', 'budget_group_id'),
  ],
  notes: ['The service stores the time of a budget in minutes; --budget takes 40h, 90m or 1h30.'],
  examples: [
    ['list', '--project "Web shop"', 'List the budgets of a project'],
    ['list', "--jq '.[] | select(.logged_minutes > .budget) | .name'", 'Print the names of overrun budgets'],
    ['create', '--project "Web shop" --name "Development" --budget 40h', 'Create a budget of forty hours'],
  ],
});

const budgetGroups = defineResource({
  noun: 'budget-groups',
  summary: 'Groups that budgets belong to',
  fields: { name: { ...NAME, example: 'Maintenance' } },
  columns: ['id', 'name', 'created_at'],
  examples: [
    ['list', '--sort name', 'List all groups by name'],
    ['list', '--output ids', 'Print only the ids'],
  ],
});

export const projectArea: Area = { title: 'Projects', resources: [projects, projectLinks, budgets, budgetGroups] };
