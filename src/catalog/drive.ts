import { type Area, defineResource, type Parent } from './define.ts';
import { ASSUMED_STAMP_FILTERS, BY_FLAG, BY_ID, BY_USER, idShortcut, NAME, refTo, STAMPS, UPLOADED_FILES, userField } from './fields.ts';

const DRIVE_ITEM: Parent = { noun: 'drive-items', singular: 'drive-item', parameter: 'drive_item' };

/** Each covers the items of one kind of owner (rule 11.32). */
const ABILITY = ['project_drive', 'customer_drive', 'organization_drive', 'user_drive'];

const OWNERS =
  'A token reaches the drives of an owner: of projects, customers, the organisation or users, each with an ability of its own.';

const files = defineResource({
  noun: 'files',
  singular: 'file',
  summary: 'The files of a drive item',
  parent: DRIVE_ITEM,
  path: '/drive-items/{drive_item}/files',
  ability: ABILITY,
  counted: true,
  verbs: ['list', 'get', 'delete'],
  ...UPLOADED_FILES,
  examples: [
    { verb: 'list', args: '3', does: 'The files of drive item 3' },
    { verb: 'list', args: '3 --fields id,file_name', does: 'Their names' },
  ],
});

const comments = defineResource({
  noun: 'comments',
  singular: 'comment',
  summary: 'What people wrote about a drive item',
  parent: DRIVE_ITEM,
  path: '/drive-items/{drive_item}/comments',
  pathAssumed: true,
  ability: ABILITY,
  counted: false,
  fields: {
    id: { kind: 'id' },
    body: { kind: 'html', write: 'both', required: true, long: true, example: 'Looks good' },
    user_id: { kind: 'id', ref: 'users', assumed: true },
    user: { kind: 'json', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'created_at', 'user_id', 'body'],
  relations: { user: { assumed: true } },
  filters: ASSUMED_STAMP_FILTERS,
  examples: [
    { verb: 'list', args: '3 --include user', does: 'What was said, and by whom' },
    { verb: 'list', args: '3 --sort -created_at --limit 1', does: 'The last word' },
    { verb: 'create', args: '3 --body "Looks **good**"', does: 'Say something' },
    { verb: 'create', args: '3 --body @review.md', does: 'A long comment, from a file' },
  ],
});

const driveItems = defineResource({
  noun: 'drive-items',
  singular: 'drive-item',
  summary: 'What lies in the drives: files, documents, notes',
  path: '/drive-items',
  ability: ABILITY,
  counted: false,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Offer' },
    folder_id: { kind: 'id', write: 'both', ref: 'drive-folders', flag: 'folder', summary: 'The folder it lies in' },
    drive_folder: { kind: 'json' },
    comments_count: { kind: 'integer', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'name', 'folder_id', 'updated_at'],
  relations: {
    drive_folder: { key: 'folder_id' },
    files: { many: true, assumed: true },
    comments: { many: true, assumed: true },
  },
  filters: { folder_id: { kind: 'id', operators: ['in', 'null'], assumed: true }, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('folder', 'In this folder')],
  ownCommands: [
    { code: 'upload-files', name: 'upload', summary: 'Send files to a drive' },
    { code: 'download-files', name: 'download', summary: 'Get the files of drive items', looks: true },
  ],
  nested: [files, comments],
  notes: [OWNERS],
  examples: [
    { verb: 'list', args: '--folder 4', does: 'What lies in folder 4' },
    { verb: 'list', args: '--search offer --include drive_folder', does: 'Find something, and where it lies' },
    { verb: 'create', args: '--name "Offer" --folder 4', does: 'An item in folder 4' },
  ],
});

const driveFolders = defineResource({
  noun: 'drive-folders',
  singular: 'drive-folder',
  summary: 'Folders of the drives',
  path: '/drive-folders',
  ability: ABILITY,
  counted: false,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Contracts' },
    parent_id: { kind: 'id', write: 'both', ref: 'drive-folders', summary: 'The folder it lies in' },
    parent_folder: { kind: 'json' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'parent_id', 'updated_at'],
  relations: { parent_folder: { key: 'parent_id' } },
  filters: { parent_id: { kind: 'id', operators: ['in', 'null'], assumed: true }, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    idShortcut('parent', 'Directly in this folder'),
    { flag: 'top', summary: 'In no other folder', sets: [{ field: 'parent_id', operator: 'null', value: 'true' }] },
  ],
  notes: [OWNERS],
  examples: [
    { verb: 'list', args: '--top', does: 'The outermost folders' },
    { verb: 'list', args: '--parent 4', does: 'The folders in folder 4' },
    { verb: 'create', args: '--name "Contracts" --parent 4', does: 'A folder in folder 4' },
  ],
});

const driveDocuments = defineResource({
  noun: 'drive-documents',
  singular: 'drive-document',
  summary: 'Documents that are written in the drives',
  path: '/drive-documents',
  ability: ABILITY,
  counted: false,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Minutes' },
    folder_id: refTo('drive-folders', { flag: 'folder' }),
    drive_folder: { kind: 'json', assumed: true },
    content: { kind: 'markdown', write: 'both', long: true, summary: 'The text, as Markdown' },
    content_html: { kind: 'html', summary: 'The same as HTML; only with --include content_html' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'folder_id', 'updated_at'],
  relations: { drive_folder: { key: 'folder_id', assumed: true }, content_html: { assumed: true } },
  filters: { folder_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('folder', 'In this folder')],
  notes: [
    {
      on: ['create', 'update'],
      text: 'Markdown cannot hold text colours, highlights, alignment or mentions: writing a document back loses them, and svc warns before.',
    },
    OWNERS,
  ],
  examples: [
    { verb: 'list', args: '--search minutes', does: 'Find a document' },
    { verb: 'list', args: '--folder 4 --output ids', does: 'The ids of those in folder 4' },
    { verb: 'get', args: '21 --jq .content > minutes.md', does: 'Its text, into a file' },
    { verb: 'get', args: '21 --include content_html', does: 'With its text as HTML' },
    { verb: 'create', args: '--name "Minutes" --content @minutes.md', does: 'A document from a file' },
    { verb: 'update', args: '21 --content @minutes.md --if-unchanged', does: 'Write it back, unless somebody changed it meanwhile' },
    { verb: 'update', args: '21 --name "Minutes of May"', does: 'Another name' },
  ],
});

const notes = defineResource({
  noun: 'notes',
  singular: 'note',
  summary: 'Notes',
  path: '/notes',
  ability: ABILITY,
  counted: false,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'To remember' },
    content: { kind: 'html', write: 'both', long: true, summary: 'The text', example: 'Ask for the key' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'content', 'updated_at'],
  filters: ASSUMED_STAMP_FILTERS,
  notes: [OWNERS],
  examples: [
    { verb: 'list', args: '--search key', does: 'Find a note' },
    { verb: 'list', args: '--sort -updated_at --limit 5', does: 'The last five' },
    { verb: 'create', args: '--name "To remember" --content "Ask for the key"', does: 'A note' },
  ],
});

const todos = defineResource({
  noun: 'todos',
  singular: 'todo',
  summary: 'Things to do',
  path: '/todos',
  ability: 'project_management',
  counted: false,
  fields: {
    id: { kind: 'id' },
    title: { ...NAME, example: 'Send the offer' },
    is_done: { kind: 'boolean', write: 'both', flag: 'done', assumed: true },
    due_date: { kind: 'date', write: 'both', assumed: true },
    user_id: userField({ summary: 'Whose; yours if not given' }),
    user: { kind: 'json', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'title', 'is_done', 'due_date', 'user_id'],
  relations: { user: { assumed: true } },
  filters: { is_done: BY_FLAG, user_id: BY_USER, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    { flag: 'open', summary: 'Not done yet', sets: [{ field: 'is_done', value: 'false' }] },
    { flag: 'user', summary: 'Whose', takes: 'user', sets: [{ field: 'user_id' }] },
  ],
  examples: [
    { verb: 'list', args: '--user me --open', does: 'What you have left to do' },
    { verb: 'list', args: '--open --sort due_date', does: 'Everybody’s, the most urgent first' },
    { verb: 'create', args: '--title "Send the offer" --due-date tomorrow', does: 'Something for tomorrow' },
    { verb: 'update', args: '5 --done', does: 'It is done' },
    { verb: 'update', args: '5 --due-date +1w', does: 'A week later' },
  ],
});

export const driveArea: Area = { title: 'Drive', resources: [driveItems, driveFolders, driveDocuments, notes, todos] };
