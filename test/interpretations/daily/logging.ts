import type { Row } from '../../../src/sandbox/start.ts';
import { attempt, type Change, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import { dayAfter } from '../truth.ts';
import type { Daily } from './daily.ts';
import { HOURS, WHO } from './daily.ts';

/** The default fields of an expected worklog. */
const PLAIN = {
  description: '',
  project_id: null,
  work_item_id: null,
  budget_id: null,
  task_id: null,
  is_overtime: false,
  is_not_billable: false,
} as const;

/** Returns true for a change that the service may make itself: logging hours may end timers. */
const endsTimers = ({ resource, after }: Change) => resource === 'timers' && after === undefined;

/** Tests of logging hours: each entry has the right day, person and length, and no other entry exists. */
export const logging: readonly Daily[] = [
  {
    name: 'worklogs add, in words',
    matters: [...WHO, 'wrapSingleRecords', 'me', 'hoursFilters', 'absenceBounds', 'wholeDayEnd', 'worklogEndsTimers', 'idempotencyKey'],
    run: (place) =>
      attempt(place, ['worklogs', 'add', '1h30', 'ABC-12', 'Review'], {
        byService: endsTimers,
        judge: (judge) =>
          made(judge, place, [{ date: place.today(), minutes: 90, description: 'Review', work_item_id: 12, project_id: 1 }]),
      }),
  },
  {
    name: 'worklogs add, a project by name',
    matters: [...WHO, 'discoveryPaths', 'discoveryName', 'discoveryOperations', 'otherFilters'],
    run: (place) =>
      attempt(place, ['worklogs', 'add', '30m', 'project:Web shop', 'Mending', '--no-check'], {
        byService: endsTimers,
        judge: (judge) => made(judge, place, [{ date: place.today(), minutes: 30, description: 'Mending', project_id: 2 }]),
      }),
  },
  {
    name: 'worklogs add, in flags',
    matters: [...WHO, 'wrapSingleRecords', 'idempotencyKey', 'keyMember'],
    run: (place) => {
      const flags = '--minutes 45 --project 2 --description Call --not-billable --overtime --date yesterday'.split(' ');
      return attempt(place, ['worklogs', 'add', ...flags], {
        byService: endsTimers,
        judge: (judge) => {
          const date = dayAfter(place.today(), -1);
          const flags = { is_not_billable: true, is_overtime: true };
          made(judge, place, [{ date, minutes: 45, description: 'Call', project_id: 2, ...flags }]);
        },
      });
    },
  },
  {
    name: 'worklogs add --like last',
    matters: [...WHO, ...HOURS, 'wrapSingleRecords', 'assumedSorts', 'descending', 'recordClock'],
    async run(place) {
      const like = { minutes: 75, description: 'Last', project_id: 3, budget_id: 5, is_not_billable: true };
      await place.addRecord('worklogs', { ...like, user_id: place.person.id, date: dayAfter(place.today(), -3) });
      await place.addRecord('worklogs', { user_id: 3, date: place.today(), minutes: 15, project_id: 1, description: 'Not mine' });
      return attempt(place, ['worklogs', 'add', '--like', 'last', '--no-check'], {
        byService: endsTimers,
        judge: (judge) => made(judge, place, [{ ...like, date: place.today() }], /not taken over/i),
      });
    },
  },
  {
    name: 'worklogs add --repeat',
    matters: [...WHO, 'idempotencyKey', 'absenceBounds', 'wholeDayEnd', 'hoursFilters'],
    run: (place) =>
      attempt(place, ['worklogs', 'add', '15m', 'project:8', 'Stand-up', '--repeat', 'mon-fri'], {
        byService: endsTimers,
        judge: (judge) => {
          const days = ['2025-06-16', '2025-06-17', '2025-06-18', '2025-06-19', '2025-06-20'];
          made(
            judge,
            place,
            days.map((date) => ({ date, minutes: 15, description: 'Stand-up', project_id: 8 })),
          );
        },
      }),
  },
];

/**
 * Checks that exactly these worklogs exist, by the person who typed, and that nothing else changed.
 * @param wanted expected worklogs, each on a separate day, the earliest first.
 * @param handedOn expected line about fields that svc could not take over.
 */
export function made(judge: Judge, { person }: Place, wanted: readonly Readonly<Record<string, unknown>>[], handedOn?: RegExp): void {
  judge.same(
    'rows made',
    judge.changes.map(({ resource, before }) => `${resource}${before === undefined ? '' : ' changed'}`),
    wanted.map(() => 'worklogs'),
  );
  // svc may send entries at the same time, so the day distinguishes them.
  const rows = judge.changes
    .flatMap(({ after }) => after ?? [])
    .toSorted((one, other) => (String(one['date']) < String(other['date']) ? -1 : 1));
  for (const [index, want] of wanted.entries()) {
    const row: Partial<Row> = rows[index] ?? {};
    judge.inZone('date', row['date'], want['date']);
    for (const [name, truth] of Object.entries({ ...PLAIN, user_id: person.id, ...want })) {
      if (name === 'date') continue;
      if (handedOn === undefined) judge.same(name, row[name], truth);
      else judge.sameOrSaid(name, row[name], truth, new RegExp(`${handedOn.source}.*${name}`, 'i'));
    }
  }
}
