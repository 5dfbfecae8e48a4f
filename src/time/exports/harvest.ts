import { type ExportFormat, yesOrNo } from './define.ts';
import { readDuration } from './duration.ts';
import { peopleOfRow } from './person.ts';

/** A project code distinguishes projects with the same name, and can be a work item key. */
export const harvest: ExportFormat = {
  kind: 'Harvest',
  fits: (has) => has('date', 'hours') && (has('client') || has('first name') || has('project code')),
  read: (cells) => ({
    date: cells('date'),
    dateColumn: cells.column('date'),
    seconds: cells.read(['hours'], readDuration),
    project: cells('project'),
    task: cells('task'),
    tags: cells('project code'),
    description: cells('notes'),
    billable: yesOrNo(cells('billable?', 'billable')),
    who: peopleOfRow(cells),
    invoiced: yesOrNo(cells('invoiced?', 'invoiced')) === true,
  }),
};
