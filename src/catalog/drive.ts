import { type Area, defineResource, type Parent } from './define.ts';
import {
  BY_FLAG,
  BY_ID,
  BY_USER,
  COMMENTS,
  idShortcut,
  NAME,
  nullShortcut,
  refTo,
  shortcut,
  UPLOADED_FILES,
  userField,
  withRecord,
} from './fields.ts';

const DRIVE_ITEM: Parent = { noun: 'drive-items', singular: 'drive-item', parameter: 'drive_item' };

/** The abilities of drives. Each ability covers the drives of one kind of owner (rule 11.32). */
const ABILITY = ['project_drive', 'customer_drive', 'organization_drive', 'user_drive'];

const OWNERS = 'Drives belong to projects, customers, the organisation or users. A token needs a separate ability for each kind of owner.';

const files = defineResource({
  noun: 'files',
  summary: 'The files of a drive item',
  parent: DRIVE_ITEM,
  ability: ABILITY,
  verbs: ['list', 'get', 'delete'],
  ...UPLOADED_FILES,
  examples: [
    ['list', '3', 'List the files of drive item 3'],
    ['list', '3 --fields id,file_name', 'Show only ids and file names'],
  ],
});

const comments = defineResource({
  noun: 'comments',
  summary: 'Comments on a drive item',
  parent: DRIVE_ITEM,
  pathAssumed: true,
  ability: ABILITY,
  counted: false,
  ...COMMENTS,
  examples: [
    ['list', '3 --include user', 'List the comments with their authors'],
    ['list', '3 --sort -created_at --limit 1', 'Show the last comment'],
    ['create', '3 --body "Looks **good**"', 'Add a comment'],
    ['create', '3 --body @review.md', 'Add a comment from a file'],
  ],
});

const driveItems = defineResource({
  noun: 'drive-items',
  summary: 'Files, documents and notes in the drives',
  ability: ABILITY,
  counted: false,
  fields: {
    name: { ...NAME, example: 'Offer' },
    folder_id: { kind: 'id', write: 'both', ref: 'drive-folders', flag: 'folder', summary: 'The folder' },
    drive_folder: { kind: 'json' },
    comments_count: { kind: 'integer', assumed: true },
  },
  columns: ['id', 'name', 'folder_id', 'updated_at'],
  relations: {
    drive_folder: { key: 'folder_id' },
    files: { many: true, assumed: true },
    comments: { many: true, assumed: true },
  },
  filters: { folder_id: { kind: 'id', operators: ['in', 'null'], assumed: true } },
  shortcuts: [idShortcut('folder', 'Show only records in this folder')],
  ownCommands: [
    { code: 'upload-files', name: 'upload', summary: 'Upload files to a drive' },
    { code: 'download-files', name: 'download', summary: 'Download the files of drive items', onlyReads: true },
  ],
  nested: [files, comments],
  notes: [OWNERS],
  examples: [
    ['list', '--folder 4', 'List the items in folder 4'],
    ['list', '--search offer --include drive_folder', 'Find an item and its folder'],
    ['create', '--name "Offer" --folder 4', 'Create an item in folder 4'],
  ],
});

const driveFolders = defineResource({
  noun: 'drive-folders',
  summary: 'Folders of the drives',
  ability: ABILITY,
  counted: false,
  fields: {
    name: { ...NAME, example: 'Contracts' },
    parent_id: { kind: 'id', write: 'both', ref: 'drive-folders', summary: 'The parent folder' },
    parent_folder: { kind: 'json' },
  },
  columns: ['id', 'name', 'parent_id', 'updated_at'],
  relations: { parent_folder: { key: 'parent_id' } },
  filters: { parent_id: { kind: 'id', operators: ['in', 'null'], assumed: true } },
  shortcuts: [
    idShortcut('parent', 'Show only folders directly in this folder'),
    nullShortcut('top', 'Show only top-level folders', 'parent_id'),
  ],
  notes: [OWNERS],
  examples: [
    ['list', '--top', 'List the top-level folders'],
    ['list', '--parent 4', 'List the folders in folder 4'],
    ['create', '--name "Contracts" --parent 4', 'Create a folder in folder 4'],
  ],
});

const driveDocuments = defineResource({
  noun: 'drive-documents',
  summary: 'Documents that people write in the drives',
  ability: ABILITY,
  counted: false,
  fields: {
    name: { ...NAME, example: 'Minutes' },
    folder_id: refTo('drive-folders', { flag: 'folder' }),
    drive_folder: { kind: 'json', assumed: true },
    content: { kind: 'markdown', write: 'both', long: true, summary: 'The text, in Markdown' },
    content_html: { kind: 'html', summary: 'The text as HTML; only with --include content_html' },
  },
  columns: ['id', 'name', 'folder_id', 'updated_at'],
  relations: { drive_folder: { key: 'folder_id', assumed: true }, content_html: { assumed: true } },
  filters: { folder_id: BY_ID },
  shortcuts: [idShortcut('folder', 'Show only records in this folder')],
  notes: [
    {
      on: ['create', 'update'],
      text: 'Markdown cannot store text colours, highlights, alignment or mentions. Writing a document back removes this formatting; svc warns you first.',
    },
    OWNERS,
  ],
  examples: [
    ['list', '--search minutes', 'Find a document'],
    ['list', '--folder 4 --output ids', 'Print the ids of the documents in folder 4'],
    ['get', '21 --jq .content > minutes.md', 'Write the text of a document to a file'],
    ['get', '21 --include content_html', 'Show a document with its text as HTML'],
    ['create', '--name "Minutes" --content @minutes.md', 'Create a document from a file'],
    ['update', '21 --content @minutes.md --if-unchanged', 'Write a document, unless somebody changed it since you read it'],
    ['update', '21 --name "Minutes of May"', 'Rename a document'],
  ],
});

const notes = defineResource({
  noun: 'notes',
  summary: 'Notes',
  ability: ABILITY,
  counted: false,
  fields: {
    name: { ...NAME, example: 'To remember' },
    content: { kind: 'html', write: 'both', long: true, summary: 'The text', example: 'Ask for the key' },
  },
  columns: ['id', 'name', 'content', 'updated_at'],
  notes: [OWNERS],
  examples: [
    ['list', '--search key', 'Find a note'],
    ['list', '--sort -updated_at --limit 5', 'List the last five notes'],
    ['create', '--name "To remember" --content "Ask for the key"', 'Create a note'],
  ],
});

const todos = defineResource({
  noun: 'todos',
  summary: 'Personal tasks',
  ability: 'project_management',
  counted: false,
  fields: {
    title: { ...NAME, example: 'Send the offer' },
    is_done: { kind: 'boolean', write: 'both', flag: 'done', assumed: true },
    due_date: { kind: 'date', write: 'both', assumed: true },
    ...withRecord('user', userField({ summary: 'The user (default: you)' })),
  },
  columns: ['id', 'title', 'is_done', 'due_date', 'user_id'],
  filters: { is_done: BY_FLAG, user_id: BY_USER },
  shortcuts: [
    { flag: 'open', summary: 'Show only records that are not done', sets: [{ field: 'is_done', value: 'false' }] },
    shortcut('user', 'Show only todos of this user', 'user', { field: 'user_id' }),
  ],
  examples: [
    ['list', '--user me --open', 'List your open todos'],
    ['list', '--open --sort due_date', 'List the open todos of everybody, by due date'],
    ['create', '--title "Send the offer" --due-date tomorrow', 'Create a todo for tomorrow'],
    ['update', '5 --done', 'Mark a todo as done'],
    ['update', '5 --due-date +1w', 'Set the due date to a week from today'],
  ],
});

export const driveArea: Area = { title: 'Drive', resources: [driveItems, driveFolders, driveDocuments, notes, todos] };
