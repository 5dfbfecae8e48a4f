// The forecast of svc against a plain simulation, day by day, for random teams. SVC_TEST_TEAMS sets their number.
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { organisation } from './organisation.ts';
import { capacityOn, makeTeams, mondayBefore, plus, simulate } from './simulated-teams.ts';

const COUNT = Number(process.env['SVC_TEST_TEAMS'] ?? 40);
/** Before changes of the clocks, at the turn of a day and of a year, and in a leap year. */
const TIMES = ['2026-10-14T10:00:00Z', '2027-03-09T23:30:00Z', '2026-12-24T11:00:00Z', '2028-01-30T22:30:00Z'];
const perTime = Math.ceil(COUNT / TIMES.length);
const seen = { teams: 0, sure: 0, ranges: 0, from: 0, by: 0, neither: 0, figures: 0 };
/** The budgets of each time that svc explains too. */
const EXPLAINED = 2;

interface Explained {
  readonly figure: string;
  readonly minutes: number | null;
  readonly steps: readonly { readonly resource: string | null; readonly minutes: number | null }[];
}

describe(`the forecast of ${COUNT} random teams`, () => {
  afterAll(() => console.log(JSON.stringify(seen)));

  it.each(TIMES.map((time, index) => [time, index] as const))('matches a plain simulation, at %s', async (time, index) => {
    const teams = makeTeams(Date.parse(time), perTime, 40 + index);
    const here = await organisation(time, teams.tables);
    try {
      for (const hidden of [false, true]) {
        if (hidden) here.sandbox.setRole(1, 'employee');
        const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
        const run = async (...argv: string[]) => {
          const { code, stdout, stderr } = await here.svc(argv, { env });
          expect(code, stderr).toBe(0);
          return new Map((JSON.parse(stdout) as JsonObject[]).map((row) => [Number(row['id'] ?? row['user_id']), row]));
        };
        const rows = await run('budgets', 'burn', '--forecast');
        expect(rows.size).toBe(teams.teams.length);
        for (const team of teams.teams) {
          const row = rows.get(team.budget) ?? {};
          const expected = simulate(teams, team, hidden);
          const printed = {
            earliest: row['projected_earliest'],
            latest: row['projected_latest'],
            people: (row['people'] as JsonObject[]).map((one) => [
              one['user_id'],
              one['minutes'],
              one['capacity_at_least_minutes'],
              one['capacity_at_most_minutes'],
            ]),
          };
          const byId = (people: readonly (readonly unknown[])[]) => people.toSorted((one, other) => Number(one[0]) - Number(other[0]));
          const { earliest = null, latest = null, people = [] } = expected ?? {};
          expect({ ...printed, people: byId(printed.people) }, `budget ${team.budget}, leave ${hidden ? 'hidden' : 'shown'}`).toEqual({
            earliest,
            latest,
            people: byId(people),
          });
          seen.teams += 1;
          if (earliest !== null && earliest === latest) seen.sure += 1;
          else if (earliest !== null && latest !== null) seen.ranges += 1;
          else if (earliest !== null) seen.from += 1;
          else if (latest !== null) seen.by += 1;
          else seen.neither += 1;
        }
        for (const team of teams.teams.slice(0, EXPLAINED)) {
          const { code, stdout, stderr } = await here.svc(['budgets', 'burn', String(team.budget), '--why'], { env });
          expect(code, stderr).toBe(0);
          const printed = JSON.parse(stdout);
          const row = rows.get(team.budget) ?? {};
          for (const { figure, minutes, steps } of (Array.isArray(printed) ? printed : [printed]) as Explained[]) {
            const known = steps.map((step) => step.minutes);
            expect(minutes, `${figure} of budget ${team.budget}`).toBe(
              known.includes(null) ? null : known.reduce<number>((sum, own) => sum + (own ?? 0), 0),
            );
            if (figure === 'left_minutes') {
              expect(minutes).toBe(row['left_minutes']);
              const logged = steps.filter(({ resource }) => resource === 'worklogs');
              expect(logged.map((step) => 0 - (step.minutes ?? 0)).toSorted()).toEqual(team.work.map((work) => work.minutes).toSorted());
            } else if (typeof row[figure] === 'string') expect(minutes).toBe(row['left_minutes']);
            seen.figures += 1;
          }
        }
        const capacity = await run('users', 'capacity', '--weeks', '3');
        const monday = mondayBefore(teams.today);
        for (const person of [...teams.people.values()].filter(({ active }) => active)) {
          const days = Array.from({ length: 21 }, (_, day) => capacityOn(teams, person, plus(monday, day), hidden));
          const sum = (bound: 'least' | 'most') =>
            days.reduce<number | null>((minutes, day) => (minutes === null || day === undefined ? null : minutes + day[bound]), 0);
          const [least, most] = [sum('least'), sum('most')];
          expect(capacity.get(person.id), `person ${person.id}`).toMatchObject({
            capacity_at_least_minutes: least,
            capacity_at_most_minutes: most,
            capacity_minutes: least === most ? most : null,
          });
        }
      }
    } finally {
      await here.remove();
    }
  });
});
