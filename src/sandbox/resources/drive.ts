import type { Database } from '../db.ts';
import type { Row } from '../json.ts';
import { type DefinedResource, defineServedResource } from './define.ts';
import { authoredBy, choice, count, name, ref, requiredRef, textField } from './fields.ts';

/** The parts that all drive resources share. The owner of a drive decides which ability gives access. */
const owned = {
  prefixes: ['project_drive', 'customer_drive', 'organization_drive', 'user_drive'],
  prefixOf: (row: Row) => prefixOfOwner(row),
  permissions: { list: 'drive::read', create: 'drive::write', update: 'drive::write', delete: 'drive::write' },
} as const;
const owner = {
  owner_type: choice(['organization', 'project', 'customer', 'user']),
  owner_id: { type: 'integer', nullable: true, write: 'optional', filter: true, sort: true },
} as const;

export const drive: readonly DefinedResource[] = [
  defineServedResource('drive-items', {
    ...owned,
    softDelete: true,
    search: ['name'],
    fields: {
      name,
      type: choice(['file', 'document', 'note', 'todo']),
      ...owner,
      folder_id: ref('drive-folders', { as: 'drive_folder' }),
      work_item_id: ref('work-items'),
      created_by_id: ref('users', { as: 'created_by' }),
      comments_count: count('drive-comments', 'drive_item_id'),
    },
    many: {
      files: { resource: 'drive-files', by: 'drive_item_id' },
      comments: { resource: 'drive-comments', by: 'drive_item_id' },
    },
  }),
  defineServedResource('drive-files', {
    ...owned,
    parameter: 'file',
    prefixOf: prefixOfItem,
    topLevel: false,
    nested: [{ parent: 'drive-items', segment: 'files', by: 'drive_item_id', counted: true }],
    verbs: ['list', 'get', 'delete'],
    fields: {
      drive_item_id: requiredRef('drive-items'),
      file_name: { type: 'string', write: 'required', sort: true },
      mime_type: textField,
      size: { type: 'integer', write: 'optional', default: 0 },
    },
  }),
  defineServedResource('drive-comments', {
    ...owned,
    parameter: 'comment',
    prefixOf: prefixOfItem,
    topLevel: false,
    nested: [{ parent: 'drive-items', segment: 'comments', by: 'drive_item_id', counted: false }],
    fields: {
      drive_item_id: requiredRef('drive-items'),
      body: { type: 'html', write: 'required' },
      user_id: { type: 'reference', to: 'users', nullable: true },
    },
    prepare: authoredBy,
  }),
  defineServedResource('drive-folders', {
    ...owned,
    search: ['name'],
    fields: { name, ...owner, parent_id: ref('drive-folders', { as: 'parent_folder' }) },
  }),
  defineServedResource('drive-documents', {
    ...owned,
    softDelete: true,
    search: ['name', 'content'],
    fields: {
      name,
      ...owner,
      folder_id: ref('drive-folders', { as: 'drive_folder' }),
      content: { type: 'markdown', nullable: true, write: 'optional', shown: 'detail' },
      content_html: { type: 'html', shown: 'demand', compute: (row) => paragraphs(row['content']) },
    },
  }),
  defineServedResource('notes', {
    ...owned,
    softDelete: true,
    search: ['name', 'content'],
    fields: { name, ...owner, content: { type: 'html', nullable: true, write: 'optional', shown: 'detail' } },
  }),
];

function paragraphs(markdown: unknown): string | null {
  if (typeof markdown !== 'string') return null;
  const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped
    .split(/\n{2,}/)
    .map((block) => {
      const heading = /^(#{1,6}) (.*)$/.exec(block);
      return heading === null ? `<p>${block}</p>` : `<h${heading[1]?.length ?? 1}>${heading[2] ?? ''}</h${heading[1]?.length ?? 1}>`;
    })
    .join('\n');
}

function prefixOfOwner(row: Row | undefined): string {
  return `${String(row?.['owner_type'] ?? 'organization')}_drive`;
}

function prefixOfItem(row: Row, db: Database): string {
  const item = row['drive_item_id'];
  return prefixOfOwner(typeof item === 'number' ? db.table('drive-items').get(item) : undefined);
}
