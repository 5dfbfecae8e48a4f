import { localDate } from '../../src/sandbox/dates.ts';
import type { Row } from '../../src/sandbox/start.ts';
import { randomOf } from '../support/random.ts';
import { attempt, type Judge, type Outcome } from './judge.ts';
import type { Place } from './place.ts';
import { startTenantPlace } from './tenants.ts';
import { type Days, dayAfter, daysOf, loggedIn } from './truth.ts';
import { idsOf, judgeDay, judgeLeave, judgeRest, pairs, type Step, sumOf } from './why-oracle.ts';

interface Explained {
  readonly figure: string;
  readonly minutes: number | null;
  readonly amount?: string | null;
  readonly steps: readonly Step[];
}

type Printed = Readonly<Record<string, unknown>>;

/** The range of the random figures. It has holidays, free days, leave and hours, and future days. */
const RANGE: Days = { first: '2025-05-05', last: '2025-06-25' };

/** Adds random leave, days off and hours to the service of a seed, and explains a random figure of each kind. */
export async function explainTenant(seed: number): Promise<readonly Outcome[]> {
  const random = randomOf(seed);
  const place = await startTenantPlace(seed);
  try {
    const chance = chanceOf(random, place, await addRandom(place, random));
    const outcomes: Outcome[] = [];
    for (const kind of KINDS) outcomes.push(await kind(place, chance));
    return outcomes;
  } finally {
    await place.remove();
  }
}

type Random = () => number;

function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error('There is nothing to pick from.');
  return one;
}

function people(place: Place): Row[] {
  return place.rows('users').filter((person) => person['is_active'] !== false);
}

/** Random choices. More than half of them are the person and the days with the added records. */
interface Chance {
  readonly random: Random;
  readonly person: () => Row;
  readonly day: () => string;
}

function chanceOf(random: Random, place: Place, added: { readonly person: Row; readonly days: readonly string[] }): Chance {
  return {
    random,
    person: () => (random() < 0.6 ? added.person : pick(random, people(place))),
    day: () => pick(random, random() < 0.6 ? added.days : daysOf(RANGE)),
  };
}

/** Adds records that overlap: absences of a person on one day, two days off on another, and hours. Bills some hours. */
async function addRandom(place: Place, random: Random) {
  const days = daysOf(RANGE);
  const person = pick(random, people(place));
  const date = pick(random, days);
  const at = (hour: number) => `${date}T${String(hour).padStart(2, '0')}:${pick(random, ['00', '20', '45'])}:00Z`;
  const off = pick(random, days);
  const added: readonly (readonly [string, Record<string, unknown>])[] = [
    ['absences', { user_id: person.id, start: at(6), end: at(10) }],
    ['absences', { user_id: person.id, start: at(9), end: at(13) }],
    ['holidays', { name: 'Fair', date: off }],
    ['free-days', { name: 'Bridge', date: off }],
    ['worklogs', { user_id: person.id, date, minutes: 7 + Math.floor(random() * 200), project_id: 2 }],
    ['worklogs', { user_id: person.id, date: off, minutes: 7 + Math.floor(random() * 600), project_id: 1 }],
  ];
  // An organisation can lack a resource.
  for (const [resource, body] of added) await place.addRecord(resource, body).catch(() => undefined);
  const marks = [{ invoice_id: 1 }, { exceeded_budget: true }, { is_not_billable: true }];
  for (const row of loggedIn(place.rows('worklogs'), RANGE)) if (random() < 0.3) Object.assign(row, pick(random, marks));
  return { person, days: [date, off] };
}

function both(argv: readonly string[], why: readonly string[]): readonly [readonly string[], readonly string[]] {
  return [argv, [...argv, ...why]];
}

/** Runs a command without and with `--why`, and compares the steps with the figure of the first run, and with the rows of the service. */
async function explain(
  place: Place,
  [usually, explained]: readonly [readonly string[], readonly string[]],
  usualFigures: (printed: readonly Printed[]) => Readonly<Record<string, unknown>>,
  judgeSteps: (judge: Judge, steps: readonly Step[], figure: Explained) => void,
): Promise<Outcome> {
  const usual = await place.svc(usually);
  return attempt(place, explained, {
    judge(judge) {
      judge.same('changes', judge.changes, []);
      const printed = judge.json() as Explained | readonly Explained[];
      const known = usualFigures(JSON.parse(usual.stdout) as readonly Printed[]);
      for (const figure of [printed].flat() as readonly Explained[]) {
        const { steps } = figure;
        judge.same(`${figure.figure} is the sum of its steps`, sumOf(steps), figure.minutes);
        judge.same(`${figure.figure} is the figure without --why`, figure.minutes, known[figure.figure]);
        if (figure.amount !== undefined) {
          judge.same('the amount is the sum of its steps', centsOf(steps), figure.amount === null ? null : cents(figure.amount));
          judge.same('the amount is the amount without --why', figure.amount, known['amount']);
        }
        for (const { kind, resource } of steps)
          if (resource !== null) judge.same(`resource of ${kind}`, resource, RESOURCES[kind] ?? 'worklogs');
        for (const step of steps.filter(({ resource }) => resource !== null))
          judge.same('the link names the record', step.link?.endsWith(`/${step.resource}/${step.id}`) || step.link?.endsWith('/me'), true);
        judgeSteps(judge, steps, figure);
      }
    },
  });
}

const RESOURCES: Readonly<Record<string, string>> = {
  ...{ 'working-hours': 'users', 'unknown-hours': 'users', absence: 'absences', holiday: 'holidays', 'free-day': 'free-days' },
};

function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function centsOf(steps: readonly Step[]): number | null {
  return steps.reduce<number | null>((sum, { amount = null }) => (sum === null || amount === null ? null : sum + cents(amount)), 0);
}

type Kind = (place: Place, chance: Chance) => Promise<Outcome>;

const KINDS: readonly Kind[] = [
  (place, { person: anyone, day }) => {
    const [person, date] = [anyone(), day()];
    const user = ['--user', String(person.id)];
    return explain(
      place,
      [
        ['week', date, ...user],
        ['week', '--why', date, ...user],
      ],
      (printed) => ({ gap_minutes: printed.find((day) => day['date'] === date)?.['gap_minutes'] }),
      (judge, steps) => {
        judgeDay(judge, place, person, date, steps, 1);
        judgeRest(judge, steps, [date]);
      },
    );
  },
  (place, { person: anyone, day }) => {
    const [person, week] = [anyone(), day()];
    return explain(
      place,
      both(['week', week, '--team'], ['--why', String(person.id)]),
      (printed) => ({ gap_minutes: rowOf(printed, person)['gap_minutes'] }),
      (judge, steps) => {
        const dates = daysOf({ first: mondayOf(week), last: dayAfter(mondayOf(week), 6) });
        for (const date of dates) judgeDay(judge, place, person, date, steps, 1);
        judgeRest(judge, steps, dates);
      },
    );
  },
  (place, { random, day }) => {
    const first = dayAfter(day(), -Math.floor(random() * 7));
    const last = dayAfter(first, 3 + Math.floor(random() * 20));
    return explain(
      place,
      both(['week', '--balance', '--from', first, '--to', last], ['--why']),
      (printed) => ({ balance_minutes: printed.at(-1)?.['balance_minutes'] }),
      (judge, steps) => {
        const dates = daysOf({ first, last });
        const today = localDate(place.now(), place.zone);
        for (const date of dates) judgeDay(judge, place, place.person, date, date > today ? [] : steps, -1, date > today);
        judgeRest(judge, steps, dates);
      },
    );
  },
  (place, { random, day }) => {
    const first = dayAfter(day(), -Math.floor(random() * 7));
    const days = { first, last: dayAfter(first, Math.floor(random() * 14)) };
    const rows = loggedIn(place.rows('worklogs'), days);
    const project = rows.length === 0 ? 1 : Number(pick(random, rows)['project_id']);
    const step = random() < 0.5 ? undefined : 15;
    return explain(
      place,
      both(
        ['report', '--by', 'project', '--from', days.first, '--to', days.last, ...(step === undefined ? [] : ['--rounding', `${step}m`])],
        ['--why', String(project)],
      ),
      (printed) => ({ minutes: printed.find((row) => row['project_id'] === project)?.['minutes'] }),
      (judge, steps) => {
        const own = rows.filter((row) => row['project_id'] === project);
        judge.same(
          'worklogs',
          idsOf(steps, 'worklog'),
          pairs(own, ({ minutes }) => Number(minutes)),
        );
        const rounded = own.filter(({ minutes }) => step !== undefined && Number(minutes) % step > 0);
        judge.same(
          'rounding',
          idsOf(steps, 'entry-flag'),
          pairs(rounded, ({ minutes }) => (step ?? 1) - (Number(minutes) % (step ?? 1))),
        );
        judge.same('other steps', steps.length - own.length - rounded.length, 0);
      },
    );
  },
  (place, { random, day }) => {
    const first = dayAfter(day(), -Math.floor(random() * 7));
    const days = { first, last: dayAfter(first, Math.floor(random() * 14)) };
    const whose = new Map(place.rows('projects').map((project) => [project.id as unknown, project['customer_id'] ?? null]));
    const rows = loggedIn(place.rows('worklogs'), days).filter((row) => typeof whose.get(row['project_id']) === 'number');
    const customer = rows.length === 0 ? 1 : Number(whose.get(pick(random, rows)['project_id']));
    return explain(
      place,
      both(['billing', 'unbilled', '--from', days.first, '--to', days.last], ['--why', String(customer)]),
      (printed) => printed.find((row) => row['customer_id'] === customer) ?? {},
      (judge, steps) => {
        const own = rows.filter((row) => whose.get(row['project_id']) === customer);
        const entries = steps.filter(({ kind }) => kind !== 'cents');
        judge.same('entries', entries.map(({ id }) => id).sort(), own.map(({ id }) => id).sort());
        for (const { id, kind, minutes } of entries) {
          const row = own.find((one) => one.id === id);
          const truth = row === undefined ? undefined : stateOf(row);
          judge.figure(`kind of ${id}`, kind === 'unknown-billing' ? null : kind, truth);
          judge.figure(`minutes of ${id}`, minutes, truth === 'unbilled' ? row?.['minutes'] : 0);
        }
      },
    );
  },
  (place, { person: anyone }) => {
    const person = anyone();
    return explain(
      place,
      both(['absences', 'used', `${RANGE.first}..${RANGE.last}`, '--user', String(person.id)], ['--why']),
      (printed) => rowOf(printed, person),
      (judge, steps, { figure }) => judgeLeave(judge, place, person, RANGE, steps, figure),
    );
  },
];

function rowOf(printed: readonly Printed[], person: Row): Printed {
  return printed.find((row) => row['user_id'] === person.id) ?? {};
}

function mondayOf(date: string): string {
  return dayAfter(date, -((new Date(date).getUTCDay() + 6) % 7));
}

function stateOf(row: Row): string {
  if ((row['invoice_id'] ?? null) !== null || (row['sales_invoice_row_id'] ?? null) !== null) return 'billed';
  if (row['is_not_billable'] === true) return 'not-billable';
  return row['exceeded_budget'] === true ? 'over-budget' : 'unbilled';
}
