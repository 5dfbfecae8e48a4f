import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import type { Row } from '../../src/sandbox/start.ts';

// A week of one person’s commands, on different services. Nobody types an id here either.

/** A service on which the week is played. */
export interface WeekService {
  /** A part of the file names of its screens. */
  readonly name: string;
  /** The service in the titles of tests. */
  readonly title: string;
  readonly interpretations?: Partial<Interpretations>;
  /** Changes the data of the service after the sign-in. */
  readonly prepare?: (rows: (resource: string) => readonly Row[]) => void;
  /** The service’s own name for “In review”. */
  readonly status?: string;
  /** The commands to leave out, because the order of their notices and errors varies. */
  readonly without?: readonly string[];
}

/** A command line, and the events around it. */
export interface WeekStep {
  readonly type: string;
  /** The answers to its questions, in order. */
  readonly answers?: readonly (string | boolean)[];
  /** Returns the text as the person changes it in the editor. */
  readonly edit?: (text: string) => string;
  /** The command that somebody else types before, on another machine. */
  readonly elsewhere?: string;
  /** The minutes before the command. Default: 1. */
  readonly after?: number;
}

/** The widths of the terminals. */
export const WEEK_WIDTHS: readonly number[] = [50, 80, 120];

export const WEEK_SERVICES: readonly WeekService[] = [
  { name: 'sandbox', title: 'the sandbox' },
  {
    name: 'dates',
    title: 'a service with whole-day absences and few filters',
    interpretations: { absenceBounds: 'date-only', hoursFilters: 'refused', otherFilters: 'refused' },
  },
  {
    name: 'states',
    title: 'a service with other status names and few includes',
    interpretations: { assumedIncludes: 'refused', deletedRecords: 'gone', trashedTakes: 'nothing' },
    prepare: (rows) => {
      for (const status of rows('workflow-statuses')) Object.assign(status, { name: STATUSES[String(status['name'])] ?? status['name'] });
    },
    status: 'Being read',
  },
  {
    name: 'contractor',
    title: 'the sandbox for a contractor',
    prepare: (rows) => {
      for (const user of rows('users')) if (user.id === 1) Object.assign(user, { role: 'contractor' });
    },
    without: ['svc check this week'],
  },
];

/** The statuses of a team with other names. */
const STATUSES: Readonly<Record<string, string>> = { 'To do': 'Ready', 'In progress': 'Doing', 'In review': 'Being read', Done: 'Shipped' };

/** Returns the path of a service’s screens at one width. */
export function weekFile({ name }: Pick<WeekService, 'name'>, width: number): string {
  return `week-${name}.${width}.txt`;
}

/** The commands of the week. `STATUS` stands for the service’s “In review”. */
export const WEEK: readonly WeekStep[] = [
  { type: 'svc worklogs add 1,5h ABC-12 Review --date 17-03-2026' },
  { type: 'svc worklogs add 45m Aurora Release notes', answers: [true] },
  { type: 'svc worklogs update last --minutes 1h' },
  { type: 'svc undo', answers: [true] },
  { type: 'svc history' },
  { type: 'svc undo 1 --dry-run' },
  { type: 'svc worklogs list --mine --from last-week' },
  { type: 'svc week' },
  { type: 'svc week --team' },
  { type: 'svc week --balance' },
  { type: 'svc report last week' },
  { type: 'svc sprints burndown' },
  { type: 'svc work-items list --project Aurora -L 4', answers: [true] },
  { type: 'svc work-items get ABC-12' },
  { type: 'svc work-items update ABC-12 --due-date 2026-03-27 --if-unchanged' },
  { type: 'svc work-items update ABC-12 --estimation 3h --if-unchanged', elsewhere: 'work-items update ABC-12 --due-date 2026-04-01' },
  { type: 'svc work-items edit ABC-12', edit: (text) => text.replace(/^estimation: .*$/m, 'estimation: 2h') },
  { type: 'svc work-items transition ABC-12 --to STATUS' },
  { type: 'svc undo', answers: [true] },
  { type: 'svc timers stop' },
  { type: 'svc timers start ABC-12 Pairing' },
  { type: 'svc timers stop', after: 25 },
  { type: 'svc absences add friday --half pm' },
  { type: 'svc absences add yesterday', answers: [false] },
  { type: 'svc absences list --from 2026-03-16 --to 2026-03-27' },
  { type: 'svc absences who next week' },
  { type: 'svc sales-invoices list --status "pending approval"' },
  { type: 'svc projects get "Web shop"' },
  { type: 'svc check this week' },
  { type: 'svc worklogs delete last', answers: [true] },
  { type: 'svc history -L 3' },
];
