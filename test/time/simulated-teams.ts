// Random teams, and a plain simulation of their work: no code of svc, every day by itself, every minute of uncertain days.
import type { JsonObject, JsonValue } from '../../src/values/json.ts';
import { randomOf } from '../support/random.ts';
import type { Tables } from './organisation.ts';

const DAY = 86_400_000;
const NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const ZONES = ['Europe/Amsterdam', 'America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'America/St_Johns', 'Australia/Lord_Howe'];

interface Away {
  readonly start: number;
  /** Undefined without an end. */
  readonly end: number | undefined;
  readonly requested: boolean;
  /** The last day, if nobody knows whether the absence includes it. */
  readonly openDay: string | undefined;
}

interface Somebody {
  readonly id: number;
  readonly zone: string;
  readonly active: boolean;
  /** Start and end of each shift, as minutes of the day, by weekday from Monday on. Undefined if the record does not show them. */
  readonly shifts: readonly (readonly (readonly [number, number])[])[] | undefined;
  readonly away: readonly Away[];
  readonly freeDays: ReadonlySet<string>;
}

interface Work {
  readonly user: number | null;
  readonly date: string;
  readonly minutes: number;
}

interface Team {
  readonly budget: number;
  readonly size: number;
  readonly work: readonly Work[];
}

export interface Teams {
  readonly tables: Tables;
  readonly teams: readonly Team[];
  readonly people: ReadonlyMap<number, Somebody>;
  readonly holidays: ReadonlySet<string>;
  /** The current day of the viewer, who is in Amsterdam. */
  readonly today: string;
  readonly now: number;
}

/** Adds days to a date. */
export function plus(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

export function mondayBefore(date: string): string {
  return plus(date, -weekday(date));
}

/** Makes teams from a seed: part-timers, breaks, nights, zones, leave of every kind, and records that hide something. */
export function makeTeams(now: number, count: number, seed: number): Teams {
  const random = randomOf(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const chance = (share: number) => random() < share;
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const today = localDay(now, 'Europe/Amsterdam');
  const rows: Record<'users' | 'absences' | 'free-days' | 'worklogs' | 'budgets', JsonObject[]> = {
    users: [{ id: 1, name: 'Viewer', role: 'admin', timezone: 'Europe/Amsterdam', working_hours: null, is_active: true }],
    absences: [],
    'free-days': [],
    worklogs: [],
    budgets: [],
  };
  const people = new Map<number, Somebody>();
  const holidays = new Set(Array.from({ length: 14 }, (_, index) => plus(today, index < 3 ? -below(28) : below(400))));

  function absence(user: number, zone: string): Away[] {
    const first = plus(today, below(150) - 45);
    const last = plus(first, pick([0, 0, 1, 4, 13, 40]));
    const status = pick(['approved', 'approved', 'approved', 'approved', 'requested', 'declined']);
    const kind = pick(['whole', 'whole', 'whole', 'part', 'part', 'midnight', 'date', 'running']);
    const start = utc(first, kind === 'part' ? 60 * below(24) : 0, zone);
    const end = {
      whole: utc(plus(last, 1), 0, zone) - 1_000,
      part: utc(last, 0, zone) + 60_000 * (600 + below(600)),
      midnight: utc(plus(last, 1), 0, zone),
      date: utc(plus(last, 1), 0, zone),
      running: undefined,
    }[kind];
    if (end !== undefined && end <= start) return [];
    const written = kind === 'date' ? plus(last, 0) : end === undefined ? null : iso(end);
    rows.absences.push({ id: rows.absences.length + 1, user_id: user, type: 'vacation', status, start: iso(start), end: written });
    const openDay = kind === 'midnight' ? plus(last, 1) : kind === 'date' ? last : undefined;
    return status === 'declined' ? [] : [{ start, end, requested: status === 'requested', openDay }];
  }

  function person(): number {
    const id = rows.users.length + 1;
    const zone = pick(ZONES);
    const [shifts, written] = hours(below, chance);
    const active = !chance(0.04);
    rows.users.push({ id, name: `Person ${id}`, role: 'employee', timezone: zone, working_hours: written, is_active: active });
    const away = Array.from({ length: below(3) }, () => absence(id, zone)).flat();
    const freeDays = new Set(Array.from({ length: below(3) }, () => plus(today, below(120) - 28)));
    for (const date of freeDays) rows['free-days'].push({ id: rows['free-days'].length + 1, name: 'Bridge', date, user_id: id });
    people.set(id, { id, zone, active, shifts, away, freeDays });
    return id;
  }

  const teams = Array.from({ length: count }, (_, index): Team => {
    const budget = index + 1;
    const members = Array.from({ length: 1 + below(5) }, () => (chance(0.1) && people.size > 0 ? pick([...people.keys()]) : person()));
    const from = pick([70, 70, 70, 20, 3]);
    const work = members.flatMap((user) =>
      Array.from(
        { length: below(25) },
        (): Work => ({
          user: chance(0.004) ? null : user,
          date: plus(today, 3 - below(from)),
          minutes: 15 * (1 + below(36)),
        }),
      ),
    );
    for (const { user, date, minutes } of work)
      rows.worklogs.push({ id: rows.worklogs.length + 1, user_id: user, date, minutes, description: '', project_id: 1, budget_id: budget });
    const spent = work.reduce((sum, { minutes }) => sum + minutes, 0);
    const size = Math.max(1, spent + pick([-50, 0, 1, 240, 3_000, 12_000, 40_000, 200_000]) + below(2_000));
    rows.budgets.push({ id: budget, project_id: 1, name: `Budget ${budget}`, budget: size });
    return { budget, size, work };
  });
  const days = [...holidays].map((date, index) => ({ id: index + 1, name: 'Holiday', date }));
  const tables = { ...rows, holidays: days, projects: [{ id: 1, name: 'Harbour', status: 'active', end_date: null }] };
  return { tables, teams, people, holidays, today, now };
}

/** Returns random shifts, and a form of the record that shows them. */
function hours(below: (bound: number) => number, chance: (share: number) => boolean): [Somebody['shifts'], JsonValue] {
  const text = (minutes: number) => `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  if (chance(0.05)) return [undefined, chance(0.5) ? null : 'nine to five, mostly'];
  const shifts = NAMES.map((_, day): [number, number][] => {
    if (chance(day < 5 ? 0.12 : 0.9)) return [];
    if (chance(0.1)) return [[22 * 60, 6 * 60]];
    const start = 30 * (12 + below(8));
    return chance(0.4) ? [[start, start + 225], [start + 270, start + 480]] : [[start, start + 30 * (4 + below(13))]]; // biome-ignore format: shifts
  });
  const strings = shifts.map((day) => day.map(([start, end]) => `${text(start)}-${text(end)}`));
  const objects = shifts.map((day) => day.map(([start, end]) => ({ start: text(start), end: text(end) })));
  const byName = (values: readonly JsonValue[]) => Object.fromEntries(NAMES.map((name, day) => [name, values[day] ?? null]));
  const forms: readonly JsonValue[] = [
    byName(objects),
    byName(strings.map((day) => day.join(', '))),
    objects.flatMap((day, index) => day.map((shift) => ({ day: NAMES[index] ?? '', ...shift }))),
  ];
  const form = forms[below(forms.length)] ?? null;
  return Array.isArray(form) && form.length === 0 ? [undefined, null] : [shifts, form];
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Counts the minutes that a person can work on a day. @param hidden true if the viewer cannot see the leave. */
export function capacityOn({ holidays, now }: Teams, person: Somebody, date: string, hidden: boolean): Bounds | undefined {
  const { zone, away, freeDays } = person;
  if (person.shifts === undefined) return undefined;
  if (holidays.has(date) || freeDays.has(date)) return { least: 0, most: 0 };
  const tomorrow = utc(plus(localDay(now, zone), 1), 0, zone);
  const known = hidden ? [] : away;
  const isIn = (at: number, absence: Away, edge: 'least' | 'most') => {
    const open = absence.openDay === undefined ? absence.end : utc(plus(absence.openDay, edge === 'least' ? 0 : 1), 0, zone);
    const end = open ?? (edge === 'least' ? tomorrow : Number.POSITIVE_INFINITY);
    return absence.start <= at && at < end && (edge === 'most' || !absence.requested);
  };
  let [least, most] = [0, 0];
  for (const [start, end] of person.shifts[weekday(date)] ?? []) {
    const [first, last] = [utc(date, start, zone), utc(end < start ? plus(date, 1) : date, end, zone)];
    // Only days near an absence need each minute.
    if (known.every((absence) => absence.start > last + DAY || (absence.end ?? last) < first - DAY)) {
      most += (last - first) / 60_000;
      least += hidden ? 0 : (last - first) / 60_000;
      continue;
    }
    for (let at = first + 30_000; at < last; at += 60_000) {
      if (!known.some((absence) => isIn(at, absence, 'least'))) most += 1;
      if (!hidden && !known.some((absence) => isIn(at, absence, 'most'))) least += 1;
    }
  }
  return { least, most };
}

interface Simulated {
  readonly earliest: string | null;
  readonly latest: string | null;
  /** For each person who logged time in the weeks of the rate: the id, the minutes, and the capacity in these weeks. */
  readonly people: readonly (readonly [number | null, number, number | null, number | null])[];
}

/** Simulates the work on a budget, day after day. Undefined if nothing is left, or if there is no full week yet. */
export function simulate(teams: Teams, { size, work }: Team, hidden: boolean): Simulated | undefined {
  const { people, today } = teams;
  const left = size - work.reduce((sum, { minutes }) => sum + minutes, 0);
  const monday = mondayBefore(today);
  const first = work.reduce((least, { date }) => (date < least ? date : least), '9999-12-31');
  const start = work.length === 0 || mondayBefore(first) < plus(monday, -28) ? plus(monday, -28) : mondayBefore(first);
  if (left <= 0 || start >= monday) return undefined;
  const inWeeks = work.filter(({ date }) => date >= start && date < monday);
  const users = [...new Set(inWeeks.map(({ user }) => user))].filter((user) => user === null || people.get(user)?.active);
  const shares = users.map((user) => {
    const person = user === null ? undefined : people.get(user);
    const own = inWeeks.filter((entry) => entry.user === user);
    let sum: Bounds | undefined = { least: 0, most: 0 };
    for (let date = start; date < monday; date = plus(date, 1)) {
      const day: Bounds | undefined = person && capacityOn(teams, person, date, hidden);
      const logged = own.reduce((minutes, entry) => minutes + (entry.date === date ? entry.minutes : 0), 0);
      sum = sum && day && { least: sum.least + Math.max(day.least, Math.min(day.most, logged)), most: sum.most + day.most };
    }
    return { user, person, sum, minutes: own.reduce((minutes, entry) => minutes + entry.minutes, 0) };
  });

  const end = (per: 'least' | 'most', takes: 'least' | 'most'): string | null => {
    const parts = shares.filter(({ sum }) => sum !== undefined && sum[per] > 0);
    const product = (except?: object) => parts.reduce((all, part) => (part === except ? all : all * BigInt(part.sum?.[per] ?? 0)), 1n);
    let used = 0n;
    for (let days = 1; days <= 731; days += 1) {
      for (const part of parts) {
        const day = part.person && capacityOn(teams, part.person, plus(today, days), hidden);
        used += BigInt(part.minutes) * BigInt(day?.[takes] ?? 0) * product(part);
      }
      if (used >= BigInt(left) * product()) return plus(today, days);
    }
    return null;
  };
  const isKnown = shares.every(({ sum }) => sum !== undefined && sum.least > 0);
  return {
    earliest: isKnown ? end('least', 'most') : null,
    latest: end('most', 'least'),
    people: shares.map(({ user, minutes, sum }) => [user, minutes, sum?.least ?? null, sum?.most ?? null] as const),
  };
}

function weekday(date: string): number {
  return (new Date(date).getUTCDay() + 6) % 7;
}

function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  const key = `${zone} ${Math.floor(ms / 1_800_000)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium', calendar: 'gregory' });
  formats.set(zone, format);
  const at = Math.floor(ms / 1_800_000) * 1_800_000;
  const offset = Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at;
  offsets.set(key, offset);
  return offset;
}

function localDay(ms: number, zone: string): string {
  return new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, 10);
}

/** Returns the time of a minute of a day in a zone. A skipped minute becomes the minute after the gap; of a repeated one, the first counts. */
function utc(date: string, minute: number, zone: string): number {
  const local = Date.parse(date) + minute * 60_000;
  const [before, after] = [offsetAt(local - DAY, zone), offsetAt(local + DAY, zone)];
  const fits = [before, after].filter((offset) => offsetAt(local - offset, zone) === offset);
  return local - (fits[0] ?? before);
}
