import { type Cells, type ExportFormat, type ExportRow, yesOrNo } from './define.ts';
import { readDuration } from './duration.ts';
import { peopleOfRow } from './person.ts';

/** The columns of a report, in lower case. If a list names several columns, the first column with a value counts. */
interface ReportColumns {
  readonly date: string;
  readonly durations: readonly string[];
  readonly task?: string;
  readonly tags?: string;
  readonly description?: string;
  readonly billable?: readonly string[];
  readonly invoiced?: readonly string[];
  /** Matches the types of rows that are work, if the report has a type column. Default: every row is work. */
  readonly workTypes?: RegExp;
}

function readReportRow(cells: Cells, columns: ReportColumns): ExportRow {
  const { date, durations, task = 'task', tags = 'tags', description = 'description', billable = ['billable'] } = columns;
  const { invoiced = ['invoiced', 'invoiced?'] } = columns;
  const type = columns.workTypes === undefined ? '' : cells('type');
  return {
    date: cells(date),
    dateColumn: cells.column(date),
    seconds: cells.read(durations, readDuration),
    project: cells('project'),
    task: cells(task),
    tags: cells(tags),
    description: cells(description),
    billable: yesOrNo(cells(...billable)),
    who: peopleOfRow(cells),
    invoiced: yesOrNo(cells(...invoiced)) === true,
    ...(type !== '' && columns.workTypes?.test(type) === false && { skip: `of the type ${type}` }),
  };
}

/**
 * The reports of Tempo. A row with billed hours gets a remark if these hours differ from the worked hours. An entry is billable in full or
 * not at all.
 */
const tempo: ExportFormat = {
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
      ...(billed !== undefined && billed > 0 && billed !== seconds && { remark: 'billed hours differ from worked hours' }),
    };
  },
};

type ReportFormat = Omit<ExportFormat, 'read'> & ReportColumns;

const toggl: ReportFormat = {
  kind: 'Toggl Track',
  fits: (has) => has('start date', 'duration'),
  date: 'start date',
  durations: ['duration'],
};

/** The reports of Clockify. Only rows of the type Regular are work, not the types Break, Holiday and Time off. */
const clockify: ReportFormat = {
  kind: 'Clockify',
  fits: (has) => has('start date') && (has('duration (h)') || has('duration (decimal)')),
  date: 'start date',
  durations: ['duration (h)', 'duration (decimal)'],
  workTypes: /^regular$/i,
};

/** The reports of Harvest. A project code distinguishes projects with the same name, and can be a work item key. */
const harvest: ReportFormat = {
  kind: 'Harvest',
  fits: (has) => has('date', 'hours') && (has('client') || has('first name') || has('project code')),
  date: 'date',
  durations: ['hours'],
  tags: 'project code',
  description: 'notes',
  billable: ['billable?', 'billable'],
  invoiced: ['invoiced?', 'invoiced'],
};

/** The reports of Kimai. A yes in Exported means that Kimai exported the row for billing. */
const kimai: ReportFormat = {
  kind: 'Kimai',
  fits: (has) => has('date', 'duration', 'activity'),
  date: 'date',
  durations: ['duration'],
  task: 'activity',
  invoiced: ['exported'],
  workTypes: /^(?:timesheet|work)$/i,
};

function formatOf({ kind, fits, ...columns }: ReportFormat): ExportFormat {
  return { kind, fits, read: (cells) => readReportRow(cells, columns) };
}

/** The formats of reports. The first format that fits a file counts. */
export const REPORT_FORMATS: readonly ExportFormat[] = [formatOf(clockify), tempo, ...[kimai, toggl, harvest].map(formatOf)];
