import { dayStart, localDate, utcSecond } from '../../../src/sandbox/dates.ts';
import type { Row } from '../../../src/sandbox/start.ts';
import { attempt, differences, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import type { Axis } from '../table.ts';
import { dayAfter, idsOf, overlap } from '../truth.ts';
import { type Daily, WHO } from './daily.ts';

const SPANS: readonly Axis[] = ['absenceBounds', 'wholeDayEnd', 'wrapSingleRecords'];

/** Leave: whole days where the person is, and lists that find who is away. */
export const leave: readonly Daily[] = [
  {
    name: 'absences create, whole days',
    matters: [...WHO, ...SPANS, 'idempotencyKey', 'keyMember'],
    run: (place) =>
      attempt(place, ['absences', 'create', '--start', '2025-09-08', '--end', '2025-09-10'], {
        judge: (judge) => {
          const [change] = judge.changes;
          judge.same(
            'rows made',
            judge.changes.map(({ resource, before }) => [resource, before]),
            [['absences', undefined]],
          );
          judge.same('whose', change?.after?.['user_id'], place.person.id);
          wholeDays(judge, place, change?.after, '2025-09-08', '2025-09-10');
        },
      }),
  },
  {
    name: 'absences update, another last day',
    matters: [...WHO, ...SPANS, 'keyMember'],
    async run(place) {
      const start = utcSecond(dayStart('2025-09-15', place.zone));
      const end = utcSecond(dayStart('2025-09-17', place.zone) - 1000);
      const { id } = await place.plant('absences', { user_id: place.person.id, start, end, note: 'Sea' });
      return attempt(place, ['absences', 'update', String(id), '--end', '2025-09-17'], {
        judge: (judge) => {
          const [change] = judge.changes;
          judge.same(
            'changed',
            judge.changes.map(({ after }) => after?.id),
            [id],
          );
          judge.same('fields changed', Object.keys(differences(change?.before, change?.after)), ['end']);
          wholeDays(judge, place, change?.after, '2025-09-15', '2025-09-17');
        },
      });
    },
  },
  {
    name: 'absences list, who is away in some days',
    matters: [...WHO, ...SPANS, 'pages'],
    run: (place) => {
      const days = { first: '2025-10-10', last: '2025-10-12' };
      return attempt(place, ['absences', 'list', '--from', days.first, '--to', days.last], {
        judge: (judge) => ids(judge, place, (row) => overlap(row, days, place.zone) !== 'none'),
      });
    },
  },
  {
    name: 'absences list, mine',
    matters: [...WHO, 'me', 'pages'],
    run: (place) =>
      attempt(place, ['absences', 'list', '--user', 'me'], {
        judge: (judge) => ids(judge, place, (row) => row['user_id'] === place.person.id),
      }),
  },
  {
    name: 'absences list, of a year',
    matters: [...WHO, ...SPANS],
    run: (place) =>
      attempt(place, ['absences', 'list', '--year', '2025'], {
        judge: (judge) => ids(judge, place, (row) => localDate(Date.parse(String(row['start'])), place.zone).startsWith('2025')),
      }),
  },
  {
    name: 'absences list, running and in nobody’s charge',
    matters: ['booleans', 'absenceBounds', 'refusalType'],
    run: (place) =>
      attempt(place, ['absences', 'list', '--running', '--no-manager'], {
        judge: (judge) => ids(judge, place, (row) => row['end'] === null && row['manager_id'] === null),
      }),
  },
  {
    name: 'absences list, in my charge',
    matters: ['me', 'credential', 'narrowedMe', 'person'],
    async run(place) {
      const moment = { start: '2025-08-04T06:00:00Z', end: '2025-08-04T15:00:00Z' };
      await place.plant('absences', { user_id: 3, manager_id: place.person.id, ...moment });
      return attempt(place, ['absences', 'list', '--manager', 'me'], {
        judge: (judge) => ids(judge, place, (row) => row['manager_id'] === place.person.id),
      });
    },
  },
];

/** From the first second of one day to the last of another, where the person is. */
function wholeDays(judge: Judge, { zone }: Place, row: Row | undefined, first: string, last: string): void {
  judge.inZone('start', row?.['start'], utcSecond(dayStart(first, zone)));
  judge.inZone('end', row?.['end'], utcSecond(dayStart(dayAfter(last, 1), zone) - 1000));
}

/** Exactly the absences that are meant. */
function ids(judge: Judge, place: Place, meant: (row: Row) => boolean): void {
  judge.same('changes', judge.changes, []);
  judge.inZone('ids', idsOf(judge.json()), idsOf(place.rows('absences').filter(meant)));
}
