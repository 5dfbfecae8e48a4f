import { type Area, defineChild, defineResource, type Parent } from './define.ts';
import {
  ARRANGED,
  BY_FLAG,
  BY_ID,
  BY_USER,
  COMMENTS,
  DUE,
  DUE_BY,
  idShortcut,
  NAME,
  notAllAtOnce,
  nullShortcut,
  refTo,
  shortcut,
  TEXT,
  UPLOADED_FILES,
  userField,
  withRecord,
} from './fields.ts';

/** Work items as a parent. Paths accept an id or a key (rule 2.12). */
const WORK_ITEM: Parent = { noun: 'work-items', singular: 'work-item', parameter: 'work_item', keyed: true };

/** The only ability that covers everything under a work item (rule 11.28). */
const ABILITY = 'project_management';

const byWorkItem = shortcut('work-item', 'Show only records of this work item', 'work-item', { field: 'work_item_id' });

const subtasks = defineResource({
  noun: 'subtasks',
  summary: 'Subtasks of a work item',
  ability: ABILITY,
  counted: false,
  reorderable: true,
  fields: {
    work_item_id: { kind: 'work-item', write: 'create', required: true, ref: 'work-items', assumed: true },
    work_item: { kind: 'json', assumed: true },
    title: { ...NAME, example: 'Write the test' },
    is_done: { kind: 'boolean', write: 'both', flag: 'done', assumed: true },
    ...withRecord('assignee', userField()),
  },
  columns: ['id', 'work_item_id', 'title', 'is_done', 'assignee_id'],
  filters: {
    work_item_id: { kind: 'work-item', operators: ['in'], assumed: true },
    is_done: BY_FLAG,
    assignee_id: BY_USER,
  },
  shortcuts: [
    byWorkItem,
    { flag: 'open', summary: 'Show only records that are not done', sets: [{ field: 'is_done', value: 'false' }] },
    shortcut('assignee', 'Show only records assigned to this user', 'user', { field: 'assignee_id' }),
  ],
  notes: [notAllAtOnce('work-items subtasks list ABC-12'), ARRANGED],
  examples: [
    ['list', '--work-item ABC-12', 'List the subtasks of one work item'],
    ['list', '--assignee me --open', 'List your open subtasks'],
    ['create', '--work-item ABC-12 --title "Write the test"', 'Add a subtask'],
    ['update', '31 --done', 'Mark a subtask as done'],
    ['update', '31 --assignee me', 'Assign a subtask to yourself'],
  ],
});

const workItemLinks = defineResource({
  noun: 'work-item-links',
  summary: 'Links from one work item to another',
  ability: ABILITY,
  counted: false,
  fields: {
    work_item_id: { kind: 'work-item', write: 'create', required: true, ref: 'work-items', assumed: true },
    work_item: { kind: 'json', assumed: true },
    linked_work_item_id: {
      kind: 'work-item',
      write: 'create',
      required: true,
      flag: 'to',
      ref: 'work-items',
      assumed: true,
      example: 'ABC-7',
    },
    linked_work_item: { kind: 'json', assumed: true },
    type: { kind: 'enum', write: 'both', assumed: true, summary: 'The kind of link', example: 'blocks' },
  },
  columns: ['id', 'work_item_id', 'type', 'linked_work_item_id'],
  filters: { work_item_id: { kind: 'work-item', operators: ['in'], assumed: true } },
  shortcuts: [byWorkItem],
  notes: [notAllAtOnce('work-items links list ABC-12')],
  examples: [
    ['list', '--work-item ABC-12', 'List the links of ABC-12'],
    ['list', '--output csv', 'Write all links for a spreadsheet'],
    ['create', '--work-item ABC-12 --to ABC-7 --type blocks', 'Record that ABC-12 blocks ABC-7'],
  ],
});

const comments = defineResource({
  noun: 'comments',
  summary: 'Comments on a work item',
  parent: WORK_ITEM,
  pathAssumed: true,
  ability: ABILITY,
  counted: false,
  ...COMMENTS,
  examples: [
    ['list', 'ABC-12 --include user', 'List the comments with their authors'],
    ['list', 'ABC-12 --sort -created_at --limit 1', 'Show the last comment'],
    ['create', 'ABC-12 --body "Looks **good**"', 'Add a comment'],
    ['create', 'ABC-12 --body @review.md', 'Add a comment from a file'],
  ],
});

const attachments = defineResource({
  noun: 'attachments',
  summary: 'Files attached to a work item',
  parent: WORK_ITEM,
  ability: ABILITY,
  verbs: ['list', 'get', 'delete'],
  ...UPLOADED_FILES,
  examples: [
    ['list', 'ABC-12', 'List the files of ABC-12'],
    ['list', 'ABC-12 --fields id,file_name', 'Show only ids and file names'],
  ],
});

const workItems = defineResource({
  noun: 'work-items',
  summary: 'The backlog: stories, bugs and tasks on the board',
  ability: ABILITY,
  counted: false,
  keyed: true,
  fields: {
    issue_key: { kind: 'string', summary: 'The key, such as ABC-12' },
    title: { ...NAME, example: 'Fix the login page' },
    description: { kind: 'html', write: 'both' },
    ...withRecord('project', refTo('projects', { required: true })),
    workflow_status_id: { kind: 'id', ref: 'workflow-statuses', summary: 'The workflow status; svc work-items transition changes it' },
    sprint_id: { kind: 'id', write: 'both', ref: 'sprints' },
    sprint: { kind: 'json' },
    assignee_id: userField(),
    assignee: { kind: 'json' },
    due_date: { ...DUE, write: 'both' },
    estimation: { kind: 'duration', write: 'both', summary: 'The estimated duration' },
    version: { kind: 'integer', summary: 'The version; it increases with every change' },
    comments_count: { kind: 'integer' },
    web_url: { kind: 'string', summary: 'The address of the page in the web app' },
  },
  columns: ['issue_key', 'title', 'workflow_status_id', 'assignee_id', 'due_date'],
  wide: ['project_id', 'sprint_id', 'estimation'],
  relations: {
    assignee: {},
    sprint: {},
    project: { assumed: true },
    comments: { many: true },
    drive_items: { many: true },
    labels: { many: true },
    subtasks: { many: true },
  },
  filters: {
    project_id: BY_ID,
    workflow_status_id: BY_ID,
    sprint_id: { kind: 'id', operators: ['in', 'null'], assumed: true },
    assignee_id: { kind: 'user', operators: ['in', 'null'], assumed: true },
    due_date: { kind: 'date', operators: ['gte', 'lte', 'null'], assumed: true },
  },
  shortcuts: [
    idShortcut('project', 'Show only records of this project'),
    shortcut('status', 'Show only work items in this workflow status, or all (default at a terminal: the open ones)', 'workflow-status', {
      field: 'workflow_status_id',
    }),
    idShortcut('sprint', 'Show only work items in this sprint'),
    nullShortcut('backlog', 'Show only work items in no sprint', 'sprint_id'),
    shortcut('assignee', 'Show only records assigned to this user', 'user', { field: 'assignee_id' }),
    nullShortcut('unassigned', 'Show only work items assigned to nobody', 'assignee_id'),
    DUE_BY,
  ],
  actions: [
    { name: 'transition', summary: 'Change the workflow status of a work item' },
    { name: 'move', summary: 'Place a work item after another, on the board or in the backlog' },
  ],
  ownCommands: [{ code: 'attach-files', name: 'attach', summary: 'Attach files to a work item' }],
  nested: [
    defineChild(WORK_ITEM, 'subtasks', subtasks, {
      summary: 'Subtasks of a work item',
      notes: [ARRANGED],
      examples: [
        ['list', 'ABC-12', 'List the subtasks of ABC-12'],
        ['list', 'ABC-12 --open', 'List only the open subtasks'],
        ['create', 'ABC-12 --title "Write the test"', 'Add a subtask'],
      ],
    }),
    defineChild(WORK_ITEM, 'links', workItemLinks, {
      summary: 'Links of a work item',
      examples: [
        ['list', 'ABC-12', 'List the links of ABC-12'],
        ['list', 'ABC-12 --output ids', 'Print the ids of the links'],
        ['create', 'ABC-12 --to ABC-7 --type blocks', 'Record that ABC-12 blocks ABC-7'],
      ],
    }),
    comments,
    attachments,
  ],
  notes: ['Commands that take a work item accept its id or its key (ABC-12).'],
  examples: [
    ['list', '--assignee me --sort due_date', 'List your work items by due date'],
    ['list', '--project "Web shop" --status "In progress"', 'List work items in progress in a project'],
    ['get', 'ABC-12 --comments', 'Show a work item with its comments and subtasks'],
    ['get', 'ABC-12 --include assignee,sprint', 'Show a work item with its assignee and sprint'],
    ['get', 'ABC-12 --include comments,subtasks', 'Show a work item with its comments and subtasks as data'],
    ['create', '--project "Web shop" --title "Fix the login page" --assignee me', 'Create a work item of yours'],
    ['create', '--project "Web shop" --title "Write it up" --description @notes.md', 'Create a work item with a text from a file'],
    ['update', 'ABC-12 --estimation 4h --due-date friday', 'Set the estimation and the due date'],
    ['update', 'ABC-12 --assignee me --if-unchanged', 'Assign a work item to yourself, unless somebody changed it since you read it'],
    ['transition', 'ABC-12 --to Done', 'Set the status Done'],
  ],
});

const tasks = defineResource({
  noun: 'tasks',
  summary: 'Tasks of the kanban board',
  ability: 'kanban',
  counted: false,
  fields: {
    name: { ...NAME, example: 'Order the parts' },
    ...withRecord('project', refTo('projects', { required: true })),
    ...withRecord('assignee', userField()),
    due_date: { ...DUE, write: 'both', assumed: true },
  },
  columns: ['id', 'project_id', 'name', 'assignee_id', 'due_date'],
  filters: { project_id: BY_ID, assignee_id: BY_USER },
  shortcuts: [
    idShortcut('project', 'Show only records of this project'),
    shortcut('assignee', 'Show only records assigned to this user', 'user', { field: 'assignee_id' }),
  ],
  examples: [
    ['list', '--project "Web shop"', 'List the tasks of a project'],
    ['list', '--assignee me --sort due_date', 'List your tasks by due date'],
    ['create', '--project "Web shop" --name "Order the parts"', 'Create a task of a project'],
  ],
});

const labels = defineResource({
  noun: 'labels',
  summary: 'Labels of work items',
  ability: ABILITY,
  reorderable: true,
  fields: { name: { ...NAME, example: 'urgent' }, color: { ...TEXT, example: '#d0021b' } },
  columns: ['id', 'name', 'color'],
  notes: [ARRANGED],
  examples: [
    ['list', '--sort name', 'List all labels by name'],
    ['list', "--jq '.[].name'", 'Print only the names'],
    ['create', '--name urgent --color "#d0021b"', 'Create a red label'],
  ],
});

export const workItemArea: Area = { title: 'Work items', resources: [workItems, subtasks, workItemLinks, labels, tasks] };
