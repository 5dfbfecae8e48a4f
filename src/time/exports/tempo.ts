import type { ExportFormat } from './define.ts';
import { readDuration } from './duration.ts';
import { peopleOfRow } from './person.ts';

/** A row whose billed hours differ from its worked hours gets a remark: an entry is billed in full or not at all. */
export const tempo: ExportFormat = {
  kind: 'Tempo',
  fits: (has) => has('issue key', 'hours', 'work date'),
  read(cells) {
    const seconds = cells.read(['hours'], readDuration);
    const written = cells('billed hours', 'billable hours');
    const billed = written === '' ? undefined : cells.read(['billed hours', 'billable hours'], readDuration);
    return {
      date: cells('work date'),
      dateColumn: cells.column('work date'),
      seconds,
      project: cells('project name', 'project key'),
      task: cells('issue key'),
      tags: '',
      description: cells('work description') || cells('issue summary'),
      billable: billed === undefined ? undefined : billed > 0,
      who: peopleOfRow(cells),
      ...(billed !== undefined && billed > 0 && billed !== seconds && { remark: 'billed for other hours than were worked' }),
    };
  },
};
