import type { Garden } from './plant.ts';

/** Folders, items, documents and notes of every kind of owner; todos. */
export function plantDrive({ plant }: Garden): void {
  const owners = [
    ['organization', null],
    ['project', 1],
    ['customer', 1],
    ['user', 1],
  ] as const;
  for (const [type, id] of owners) {
    const owner = { owner_type: type, owner_id: id };
    const top = plant('drive-folders', { name: 'General', ...owner });
    plant('drive-folders', { name: 'Archive', ...owner, parent_id: top.id });
    const item = plant('drive-items', {
      name: 'Plan "final" v2, really.pdf',
      type: 'file',
      ...owner,
      folder_id: top.id,
      work_item_id: type === 'project' ? 12 : null,
      created_by_id: 1,
    });
    plant('drive-files', { drive_item_id: item.id, file_name: 'plan.pdf', mime_type: 'application/pdf', size: 120_331 });
    plant('drive-comments', { drive_item_id: item.id, body: '<p>Which one is final?</p>', user_id: 2 });
    plant('drive-documents', {
      name: 'Handbook',
      ...owner,
      folder_id: top.id,
      content: '# Handbook\n\nBe kind.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    });
    plant('notes', { name: 'Minutes', ...owner, content: '<p>We agreed on <strong>everything</strong>.</p>' });
  }
  plant('todos', { title: 'Renew the certificate', user_id: 1, is_done: false, due_date: '2026-12-01' });
  plant('todos', { title: 'Water the plants', user_id: 2, is_done: true });
}
