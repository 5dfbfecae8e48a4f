import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { counted, quote } from '../../values/text.ts';
import { type CheckedEntry, daysIn, idsOf, minutesIn } from './checked-entry.ts';
import type { Finding, Judgement, NotJudged } from './finding.ts';

/**
 * Finds entries on projects that had ended, or that are on hold. The documentation shows a status `on-hold` and an `end_date` (rules 4.37,
 * 4.38). It does not show since when a project is on hold.
 *
 * @param projects by id, as far as svc could read them.
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
    const isHeld = status === 'on-hold';
    const late = isHeld ? group : group.filter(({ date }) => typeof end === 'string' && end < date);
    if (late.length === 0) continue;
    const name = scalarText(project?.['name']) || `Project ${id}`;
    findings.push({
      kind: 'project-ended',
      userId: userId ?? null,
      ...daysIn(late),
      minutes: minutesIn(late),
      noun: 'worklogs',
      ids: idsOf(late),
      projectId: id,
      message: `${counted(late.length, 'entry', 'entries')} on ${quote(name)}, ${isHeld ? 'which is on hold' : `which ended on ${scalarText(end)}`}`,
    });
  }
  const ids = [...hidden].sort((one, other) => one - other);
  const notJudged: NotJudged[] =
    ids.length === 0
      ? []
      : [
          {
            kinds: ['project-ended'],
            userId: null,
            message: `The service does not show the status and the end of ${counted(ids.length, 'project')} (${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ' …' : ''})`,
          },
        ];
  return { findings, notJudged };
}

/** A timer, as far as its record shows it; the documentation names no field of a timer. */
export interface CheckedTimer {
  readonly id: number;
  readonly userId: number | null;
  /** The day on which it began, in its user’s zone; undefined if not shown. */
  readonly startedOn: string | undefined;
  /** Today in the user’s zone. */
  readonly today: string;
  /** Running time so far. */
  readonly minutes: number;
}

/** Finds timers that began before today, and not after the last checked day. */
export function checkTimers(timers: readonly CheckedTimer[], last: string): Judgement {
  const hidden = timers.filter(({ startedOn }) => startedOn === undefined);
  return {
    findings: timers.flatMap(({ id, userId, startedOn, today, minutes }) =>
      startedOn === undefined || startedOn >= today || startedOn > last
        ? []
        : [
            {
              kind: 'timer-running',
              userId,
              date: startedOn,
              minutes,
              noun: 'timers',
              ids: [id],
              message: `A timer runs since that day, ${formatDuration(minutes)} so far`,
            },
          ],
    ),
    notJudged:
      hidden.length === 0
        ? []
        : [
            {
              kinds: ['timer-running'],
              userId: null,
              message: `The service does not show since when ${counted(hidden.length, 'timer')} run${hidden.length === 1 ? 's' : ''}`,
            },
          ],
  };
}
