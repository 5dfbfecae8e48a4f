import { CHECKS, type Finding, type NotJudged } from '../../time/checks/finding.ts';
import { gridRows } from '../../time/grid.ts';
import type { JsonObject } from '../../values/json.ts';
import { fillCommand } from '../time/week/week-view.ts';
import type { Checked } from './judge-all.ts';

/** How people read each kind. */
export const HEADINGS: Readonly<Record<Finding['kind'], string>> = {
  'missing-hours': 'Missing hours',
  'hours-on-leave': 'Hours on leave, holidays and free days',
  'impossible-day': 'Days over 24 hours, entries under a minute',
  duplicate: 'Duplicates',
  'no-project': 'On no project',
  'not-billed': 'Not billed',
  'row-differs': 'Invoice rows unlike their entries',
  'over-budget': 'Over budget',
  'timer-running': 'Timers left running',
  'future-date': 'Dated ahead',
  'project-ended': 'On projects that ended or are on hold',
  'not-reviewed': 'Not reviewed',
};

/** A row a finding, then one of kind `unknown` for each thing that could not be judged. */
export function findingRows(checked: Checked, hostFlag: string): JsonObject[] {
  const toMend = mending(checked, hostFlag);
  const nameOf = (id: number | null) => (id === null ? null : (checked.people.get(id)?.name ?? null));
  const found = checked.findings.map((finding) => ({
    kind: finding.kind,
    not_judged: null,
    user_id: finding.userId,
    user: nameOf(finding.userId),
    date: finding.date,
    minutes: finding.minutes,
    records: finding.noun,
    ids: finding.ids,
    message: finding.message,
    command: toMend(finding),
  }));
  return [...found, ...notJudgedOf(checked).map((unknown) => unknownRow(unknown, nameOf(unknown.userId)))];
}

/** What could not be judged, in the order of the kinds, each reason once. */
export function notJudgedOf({ notJudged }: Checked): readonly NotJudged[] {
  const place = ({ kinds: [first] }: NotJudged) => CHECKS.indexOf(first);
  const each = new Map(notJudged.map((unknown) => [JSON.stringify(unknown), unknown]));
  return [...each.values()].sort((one, other) => place(one) - place(other));
}

function unknownRow({ kinds, userId, message }: NotJudged, user: string | null): JsonObject {
  return {
    kind: 'unknown',
    not_judged: [...kinds],
    user_id: userId,
    user,
    date: null,
    minutes: null,
    records: null,
    ids: [],
    message,
    command: null,
  };
}

/** The command that mends a finding, or shows what it is about where that takes a person's judgement. */
export function mending({ own, entries, findings }: Checked, hostFlag: string): (finding: Finding) => string {
  // What is missing is not proposed for a project that is over.
  const over = new Set(findings.flatMap(({ kind, ids }) => (kind === 'project-ended' ? ids : [])));
  const most = new Map<number | null, ReturnType<typeof gridRows>>();
  const rowsOf = (userId: number | null) => {
    const known = most.get(userId);
    if (known !== undefined) return known;
    const theirs = entries.filter((entry) => entry.userId === userId && !over.has(entry.id ?? 0));
    const rows = gridRows(theirs, [...new Set(theirs.map(({ date }) => date))]);
    most.set(userId, rows);
    return rows;
  };
  return (finding) => {
    const { kind, userId, date, until, minutes, ids, spare = [], projectId } = finding;
    const whose = userId === null ? '' : ` --user ${userId}`;
    const project = projectId === undefined ? '' : ` --project ${projectId}`;
    const days = date === null ? '' : date === (until ?? date) ? ` --date ${date}` : ` --from ${date} --to ${until}`;
    const shown = `svc worklogs list${whose}${project}${days}${hostFlag}`;
    switch (kind) {
      case 'missing-hours':
        return fillCommand(
          { user: userId === null || userId === own ? 'me' : userId, rows: rowsOf(userId), hostFlag },
          date ?? '',
          minutes ?? 0,
        );
      case 'hours-on-leave':
        return userId === own ? `svc worklogs edit ${date}${hostFlag}` : shown;
      case 'impossible-day':
        return ids.length === 1
          ? `svc worklogs edit ${ids[0]}${hostFlag}`
          : userId === own
            ? `svc worklogs edit ${date}${hostFlag}`
            : shown;
      case 'no-project':
      case 'future-date':
        return `svc worklogs edit ${ids[0]}${hostFlag}`;
      case 'duplicate':
        return spare.length === 0 ? shown : `svc worklogs delete ${spare.join(' ')}${hostFlag}`;
      case 'row-differs':
        return `svc sales-invoice-rows get ${ids[0]}${hostFlag}`;
      case 'over-budget':
        return finding.noun === 'budgets' ? `svc budgets get ${ids[0]}${hostFlag}` : shown;
      case 'timer-running':
        return `svc timers stop ${ids[0]}${hostFlag}`;
      case 'not-billed':
      case 'project-ended':
      case 'not-reviewed':
        return shown;
    }
  };
}
