// An organisation with correct hours, and ways to inject mistakes. The code follows the promise of each check, and not the check’s code.
import { dayStart, HOUR, utcSecond } from '../../src/sandbox/dates.ts';
import { createRandom } from '../../src/sandbox/seed/seeding.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { type Tables, week } from './organisation.ts';

/** The range from Sunday 1 February to Tuesday 31 March 2026. At noon in UTC, the 31st is the current day for everybody here. */
export const RANGE = { first: '2026-02-01', last: '2026-03-31' };
export const NOW = '2026-03-31T12:00:00Z';
/** A day 45 days before the end of the range. */
const OLD = '2026-02-14';
const HOLIDAY = '2026-03-17';

/** An expected finding as one line. */
export type Expected = string;

type Entry = { -readonly [K in keyof JsonObject]: JsonObject[K] } & {
  readonly id: number;
  user_id: number;
  date: string;
  minutes: number;
  description: string;
};

interface Somebody {
  readonly id: number;
  readonly zone: string;
  /** The minutes of each weekday, Monday first. */
  readonly minutes: readonly number[];
  /** The times of a working day: the start, the middle and the end. */
  readonly clock: readonly [from: number, to: number];
  readonly free: readonly string[];
}

const ZONES = ['Europe/Amsterdam', 'Asia/Tokyo', 'America/Bogota', 'Asia/Kolkata', 'America/St_Johns', 'Africa/Lagos', 'Europe/Dublin'];
const KINDS = ['full', 'full', 'no Wednesday', 'mornings', 'long'] as const;

function somebody(id: number): Somebody {
  const kind = KINDS[id % KINDS.length] ?? 'full';
  const clock = kind === 'mornings' ? ([9, 13] as const) : kind === 'long' ? ([8, 17] as const) : ([9, 17] as const);
  const free = kind === 'no Wednesday' ? ['wednesday'] : [];
  const length = (clock[1] - clock[0]) * 60;
  const minutes = [0, 1, 2, 3, 4, 5, 6].map((day) => (day > 4 || (day === 2 && free.length > 0) ? 0 : length));
  return { id, zone: ZONES[id % ZONES.length] ?? 'UTC', minutes, clock, free };
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
const timestamp = (date: string, hour: number, zone: string) => utcSecond(dayStart(date, zone) + hour * HOUR);

function daysOf(): string[] {
  const days: string[] = [];
  for (let at = Date.parse(RANGE.first); at <= Date.parse(RANGE.last); at += 24 * HOUR) days.push(utcSecond(at).slice(0, 10));
  return days;
}

/** The rows, and their mistakes. */
export interface InjectedMistakes {
  readonly tables: Tables;
  readonly expected: readonly Expected[];
}

/** Creates an organisation with mistakes. @param count number of mistakes. */
export function injectMistakes(seed: number, people: number, count: number): InjectedMistakes {
  const random = createRandom(seed);
  const staff = Array.from({ length: people }, (_, index) => somebody(index + 1));
  const entries: Entry[] = [];
  const absences: JsonObject[] = [];
  const freeDays: JsonObject[] = [];
  const timers: JsonObject[] = [];
  const projects: JsonObject[] = [1, 2, 3].map((id) => ({
    id,
    name: `Project ${id}`,
    status: 'active',
    end_date: id === 1 ? RANGE.last : null,
  }));
  const budgets: (JsonObject & { readonly id: number; readonly slack: number })[] = [{ id: 1, name: 'Ample', project_id: 1, slack: 60 }];
  const rows: (JsonObject & { readonly id: number; readonly off: number })[] = [{ id: 1, name: 'Everything', sales_invoice_id: 1, off: 0 }];
  const expected: Expected[] = [];
  const next = (list: readonly JsonObject[]) => list.length + 1;
  const add = (user: number, date: string, minutes: number, more: JsonObject = {}): Entry => {
    const id = entries.length + 1;
    const entry = {
      id,
      user_id: user,
      date,
      minutes,
      description: `Work ${id}`,
      project_id: random.integer(1, 3),
      work_item_id: null,
      budget_id: random.chance(0.2) ? 1 : null,
      task_id: null,
      is_overtime: false,
      is_not_billable: false,
      exceeded_budget: false,
      reviewed_by: 1,
      invoice_id: null,
      sales_invoice_row_id: 1,
      ...more,
    } as unknown as Entry;
    entries.push(entry);
    return entry;
  };
  const found = (
    kind: string,
    user: number | null,
    date: string | null,
    minutes: number | null,
    noun: string,
    of: readonly number[],
  ): void => {
    expected.push(JSON.stringify([kind, user, date, minutes, noun, [...of].sort((a, b) => a - b)]));
  };

  // These rows are correct.
  const cells: { readonly who: Somebody; readonly date: string; readonly length: number; readonly own: Entry[] }[] = [];
  for (const who of staff) {
    // Three days of leave, the second of them half a day: requested, approved, or lasting over a weekend.
    const week = who.id <= 2 ? 6 : random.integer(0, 6);
    for (const [index, date] of daysOf().entries()) {
      const length = who.minutes[(index + 6) % 7] ?? 0;
      if (date === HOLIDAY || length === 0) continue;
      const isLeave = Math.floor((index + 6) / 7) === week;
      const half = Math.floor((who.clock[0] + who.clock[1]) / 2);
      if (isLeave && index % 7 === 2) {
        absences.push({
          user_id: who.id,
          type: 'vacation',
          status: 'approved',
          start: timestamp(date, 0, who.zone),
          end: utcSecond(Date.parse(timestamp(date, 24, who.zone)) - 1000),
        });
        continue;
      }
      const off = isLeave && index % 7 === 4 ? (who.clock[1] - half) * 60 : 0;
      if (off > 0)
        absences.push({
          user_id: who.id,
          type: 'special',
          status: 'requested',
          start: timestamp(date, half, who.zone),
          end: timestamp(date, who.clock[1], who.zone),
        });
      const first = random.integer(1, Math.floor((length - off) / 30) - 1) * 15;
      const own = [add(who.id, date, first), add(who.id, date, length - off - first)];
      if (!isLeave) cells.push({ who, date, length, own });
    }
  }
  // These rows only look wrong: the same text elsewhere, overtime beside normal hours, and declined leave. A timer of today and a late but
  // short day are correct too.
  absences.push({
    user_id: 1,
    type: 'vacation',
    status: 'declined',
    start: timestamp('2026-02-02', 0, 'Asia/Tokyo'),
    end: timestamp('2026-02-04', 0, 'Asia/Tokyo'),
  });
  freeDays.push({ name: 'Of somebody else', date: '2026-02-03', user_id: people + 1 });
  timers.push({ id: 1, user_id: 1, project_id: 1, description: '', started_at: '2026-03-31T06:00:00Z' });
  for (const more of [{ is_overtime: true }, { project_id: 2, is_overtime: false }, { project_id: 3 }])
    add(1, '2026-02-02', 10, { description: 'Alike', project_id: 1, ...more });
  add(2, '2026-02-03', 15, { invoice_id: 9, sales_invoice_row_id: null });
  add(2, '2026-02-04', 15, { is_not_billable: true, sales_invoice_row_id: null });
  add(2, '2026-02-16', 15, { sales_invoice_row_id: null });

  // These rows are wrong, each on a separate day.
  const free = cells.filter(({ who, date }) => who.id > 2 || date > '2026-02-16');
  const take = (fits: (cell: (typeof cells)[number]) => boolean = () => true) => {
    const at = random.integer(0, free.length - 1);
    const index = [...free.keys()].find((offset) => fits(free[(at + offset) % free.length] as (typeof cells)[number]));
    const place = (at + (index ?? 0)) % free.length;
    return free.splice(place, 1)[0] as (typeof cells)[number];
  };
  const ids = (some: readonly Entry[]) => some.map(({ id }) => id);
  const sum = (some: readonly Entry[]) => some.reduce((total, { minutes }) => total + minutes, 0);
  const drop = (some: readonly Entry[]) => {
    for (const entry of some) entry.user_id = 0;
  };
  const unreviewed = new Set<number>();
  const feasted = new Set<number>();
  const makeProject = (more: JsonObject) => {
    const id = next(projects);
    projects.push({ id, name: `Project ${id}`, status: 'active', end_date: null, ...more });
    return id;
  };
  const WAYS: readonly ((variant: number) => void)[] = [
    (variant) => {
      const { who, date, length, own } = take();
      const [first, second] = own as [Entry, Entry];
      if (variant === 0) {
        drop(own);
        found('missing-hours', who.id, date, length, 'worklogs', []);
        return;
      }
      const short = random.integer(1, first.minutes - 1);
      first.minutes -= short;
      found('missing-hours', who.id, date, short, 'worklogs', ids([first, second]));
    },
    (variant) => {
      const { who, date, own } = take();
      if (variant === 0) freeDays.push({ name: 'A day off', date, user_id: who.id });
      else if (variant === 1)
        absences.push({
          user_id: who.id,
          type: 'sick',
          status: 'approved',
          start: timestamp(date, 0, who.zone),
          end: utcSecond(Date.parse(timestamp(date, 24, who.zone)) - 1000),
        });
      else {
        // The afternoon is the day without its morning.
        absences.push({
          user_id: who.id,
          type: 'sick',
          status: 'approved',
          start: timestamp(date, 11, who.zone),
          end: timestamp(date, who.clock[1], who.zone),
        });
        found('hours-on-leave', who.id, date, sum(own) - (11 - who.clock[0]) * 60, 'worklogs', ids(own));
        return;
      }
      found('hours-on-leave', who.id, date, sum(own), 'worklogs', ids(own));
    },
    () => {
      const who = staff.find(({ id }) => !feasted.has(id));
      if (who === undefined) return WAYS[0]?.(0);
      feasted.add(who.id);
      const entry = add(who.id, HOLIDAY, 90);
      found('hours-on-leave', who.id, HOLIDAY, 90, 'worklogs', [entry.id]);
    },
    (variant) => {
      const { who, date, own } = take();
      if (variant === 0) {
        const more = add(who.id, date, 24 * 60 - sum(own) + random.integer(1, 90));
        found('impossible-day', who.id, date, sum([...own, more]), 'worklogs', ids([...own, more]));
        return;
      }
      const less = variant === 1 ? 0 : -15;
      (own[0] as Entry).minutes -= less;
      const entry = add(who.id, date, less);
      found('impossible-day', who.id, date, less, 'worklogs', [entry.id]);
    },
    (variant) => {
      const { who, date, own } = take();
      const [first] = own as [Entry];
      const copies = Array.from({ length: variant === 0 ? 2 : 1 }, (_, index) => {
        const copy = add(who.id, date, first.minutes, { ...first, id: entries.length + 1 });
        if (index > 0) copy.description = ` ${first.description} `;
        return copy;
      });
      found('duplicate', who.id, date, first.minutes * copies.length, 'worklogs', ids([first, ...copies]));
    },
    () => {
      const { who, date, own } = take();
      const [first] = own as [Entry];
      Object.assign(first, { project_id: null, budget_id: null });
      found('no-project', who.id, date, first.minutes, 'worklogs', [first.id]);
    },
    () => {
      const { who, date, own } = take((cell) => cell.date < OLD);
      Object.assign(own[0] as Entry, { project_id: makeProject({}), sales_invoice_row_id: null, budget_id: null });
      found('not-billed', who.id, date, (own[0] as Entry).minutes, 'worklogs', [(own[0] as Entry).id]);
    },
    () => {
      const { own } = take();
      const id = next(rows);
      const off = random.pick([-30, -1, 1, 45]);
      rows.push({ id, name: `Row ${id}`, sales_invoice_id: 1, off });
      for (const entry of own) entry['sales_invoice_row_id'] = id;
      found('row-differs', null, null, off, 'sales-invoice-rows', [id]);
    },
    (variant) => {
      const { own } = take();
      const id = next(budgets);
      const over = variant === 0 ? null : random.integer(1, sum(own) - 1);
      budgets.push({ id, name: `Budget ${id}`, project_id: 1, slack: over === null ? 30 : -over });
      for (const entry of own) Object.assign(entry, { budget_id: id, exceeded_budget: over === null });
      found('over-budget', null, null, over, 'budgets', [id]);
    },
    () => {
      const who = random.pick(staff);
      const date = `2026-03-${random.integer(10, 30)}`;
      const id = next(timers);
      timers.push({ id, user_id: who.id, project_id: 1, description: '', started_at: timestamp(date, 10, who.zone) });
      found('timer-running', who.id, date, (Date.parse(NOW) - Date.parse(timestamp(date, 10, who.zone))) / 60_000, 'timers', [id]);
    },
    () => {
      const who = random.pick(staff);
      const date = `2026-0${random.integer(4, 9)}-${random.integer(10, 28)}`;
      const entry = add(who.id, date, 60);
      found('future-date', who.id, date, 60, 'worklogs', [entry.id]);
    },
    (variant) => {
      const { who, date, own } = take((cell) => cell.date > '2026-02-10');
      const project = makeProject(variant === 0 ? { status: 'on-hold' } : { end_date: '2026-02-10' });
      Object.assign(own[1] as Entry, { project_id: project, budget_id: null });
      found('project-ended', who.id, date, (own[1] as Entry).minutes, 'worklogs', [(own[1] as Entry).id]);
    },
    () => {
      const { who, date, own } = take((cell) => !unreviewed.has(cell.who.id));
      unreviewed.add(who.id);
      for (const entry of own) entry['reviewed_by'] = null;
      found('not-reviewed', who.id, date, sum(own), 'worklogs', ids(own));
    },
  ];
  for (let index = 0; index < count; index += 1) {
    const way = index % WAYS.length;
    // A person gets one finding, regardless of the number of unreviewed entries.
    const isOver = way === WAYS.length - 1 && unreviewed.size === people;
    WAYS[isOver ? 0 : way]?.(Math.floor(index / WAYS.length) % 3);
  }
  const kept = entries.filter(({ user_id: user }) => user !== 0);
  const of = (field: string, id: number) => sum(kept.filter((entry) => entry[field] === id));
  const numbered = (list: readonly JsonObject[]) => list.map((row, index) => ({ id: index + 1, ...row }));
  const tables = {
    users: staff.map((who) => ({
      id: who.id,
      name: `Person ${who.id}`,
      role: who.id === 1 ? 'admin' : 'employee',
      timezone: who.zone,
      manager_id: who.id > 1 ? 1 : null,
      working_hours: week(clock(who.clock[0]), clock(who.clock[1]), who.free),
      is_active: true,
    })),
    absences: numbered(absences),
    holidays: [{ id: 1, name: 'Town fair', date: HOLIDAY }],
    'free-days': numbered(freeDays),
    timers,
    projects,
    budgets: budgets.map(({ slack, ...budget }) => ({ ...budget, budget: of('budget_id', budget.id) + slack })),
    'sales-invoices': [{ id: 1, status: 'sent', customer_id: null }],
    'sales-invoice-rows': rows.map(({ off, ...row }) => ({ ...row, billable_minutes: of('sales_invoice_row_id', row.id) + off })),
    worklogs: kept,
  };
  return { tables: tables as unknown as Tables, expected };
}
