import type { Row } from '../../../src/sandbox/start.ts';
import { attempt, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import { type Days, daysOf, idsOf, loggedIn, overlap, workingMinutes } from '../truth.ts';
import type { Daily } from './daily.ts';

/** Two past weeks, whose days are less than 45 days old. */
const RANGE: Days = { first: '2025-05-05', last: '2025-05-18' };

/** Tests of hour checks. Each finding is true, no known finding is missing, and exit 0 means correct hours. */
export const check: readonly Daily[] = [
  {
    name: 'check, of one person',
    matters: ['person', 'machineZone', 'workingHours', 'wholeDayEnd', 'absenceBounds'],
    async run(place) {
      const own = place.person.id;
      await place.addRecord('worklogs', { user_id: own, date: '2025-05-07', minutes: 20, project_id: 2, description: 'The same' });
      await place.addRecord('worklogs', { user_id: own, date: '2025-05-07', minutes: 20, project_id: 2, description: 'The same' });
      return attempt(place, ['check', `${RANGE.first}..${RANGE.last}`], {
        exits: [0, 1],
        judge: (judge) => judgeCheck(judge, place, [own]),
      });
    },
  },
  {
    name: 'check, of three people',
    matters: ['summary', 'falseInSummary', 'hoursFilters', 'otherFilters', 'booleans', 'topLevelChildren'],
    run: (place) =>
      attempt(place, ['check', `${RANGE.first}..${RANGE.last}`, '--users', '3,5,8'], {
        exits: [0, 1],
        judge: (judge) => judgeCheck(judge, place, [3, 5, 8]),
      }),
  },
];

type Printed = Readonly<Record<string, unknown>>;

function judgeCheck(judge: Judge, place: Place, ids: readonly number[]): void {
  const printed = judge.json() as readonly Printed[];
  const unknown = new Set(printed.flatMap(({ not_judged: not }) => (not as readonly string[] | null) ?? []));
  const people = place.rows('users').filter(({ id }) => ids.includes(id));
  const logged = loggedIn(place.rows('worklogs'), RANGE).filter((row) => ids.includes(Number(row['user_id'])));
  judge.same('changes', judge.changes, []);
  judge.same('exit', judge.result.code, printed.length === 0 ? 0 : 1);
  const truths: Record<string, readonly string[]> = {
    duplicate: duplicates(logged),
    'no-project': logged.filter((row) => row['project_id'] === null && row['work_item_id'] === null).map(({ id }) => `${id}`),
    'not-reviewed': unreviewed(logged),
    'over-budget': overBudget(place, logged),
    'project-ended': ended(place, logged),
    'impossible-day': [],
    'future-date': [],
    'not-billed': [],
    'row-differs': [],
  };
  for (const [kind, truth] of Object.entries(truths)) {
    const seen = printed.filter((row) => row['kind'] === kind).map(({ ids: of }) => (of as readonly number[]).join(' '));
    judge.figure(kind, unknown.has(kind) && seen.length === 0 ? null : seen.sort(), [...truth].sort());
  }
  for (const person of people) days(judge, place, person, { printed, unknown, logged });
}

/** Checks each day of a person with full leave or none: the missing hours, and hours logged on days off. */
function days(
  judge: Judge,
  place: Place,
  person: Row,
  {
    printed,
    unknown,
    logged,
  }: { readonly printed: readonly Printed[]; readonly unknown: ReadonlySet<string>; readonly logged: readonly Row[] },
): void {
  const zone = typeof person['timezone'] === 'string' ? person['timezone'] : 'Europe/Amsterdam';
  const isExcused = /svc assumes|are not clear/.test(judge.result.stderr);
  const dayOff = [
    ...place.rows('holidays'),
    ...place.rows('free-days').filter((row) => [null, person.id].includes(row['user_id'] as number | null)),
  ];
  const absences = place.rows('absences').filter((row) => row['user_id'] === person.id && row['status'] !== 'declined');
  for (const date of daysOf(RANGE)) {
    const day = { first: date, last: date };
    const away = absences.map((absence) => overlap(absence, day, zone));
    if (away.includes('part') && !away.includes('all')) continue;
    const isClosed = away.includes('all') || dayOff.some((row) => row['date'] === date);
    const minutes = loggedIn(logged, day)
      .filter((row) => row['user_id'] === person.id)
      .reduce((sum, row) => sum + Number(row['minutes']), 0);
    const working = workingMinutes(person, date) ?? 0;
    const truth = { 'missing-hours': isClosed ? 0 : Math.max(0, working - minutes), 'hours-on-leave': isClosed ? minutes : 0 };
    for (const [kind, expected] of Object.entries(truth)) {
      const row = printed.find((one) => one['kind'] === kind && one['date'] === date && one['user_id'] === person.id);
      const seen = Number(row?.['minutes'] ?? 0);
      const isUnknown = (unknown.has(kind) && row === undefined) || (isExcused && seen !== expected);
      judge.figure(`${kind} of ${person.id} on ${date}`, isUnknown ? null : seen, expected);
    }
  }
}

function duplicates(logged: readonly Row[]): string[] {
  const key = (row: Row) =>
    JSON.stringify([
      row['user_id'],
      row['date'],
      row['minutes'],
      String(row['description']).trim(),
      row['is_overtime'],
      row['work_item_id'] ?? `project ${row['project_id']}`,
    ]);
  const groups = [...Map.groupBy(logged, key).values()].filter((group) => group.length > 1);
  return groups.map((group) => idsOf(group).join(' '));
}

function unreviewed(logged: readonly Row[]): string[] {
  if (logged.every((row) => row['reviewed_by'] === null)) return [];
  const left = logged.filter((row) => row['reviewed_by'] === null);
  return [...Map.groupBy(left, (row) => row['user_id']).values()].map((group) => idsOf(group).join(' '));
}

function overBudget(place: Place, logged: readonly Row[]): string[] {
  const used = new Set(logged.map((row) => row['budget_id']));
  const sum = (id: number) =>
    place.rows('worklogs').reduce((total, row) => total + (row['budget_id'] === id ? Number(row['minutes']) : 0), 0);
  const over = place.rows('budgets').filter((row) => used.has(row.id) && Number(row['budget']) > 0 && sum(row.id) > Number(row['budget']));
  return over.map(({ id }) => `${id}`);
}

function ended(place: Place, logged: readonly Row[]): string[] {
  const projects = new Map(place.rows('projects').map((row) => [row.id, row]));
  const isOver = (row: Row) => {
    const project = projects.get(Number(row['project_id']));
    const end = project?.['end_date'];
    return project?.['status'] === 'on-hold' || (typeof end === 'string' && end < String(row['date']));
  };
  const groups = Map.groupBy(logged.filter(isOver), (row) => `${row['user_id']} ${row['project_id']}`);
  return [...groups.values()].map((group) => idsOf(group).join(' '));
}
