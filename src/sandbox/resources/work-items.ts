import type { Values } from '../json.ts';
import { type DefinedResource, defineServedResource, type ServedField, type ValidWrite } from './define.ts';
import { authoredBy, choice, count, day, flag, html, minutes, name, position, ref, requiredRef, tag, textField, webUrl } from './fields.ts';
import { loggedMinutes } from './time.ts';

const MANAGE = 'project_management::manage_work_items';

const shared = {
  prefixes: ['project_management'],
  permissions: { list: 'project_management::read', create: MANAGE, update: MANAGE, delete: MANAGE },
} as const;
const title: ServedField = { type: 'string', write: 'required', sort: true };
const author: ServedField = { type: 'reference', to: 'users', nullable: true, filter: true };
const fileFields = {
  file_name: { type: 'string', write: 'required', sort: true },
  mime_type: textField,
  size: { type: 'integer', write: 'optional', default: 0, sort: true },
  user_id: author,
} as const;

export const workItems: readonly DefinedResource[] = [
  defineServedResource('work-items', {
    ...shared,
    softDelete: true,
    key: { field: 'issue_key', pattern: /^[A-Z][A-Z0-9]*-[0-9]+$/ },
    search: ['title', 'description', 'issue_key'],
    fields: {
      issue_key: { type: 'string', nullable: true, filter: true, sort: true },
      title,
      type: choice(['story', 'bug', 'task', 'epic']),
      priority: choice(['normal', 'low', 'high', 'urgent']),
      description: html,
      project_id: requiredRef('projects'),
      workflow_status_id: ref('workflow-statuses'),
      sprint_id: ref('sprints'),
      assignee_id: ref('users'),
      reporter_id: ref('users'),
      due_date: day,
      estimation: minutes,
      order: position,
      version: { type: 'integer', sort: true },
      label_ids: { type: 'references', to: 'labels', write: 'optional', default: [], shown: 'detail' },
      logged_minutes: loggedMinutes('work_item_id'),
      comments_count: count('comments', 'work_item_id'),
      subtasks_count: count('subtasks', 'work_item_id'),
      web_url: webUrl((row) => `/work-items/${row['issue_key'] ?? row.id}`),
    },
    many: {
      comments: { resource: 'comments', by: 'work_item_id' },
      drive_items: { resource: 'drive-items', by: 'work_item_id' },
      labels: { resource: 'labels', ids: 'label_ids' },
      subtasks: { resource: 'subtasks', by: 'work_item_id' },
    },
    prepare: prepareWorkItem,
  }),
  defineServedResource('subtasks', {
    ...shared,
    nested: [{ parent: 'work-items', segment: 'subtasks', by: 'work_item_id', counted: true }],
    defaultSort: 'order',
    reorderable: true,
    fields: { work_item_id: requiredRef('work-items'), title, is_done: flag, assignee_id: ref('users'), order: position },
  }),
  defineServedResource('work-item-links', {
    ...shared,
    nested: [{ parent: 'work-items', segment: 'links', by: 'work_item_id', counted: true }],
    fields: {
      work_item_id: requiredRef('work-items'),
      linked_work_item_id: requiredRef('work-items'),
      type: choice(['relates_to', 'blocks', 'is_blocked_by', 'duplicates']),
    },
  }),
  defineServedResource('attachments', {
    ...shared,
    topLevel: false,
    nested: [{ parent: 'work-items', segment: 'attachments', by: 'work_item_id', counted: true }],
    verbs: ['list', 'get', 'delete'],
    fields: { work_item_id: requiredRef('work-items'), ...fileFields },
  }),
  defineServedResource('comments', {
    ...shared,
    topLevel: false,
    nested: [{ parent: 'work-items', segment: 'comments', by: 'work_item_id', counted: false }],
    fields: { work_item_id: requiredRef('work-items'), body: { type: 'html', write: 'required' }, user_id: author },
    prepare: authoredBy,
  }),
  defineServedResource('labels', {
    ...shared,
    counted: true,
    defaultSort: 'order',
    reorderable: true,
    cacheSeconds: 60,
    fields: { name, color: textField, order: position },
  }),
  defineServedResource('todos', {
    ...shared,
    search: ['title'],
    fields: { title, is_done: flag, due_date: day, user_id: ref('users'), work_item_id: ref('work-items') },
    prepare: authoredBy,
  }),
  defineServedResource('tasks', {
    prefixes: ['kanban'],
    search: ['name'],
    fields: {
      name,
      project_id: requiredRef('projects'),
      status: choice(['open', 'in_progress', 'done']),
      assignee_id: ref('users'),
      estimation: minutes,
      due_date: day,
      column: tag,
    },
  }),
  defineServedResource('sprints', {
    ...shared,
    feature: 'sprints',
    counted: true,
    defaultSort: 'order',
    reorderable: true,
    search: ['name', 'goal'],
    fields: {
      name,
      goal: { ...textField, shown: 'detail' },
      state: { type: 'enum', values: ['planned', 'active', 'completed'], default: 'planned', filter: true, sort: true },
      start_date: day,
      end_date: day,
      completed_at: { type: 'datetime', nullable: true },
      order: position,
      work_items_count: count('work-items', 'sprint_id'),
    },
    many: { work_items: { resource: 'work-items', by: 'sprint_id' } },
  }),
];

/**
 * Adds the values that the sandbox itself sets in a work item. A new work item gets the next key of its project. The default status is the
 * first status of the workflow, and the default reporter is the sender. Each change of fields increases `version`.
 */
function prepareWorkItem({ kind, values, row, actor, db }: ValidWrite): Values {
  if (kind === 'delete') return {};
  if (row !== undefined) return { version: numberOf(row['version']) + 1 };
  const project = db.table('projects').get(numberOf(values['project_id']));
  const prefix = project?.['key_prefix'];
  const numbers = db
    .table('work-items')
    .where('project_id', project?.id ?? null)
    .map((item) => Number(String(item['issue_key']).split('-')[1]));
  const [first] = db.table('workflow-statuses').where('workflow_id', project?.['workflow_id'] ?? null);
  return {
    issue_key: typeof prefix === 'string' ? `${prefix}-${Math.max(0, ...numbers.filter(Number.isInteger)) + 1}` : null,
    workflow_status_id: values['workflow_status_id'] ?? first?.id ?? null,
    reporter_id: values['reporter_id'] ?? actor.user.id,
    version: 1,
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
