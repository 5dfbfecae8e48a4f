import type { Row } from '../../../src/sandbox/start.ts';
import { attempt } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';
import { type Days, idsOf, loggedIn, minutesBy } from '../truth.ts';
import { type Daily, HOURS } from './daily.ts';
import { sums } from './figures.ts';

/** Two weeks in which everybody has logged hours. Some hours are not billable. */
const RANGE: Days = { first: '2025-05-05', last: '2025-05-18' };
const TYPED = `${RANGE.first}..${RANGE.last}`;

const BEYOND: readonly OptionName[] = [...HOURS, 'otherFilters', 'parameterMember', 'wrapSingleRecords'];

/** The hourly rate in cents. */
const RATE = 9505;

/** Tests of reports by project, budget and work item, and of a sheet for a customer. */
export const reports: readonly Daily[] = [
  by(
    'customer',
    [...BEYOND, 'cursorBindsInclude', 'pages'],
    (row, place) => recordOf(place, 'projects', row['project_id'])?.['customer_id'],
  ),
  by('budget', HOURS, (row) => row['budget_id']),
  by('sprint', BEYOND, (row, place) => recordOf(place, 'work-items', row['work_item_id'])?.['sprint_id']),
  {
    name: 'report by label',
    matters: BEYOND,
    run: (place) =>
      attempt(place, ['report', TYPED, '--by', 'label'], {
        judge: (judge) => {
          const logged = loggedIn(place.rows('worklogs'), RANGE);
          const labels = logged.map((row) => ({ ...row, labels: labelsOf(place, row) }));
          const truth = [...minutesBy(labels, 'labels')].map(([key, { minutes }]) => [key, minutes]);
          const printed = judge.json() as readonly { readonly label_ids: readonly number[] | null; readonly minutes: number }[];
          const isKnown = printed.every(({ label_ids }) => label_ids !== null);
          const seen = printed.map(({ label_ids, minutes }) => [String([...(label_ids ?? [])].sort((a, b) => a - b)), minutes]);
          judge.same('changes', judge.changes, []);
          judge.figure('labels', isKnown ? seen.map(String).sort() : null, truth.map(String).sort());
        },
      }),
  },
  {
    name: 'report for a customer, with amounts',
    matters: [...BEYOND, 'credential', 'narrowedMe'],
    run: (place) =>
      attempt(place, ['report', TYPED, '--for', '1', '--rate', '95.05', '--all'], {
        judge: (judge) => {
          const theirs = loggedIn(place.rows('worklogs'), RANGE).filter(
            (row) => recordOf(place, 'projects', row['project_id'])?.['customer_id'] === 1,
          );
          const printed = judge.json() as readonly (Readonly<Record<string, unknown>> & { readonly id: number })[];
          judge.same('changes', judge.changes, []);
          judge.same('entries', idsOf(printed as readonly Row[]), idsOf(theirs));
          for (const row of theirs) {
            const shown = printed.find(({ id }) => id === row.id);
            const isBillable = row['is_not_billable'] !== true;
            const minutes = Number(row['minutes']);
            judge.same(`minutes of ${row.id}`, shown?.['minutes'], minutes);
            judge.figure(`billable of ${row.id}`, shown?.['billable'], isBillable);
            if (shown?.['billable'] !== null)
              judge.same(
                `amount of ${row.id}`,
                shown?.['amount'],
                isBillable ? (Math.round((minutes * RATE) / 60) / 100).toFixed(2) : null,
              );
          }
        },
      }),
  },
];

function by(dimension: string, matters: readonly OptionName[], keyOf: (row: Row, place: Place) => Row[string] | undefined): Daily {
  return {
    name: `report by ${dimension}`,
    matters,
    run: (place) =>
      attempt(place, ['report', TYPED, '--by', dimension], {
        judge: (judge) => {
          const rows = loggedIn(place.rows('worklogs'), RANGE).map((row) => ({ ...row, key: keyOf(row, place) ?? null }));
          sums(judge, minutesBy(rows, 'key'), `${dimension}_id`);
        },
      }),
  };
}

function labelsOf(place: Place, row: Row): string {
  const ids = recordOf(place, 'work-items', row['work_item_id'])?.['label_ids'];
  return Array.isArray(ids) ? String([...new Set(ids)].sort((a, b) => a - b)) : '';
}

function recordOf(place: Place, resource: string, id: unknown): Row | undefined {
  return place.rows(resource).find((row) => row.id === id);
}
