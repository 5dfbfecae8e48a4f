import { type ExportFormat, yesOrNo } from './define.ts';
import { readDuration } from './duration.ts';
import { peopleOfRow } from './person.ts';

/**
 * Reads the CSV export of Kimai. Columns: Date, Begin (or From), End (or To), Duration, …, Alias, Username, Email, …, Customer, Project,
 * Activity, Description, Billable, Exported, Tags, Type, …
 *
 * A value in Exported means that Kimai exported the row for billing.
 */
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
