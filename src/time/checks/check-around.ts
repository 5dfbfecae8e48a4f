import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { counted, quote } from '../../values/text.ts';
import { isOver } from '../entry.ts';
import { aboutWorklogs, type CheckedEntry } from './checked-entry.ts';
import { type Finding, type Judgement, notJudgedIf } from './finding.ts';

/**
 * Finds hours on projects that have ended or are on hold. The service documents a status `on-hold` and an `end_date` (rules 4.37, 4.38),
 * but not the start of a hold.
 */
export function checkProjects(entries: readonly CheckedEntry[], projects: ReadonlyMap<number, JsonObject>): Judgement {
  const groups = Map.groupBy(
    entries.filter(({ projectId }) => typeof projectId === 'number'),
    ({ userId, projectId }) => `${userId} ${projectId}`,
  );
  const findings: Finding[] = [];
  const hidden = new Set<number>();
  for (const group of groups.values()) {
    const [{ projectId, userId }] = group as [CheckedEntry];
    const id = Number(projectId);
    const project = projects.get(id);
    const { status, end_date: end } = project ?? {};
    if (status === undefined || end === undefined) hidden.add(id);
    const late = group.filter(({ date }) => isOver(project, date));
    if (late.length === 0) continue;
    const name = scalarText(project?.['name']) || `Project ${id}`;
    findings.push({
      kind: 'project-ended',
      ...aboutWorklogs(userId, late),
      projectId: id,
      message: `${counted(late.length, 'entry', 'entries')} on ${quote(name)}, ${status === 'on-hold' ? 'which is on hold' : `which ended on ${scalarText(end)}`}`,
    });
  }
  const ids = [...hidden].sort((one, other) => one - other);
  const some = `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ' …' : ''}`;
  const message = `The service does not show the status and the end of ${counted(ids.length, 'project')} (${some})`;
  return { findings, notJudged: notJudgedIf(ids.length > 0, ['project-ended'], message) };
}

/** A running timer for the checks. The service documents no field of a timer, so svc might not know the user or the start. */
export interface CheckedTimer {
  readonly id: number;
  readonly userId: number | null;
  readonly startedOn: string | undefined;
  readonly today: string;
  readonly minutes: number;
}

export function checkTimers(timers: readonly CheckedTimer[], last: string): Judgement {
  const findings = timers.flatMap(({ id, userId, startedOn: date, today, minutes }): Finding[] => {
    if (date === undefined || date >= today || date > last) return [];
    const message = `A timer has been running since that day, for ${formatDuration(minutes)}`;
    return [{ kind: 'timer-running', userId, date, minutes, noun: 'timers', ids: [id], message }];
  });
  const hidden = timers.filter(({ startedOn }) => startedOn === undefined).length;
  const message = `The service does not show the start of ${counted(hidden, 'timer')}`;
  return { findings, notJudged: notJudgedIf(hidden > 0, ['timer-running'], message) };
}
