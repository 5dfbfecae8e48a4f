import { type Cells, type ExportFormat, type ExportRow, yesOrNo } from './define.ts';
import { readDuration } from './duration.ts';
import { peopleOfRow } from './person.ts';

export const toggl: ExportFormat = {
  kind: 'Toggl Track',
  fits: (has) => has('start date', 'duration'),
  read: (cells) => readTrackedRow(cells, ['duration']),
};

export function readTrackedRow(cells: Cells, durations: readonly string[]): ExportRow {
  return {
    date: cells('start date'),
    dateColumn: cells.column('start date'),
    seconds: cells.read(durations, readDuration),
    project: cells('project'),
    task: cells('task'),
    tags: cells('tags'),
    description: cells('description'),
    billable: yesOrNo(cells('billable')),
    who: peopleOfRow(cells),
    invoiced: yesOrNo(cells('invoiced', 'invoiced?')) === true,
  };
}
