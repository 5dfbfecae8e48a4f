import { formatDuration } from '../values/duration.ts';
import { type Report, type ReportRow, textTables } from './report.ts';

/** A plan, as a page for the people who approve the plan. Every string can come from a source that svc does not trust. */
export interface PlanView {
  readonly host: string;
  /** The facts about the plan, a sentence each: counts, people, cost. */
  readonly facts: readonly string[];
  readonly digest: string;
  readonly apply: string;
  /** The commands that made the plan, with the number of their writes. */
  readonly commands: ReadonlyMap<string, number>;
  readonly totals: ProjectTotals | undefined;
  readonly changes: readonly { readonly label: string; readonly field: string; readonly before: string; readonly after: string }[];
}

/** The minutes of projects in the months of a plan, before and after the plan. Contains only projects whose minutes change. */
export interface ProjectTotals {
  readonly from: string;
  readonly to: string;
  readonly projects: readonly { readonly name: string; readonly before: number; readonly after: number }[];
}

export function planReport({ host, facts, digest, apply, commands, totals, changes }: PlanView): Report {
  return {
    title: `Plan for ${host}`,
    nameInTitle: host,
    parts: [
      { kind: 'notes', lines: facts },
      { kind: 'notes', name: 'To approve', lines: [`SHA-256 of the plan: ${digest}`, { text: 'Send the plan', command: apply }] },
      {
        kind: 'table',
        name: 'Why',
        levels: ['Command'],
        columns: [{ label: 'Writes' }],
        rows: [...commands].map(([label, count]) => ({ label, cells: [String(count)] })),
      },
      {
        kind: 'table',
        name: totals === undefined ? '' : `Hours by project, ${totals.from} to ${totals.to}`,
        levels: ['Project'],
        columns: [{ label: 'Before' }, { label: 'After' }, { label: 'Difference' }],
        rows: (totals?.projects ?? []).map(totalsRow),
      },
      ...textTables(
        'Changes',
        ['Record', 'Field', 'Before', 'After'],
        changes.map(({ label, field, before, after }) => [label, field, before, after]),
      ),
    ],
  };
}

function totalsRow({ name, before, after }: ProjectTotals['projects'][number]): ReportRow {
  const difference = after - before;
  return {
    label: name,
    cells: [formatDuration(before), formatDuration(after), `${difference > 0 ? '+' : '−'}${formatDuration(Math.abs(difference))}`],
  };
}
