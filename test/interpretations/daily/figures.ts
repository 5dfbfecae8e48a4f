import { attempt, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';
import { type Days, dayAfter, daysOf, loggedIn, type Minutes, minutesBy, overlap, presentMinutes, workingMinutes } from '../truth.ts';
import { type Daily, HOURS, WHO } from './daily.ts';

/** Two weeks in which everybody has logged hours. Some hours are not billable. */
const RANGE: Days = { first: '2025-05-05', last: '2025-05-18' };
const FLAGS = ['--from', RANGE.first, '--to', RANGE.last];

const WEEK: readonly OptionName[] = ['workingHours', 'absenceBounds', 'wholeDayEnd', 'hoursFilters', 'worklogSummaryIds'];

/** Tests of figures that people sign: each figure equals the rows or is null. */
export const figures: readonly Daily[] = [
  {
    name: 'report by project',
    matters: [...HOURS, 'pages', 'cursorBindsInclude', 'assumedSorts'],
    run: (place) =>
      attempt(place, ['report', '--by', 'project', ...FLAGS], {
        judge: (judge) => sums(judge, minutesBy(loggedIn(place.rows('worklogs'), RANGE), 'project_id'), 'project_id'),
      }),
  },
  {
    name: 'report by user',
    matters: HOURS,
    run: (place) =>
      attempt(place, ['report', '--by', 'user', ...FLAGS], {
        judge: (judge) => sums(judge, minutesBy(loggedIn(place.rows('worklogs'), RANGE), 'user_id'), 'user_id'),
      }),
  },
  {
    name: 'report, of the user on a project',
    matters: [...HOURS, 'credential', 'narrowedMe', 'person'],
    async run(place) {
      const mine = { user_id: place.person.id, project_id: 4, is_not_billable: true };
      await place.addRecord('worklogs', { ...mine, date: RANGE.first, minutes: 35 });
      return attempt(place, ['report', '--by', 'day', '--user', 'me', '--project', '4', ...FLAGS], {
        judge: (judge) => {
          const rows = loggedIn(place.rows('worklogs'), RANGE).filter(
            (row) => row['user_id'] === place.person.id && row['project_id'] === 4,
          );
          sums(judge, minutesBy(rows, 'date'), 'day');
        },
      });
    },
  },
  {
    name: 'week',
    matters: [...WHO, ...WEEK, 'me', 'summary', 'assumedIncludes'],
    async run(place) {
      await place.addRecord('worklogs', { user_id: place.person.id, date: '2025-06-17', minutes: 50, project_id: 2 });
      return attempt(place, ['week'], { judge: (judge) => weekOf(judge, place, place.person.id, '2025-06-16') });
    },
  },
  {
    name: 'week with whole days of leave, behind and ahead of UTC',
    matters: ['workingHours', 'absenceBounds', 'wholeDayEnd', 'missingTimezone', 'organisationZone', 'machineZone', 'person'],
    run: (place) => attempt(place, ['week', '2025-10-08', '--user', '11'], { judge: (judge) => weekOf(judge, place, 11, '2025-10-06') }),
  },
  {
    name: 'week with a day of leave in the middle',
    matters: ['workingHours', 'absenceBounds', 'wholeDayEnd', 'hoursFilters', 'summary', 'machineZone', 'person'],
    run: (place) => attempt(place, ['week', '2025-05-01', '--user', '4'], { judge: (judge) => weekOf(judge, place, 4, '2025-04-28') }),
  },
  {
    name: 'status',
    matters: [...WHO, ...WEEK, 'booleans'],
    async run(place) {
      await place.addRecord('worklogs', { user_id: place.person.id, date: place.today(), minutes: 25, project_id: 2 });
      // The second run leaves out the parameters that the service refused.
      await place.svc(['status']);
      return attempt(place, ['status'], { judge: (judge) => statusOf(judge, place) });
    },
  },
];

/** Checks the person’s figures of today. A figure can be unknown. A public holiday counts as a working day. */
function statusOf(judge: Judge, place: Place): void {
  const { person, zone } = place;
  const printed = judge.json() as Readonly<Record<string, unknown>>;
  const today = place.today();
  const logged = loggedIn(place.rows('worklogs'), { first: today, last: today }).filter((row) => row['user_id'] === person.id);
  const absences = place.rows('absences').filter((row) => row['user_id'] === person.id && row['status'] !== 'declined');
  const isPartly = absences.some((row) => overlap(row, { first: today, last: today }, zone) === 'part');
  const minutes = logged.reduce((sum, row) => sum + Number(row['minutes']), 0);
  const target = presentMinutes(person, today, absences, zone) ?? null;
  const isAssumed = printed['timezone_assumed'] !== false;
  const figure = (what: string, truth: number | null) =>
    judge.figure(what, isAssumed && printed[what] !== truth ? null : printed[what], truth);
  judge.same('changes', judge.changes, []);
  figure('logged_minutes', minutes);
  if (isPartly && place.combination.absenceBounds !== 'date-time') return;
  figure('target_minutes', target);
  figure('missing_minutes', target === null ? null : Math.max(0, target - minutes));
}

/** Checks that each printed group has the minutes of its rows, and that no group is missing. */
export function sums(judge: Judge, truth: ReadonlyMap<unknown, Minutes>, key: string): void {
  const printed = judge.json() as readonly Readonly<Record<string, unknown>>[];
  const isKnown = (group: Readonly<Record<string, unknown>>) => truth.has(group[key]);
  const isNamed = printed.some((group) => Object.values(group).includes('unknown'));
  judge.same('changes', judge.changes, []);
  judge.figure('groups', isNamed ? null : printed.map((group) => group[key]).sort(), [...truth.keys()].sort());
  judge.same('minutes in all', total(printed), total([...truth.values()]));
  for (const group of isNamed ? [] : printed.filter(isKnown))
    for (const [name, minutes] of Object.entries(truth.get(group[key]) ?? {}))
      judge.figure(`${name} of ${group[key]}`, group[name], minutes);
}

function total(groups: readonly { readonly minutes?: unknown }[]): number {
  return groups.reduce((sum, { minutes }) => sum + Number(minutes), 0);
}

/** Checks seven days: the logged hours, the absences, and the target if it is known. */
function weekOf(judge: Judge, place: Place, userId: number, monday: string): void {
  const user = place.rows('users').find(({ id }) => id === userId) ?? place.person;
  const zone = typeof user['timezone'] === 'string' ? user['timezone'] : 'Europe/Amsterdam';
  const days = daysOf({ first: monday, last: dayAfter(monday, 6) });
  const logged = place.rows('worklogs').filter((row) => row['user_id'] === userId);
  const absences = place.rows('absences').filter((row) => row['user_id'] === userId && row['status'] !== 'declined');
  const dayOff = new Set([...place.rows('holidays'), ...place.rows('free-days')].map(({ date }) => date));
  const saysSo = /not known|does not know|cannot read|svc assumes|not clear/.test(judge.result.stderr);
  const printed = judge.json() as readonly Readonly<Record<string, unknown>>[];
  const isAssumed = printed.every((day) => day['timezone_assumed'] === true);
  const either = (what: string, seen: unknown, truth: unknown) =>
    judge.figure(what, (saysSo || isAssumed) && seen !== truth ? null : seen, truth);
  judge.same('changes', judge.changes, []);
  judge.inZone(
    'days',
    printed.map(({ date }) => date),
    days,
  );
  for (const day of printed) {
    const date = String(day['date']);
    judge.same(
      `logged on ${date}`,
      day['logged_minutes'],
      loggedIn(logged, { first: date, last: date }).reduce((sum, { minutes }) => sum + Number(minutes), 0),
    );
    const away = absences.map((absence) => overlap(absence, { first: date, last: date }, zone));
    either(
      `away on ${date}`,
      (day['absences'] as readonly unknown[]).length > 0,
      away.some((part) => part !== 'none'),
    );
    const working = workingMinutes(user, date);
    if (away.includes('part') && !away.includes('all')) continue;
    either(`target of ${date}`, day['target_minutes'], away.includes('all') || dayOff.has(date) ? 0 : (working ?? null));
  }
}
