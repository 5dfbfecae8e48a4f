import type { Row } from '../../../src/sandbox/start.ts';
import { attempt } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';
import { dayAfter, daysOf, loggedIn } from '../truth.ts';
import { type Daily, WHO } from './daily.ts';

const ASKED: readonly OptionName[] = [
  'summary',
  'worklogSummaryIds',
  'hoursFilters',
  'otherFilters',
  'assumedIncludes',
  'refusalType',
  'pages',
];

type Printed = Readonly<Record<string, unknown>>;

/** Tests of the commands of a project manager. */
export const manager: readonly Daily[] = [
  {
    name: 'budgets burn',
    matters: ASKED,
    async run(place) {
      await place.addRecord('worklogs', { user_id: 3, date: '2025-06-02', minutes: 3000, budget_id: (await small(place, 2)).id });
      return attempt(place, ['budgets', 'burn'], {
        judge: ({ same, figure, json, changes }) => {
          const printed = new Map((json() as readonly Printed[]).map((row) => [row['id'], row]));
          same('changes', changes, []);
          same(
            'budgets',
            [...printed.keys()].sort(byNumber),
            place
              .rows('budgets')
              .map(({ id }) => id)
              .sort(byNumber),
          );
          for (const budget of place.rows('budgets')) {
            const row = printed.get(budget.id) ?? {};
            const [holds, spent] = [Number(budget['budget']), sum(loggedOn(place, budget))];
            figure(`budget ${budget.id}`, row['budget_minutes'], holds);
            figure(`spent of ${budget.id}`, row['spent_minutes'], spent);
            figure(`left of ${budget.id}`, row['left_minutes'], holds - spent);
            figure(`state of ${budget.id}`, row['state'], spent > holds ? 'over' : 'under');
          }
        },
      });
    },
  },
  {
    name: 'budgets burn --forecast, of a project',
    matters: [...ASKED, ...WHO],
    async run(place) {
      const { id, project_id } = await small(place, 3);
      // The budget has 120 minutes. The first entry is in the week of 2 June. Two full weeks have 60 and 30, and the current week has 15.
      for (const [date, minutes] of [
        ['2025-06-03', 60],
        ['2025-06-15', 30],
        ['2025-06-16', 15],
      ] as const)
        await place.addRecord('worklogs', { user_id: 3, date, minutes, budget_id: id, project_id });
      return attempt(place, ['budgets', 'burn', '--forecast', '--project', String(project_id)], {
        judge: ({ figure, inZone, json }) => {
          const rows = json() as readonly Printed[];
          const young = rows.find((row) => row['id'] === id) ?? {};
          // The rate is 45 a week. 120 - 105 = 15 minutes are left. User 3 logged 90 minutes in two weeks of
          // eight working days. 15 minutes need one and a third such days: Friday, and Monday after a weekend.
          figure('a week', young['weekly_minutes'], 45);
          for (const end of ['projected_earliest', 'projected_latest'])
            if (young[end] !== null) inZone(end, young[end], dayAfter(place.today(), 4));
          for (const row of rows) {
            if (row['id'] === id) continue;
            const logged = loggedOn(
              place,
              place.rows('budgets').find((budget) => budget.id === row['id']),
            );
            figure(`all of ${row['id']}`, row['summed_minutes'], sum(logged));
            // The rate covers four weeks from Monday 19 May to Sunday 15 June. The budget has been in use since January.
            figure(
              `a week of ${row['id']}`,
              row['weekly_minutes'],
              Math.round(sum(loggedIn(logged, { first: '2025-05-19', last: '2025-06-15' })) / 4),
            );
          }
        },
      });
    },
  },
  {
    name: 'sprints burndown',
    matters: [...ASKED, 'me'],
    async run(place) {
      const sprint = await place.addRecord('sprints', { name: 'Read', start_date: '2025-05-05', end_date: '2025-05-18' });
      for (const item of place.rows('work-items').slice(0, 9))
        await place.addRecord('worklogs', { user_id: 3, date: '2025-05-07', minutes: 20, work_item_id: item.id });
      for (const estimation of [300, null, 450])
        await place.addRecord('work-items', { title: 'Read', project_id: 1, sprint_id: sprint.id, estimation });
      const own = place.rows('work-items').filter((item) => item['sprint_id'] === sprint.id);
      for (const [index, item] of own.entries())
        for (const date of ['2025-05-04', '2025-05-06', '2025-05-18', '2025-05-19'])
          await place.addRecord('worklogs', { user_id: 3, date, minutes: 25 + index, work_item_id: item.id });
      return attempt(place, ['sprints', 'burndown', String(sprint.id)], {
        judge: ({ same, figure, json }) => {
          const rows = json() as readonly Printed[];
          const ids = new Set(own.map(({ id }) => id));
          const logged = place.rows('worklogs').filter((row) => ids.has(Number(row['work_item_id'])));
          same(
            'days',
            rows.map(({ date }) => date),
            daysOf({ first: '2025-05-05', last: '2025-05-18' }),
          );
          for (const row of rows) {
            const [date, until] = [String(row['date']), sum(loggedIn(logged, { first: '2025-05-05', last: String(row['date']) }))];
            figure(`logged on ${date}`, row['logged_minutes'], sum(loggedIn(logged, { first: date, last: date })));
            figure(`so far on ${date}`, row['total_minutes'], until);
            figure(`remaining on ${date}`, row['remaining_minutes'], 750 - until);
          }
        },
      });
    },
  },
];

/** Creates a budget of two hours in a project that has other budgets. */
async function small(place: Place, project: number): Promise<Row> {
  return place.addRecord('budgets', { project_id: project, name: 'Small', budget: 120 });
}

function loggedOn(place: Place, budget: Row | undefined): readonly Row[] {
  return place.rows('worklogs').filter((row) => row['budget_id'] === budget?.id);
}

function sum(rows: readonly Row[]): number {
  return rows.reduce((total, { minutes }) => total + Number(minutes), 0);
}

function byNumber(one: unknown, other: unknown): number {
  return Number(one) - Number(other);
}
