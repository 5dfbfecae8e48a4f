import { type ExportFormat, yesOrNo } from './define.ts';
import { readDuration } from './duration.ts';
import { peopleOfRow } from './person.ts';

/** A value in Exported means that Kimai exported the row for billing. */
export const kimai: ExportFormat = {
  kind: 'Kimai',
  fits: (has) => has('date', 'duration', 'activity'),
  read(cells) {
    const type = cells('type');
    return {
      date: cells('date'),
      dateColumn: cells.column('date'),
      seconds: cells.read(['duration'], readDuration),
      project: cells('project'),
      task: cells('activity'),
      tags: cells('tags'),
      description: cells('description'),
      billable: yesOrNo(cells('billable')),
      who: peopleOfRow(cells),
      invoiced: yesOrNo(cells('exported')) === true,
      ...(type !== '' && !/^(?:timesheet|work)$/i.test(type) && { skip: `of the type ${type}` }),
    };
  },
};
