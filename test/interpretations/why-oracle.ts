import { localDate } from '../../src/sandbox/dates.ts';
import { ORGANISATION_ZONE } from '../../src/sandbox/resources/fields.ts';
import type { Row } from '../../src/sandbox/start.ts';
import type { Judge } from './judge.ts';
import type { Place } from './place.ts';
import { type Days, daysOf, loggedIn, minutesAway, shiftOn, shownAbsence, workingMinutes } from './truth.ts';

/** A step as svc prints it. */
export interface Step {
  readonly kind: string;
  readonly rule: string | null;
  readonly reason: string;
  readonly resource: string | null;
  readonly id: number | null;
  readonly link: string | null;
  readonly date: string | null;
  readonly minutes: number | null;
  readonly amount?: string | null;
}

/** Words with which svc reports that a figure has several meanings. */
const UNCERTAIN =
  /not clear|reads the working hours|does not know|not known|cannot (?:be )?(?:read|see)|svc assumes|are incomplete|knows neither|names? no time zone/;

export function sumOf(steps: readonly Step[]): number | null {
  return steps.reduce<number | null>((sum, { minutes }) => (sum === null || minutes === null ? null : sum + minutes), 0);
}

export function idsOf(steps: readonly Step[], ...kinds: readonly string[]): (readonly [number | null, number | null])[] {
  return steps
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ id, minutes }) => [id, minutes] as const)
    .sort(([one], [other]) => (one ?? 0) - (other ?? 0));
}

export function pairs(rows: readonly Row[], minutesOf: (row: Row) => number): (readonly [number, number])[] {
  return rows.map((row) => [row.id, minutesOf(row)] as const).sort(([one], [other]) => one - other);
}

function zoneOf(person: Row): string {
  return typeof person['timezone'] === 'string' ? person['timezone'] : ORGANISATION_ZONE;
}

/** Returns true if svc reports that the figures of a person have several meanings. A line about other people does not count. */
function isUncertainAbout({ result }: Judge, place: Place, person: Row): boolean {
  const others = place.rows('users').filter(({ id }) => id !== person.id);
  const names = (line: string, row: Row) => line.includes(String(row['name']));
  return result.stderr
    .split('\n')
    .some((line) => UNCERTAIN.test(line) && (names(line, person) || !others.some((other) => names(line, other))));
}

/** Judges the steps of one day of a person. The sign is 1 for missing time, and -1 for a balance. */
export function judgeDay(
  judge: Judge,
  place: Place,
  person: Row,
  date: string,
  all: readonly Step[],
  sign: 1 | -1,
  isLeftOut = false,
): void {
  const steps = all.filter((step) => step.date === date);
  const zone = zoneOf(person);
  const isUncertain = isUncertainAbout(judge, place, person);
  const either = (what: string, seen: unknown, truth: unknown) => {
    if (JSON.stringify(seen) === JSON.stringify(truth)) return true;
    if (isUncertain) judge.unknown();
    else judge.same(`${what} on ${date}`, seen, truth);
    return false;
  };
  if (isLeftOut) {
    either('no steps of a later day', steps, []);
    return;
  }
  const worklogs = loggedIn(place.rows('worklogs'), { first: date, last: date }).filter((row) => row['user_id'] === person.id);
  // A hidden worklog can belong to the person. An unknown step then says so.
  const seen = new Set(steps.map(({ id }) => id));
  const isHiding = all.some(({ kind }) => kind === 'hidden-entries');
  judge.same(
    `worklogs on ${date}`,
    idsOf(steps, 'worklog'),
    pairs(
      worklogs.filter(({ id }) => !isHiding || seen.has(id)),
      ({ minutes }) => 0 - sign * Number(minutes),
    ),
  );
  const working = workingMinutes(person, date);
  const hours = steps.filter(({ kind }) => kind === 'working-hours' || kind === 'unknown-hours');
  if (
    !either(
      'working hours',
      working === undefined ? hours.map(({ kind }) => kind) : sumOf(hours),
      working === undefined ? ['unknown-hours'] : sign * working,
    )
  )
    return;
  const off = (resource: string) =>
    place.rows(resource).filter((row) => row['date'] === date && [null, person.id].includes((row['user_id'] ?? null) as null));
  const [holidays, freeDays] = [off('holidays'), off('free-days')];
  const [seenHolidays, seenFree, absences] = ['holiday', 'free-day', 'absence'].map((kind) =>
    steps.filter((step) => step.kind === kind),
  ) as [Step[], Step[], Step[]];
  const isOff = holidays.length + freeDays.length > 0;
  if (working === undefined) return void judge.same(`days off and leave on ${date}`, [...seenHolidays, ...seenFree, ...absences], []);
  const ids = (some: readonly { readonly id: number | null }[]) => some.map(({ id }) => id).sort();
  if (!either('holidays', ids(seenHolidays), ids(holidays)) || !either('free days', ids(seenFree), ids(freeDays))) return;
  if (isOff) {
    judge.same(`time of days off on ${date}`, sumOf([...seenHolidays, ...seenFree]), 0 - sign * working);
    judge.same(`absences on a day off ${date}`, absences, []);
  } else judgeAbsences(either, place, person, date, absences, sign);
  const rest = steps.filter(({ kind }) => kind === 'above-target' || kind === 'later-day');
  if (sign === -1) return void judge.same(`limits of a balance on ${date}`, rest, []);
  const sum = sumOf(steps.filter((step) => !rest.includes(step))) ?? 0;
  const isLater = date > localDate(place.now(), zone);
  const meant = sum < 0 ? [['above-target', -sum]] : sum > 0 && isLater ? [['later-day', -sum]] : [];
  either(
    'limit',
    rest.map(({ kind, minutes }) => [kind, minutes]),
    meant,
  );
}

function judgeAbsences(
  either: (what: string, seen: unknown, truth: unknown) => boolean,
  place: Place,
  person: Row,
  date: string,
  steps: readonly Step[],
  sign: 1 | -1,
): void {
  const zone = zoneOf(person);
  const shift = shiftOn(person, date, zone);
  const own = absencesOf(place, person).map((row) => shownAbsence(row, place.combination.absenceBounds, zone));
  const taking = shift ? own.filter((row) => minutesAway(shift, [row]) > 0) : [];
  const taken = shift ? minutesAway(shift, own) : 0;
  if (!either('time of absences', 0 - (sumOf(steps) ?? 0) * sign, taken)) return;
  // A step without time is only about a last day that the record leaves open.
  const closed = steps.filter(({ minutes, reason }) => minutes !== 0 || !reason.includes('whether this last day is included'));
  const ids = (some: readonly { readonly id: number | null }[]) => some.map(({ id }) => id).sort();
  const open = steps.filter((step) => !closed.includes(step) && taking.some((row) => row.id === step.id));
  either('absences', ids([...closed, ...open]), ids(taking));
  for (const { id, minutes } of shift ? steps : []) {
    const row = taking.find((one) => one.id === id);
    either(`most of absence ${id}`, Math.abs(minutes ?? 0) <= (row === undefined || !shift ? 0 : minutesAway(shift, [row])), true);
  }
}

function absencesOf(place: Place, person: Row): Row[] {
  return place.rows('absences').filter((row) => row['user_id'] === person.id && row['status'] !== 'declined');
}

/** Judges the steps without a day, and that no step is on another day. */
export function judgeRest(judge: Judge, steps: readonly Step[], dates: readonly string[]): void {
  const rest = steps.filter(({ date }) => date === null || !dates.includes(date));
  const hidden = rest.filter(({ kind }) => kind === 'hidden-leave' || kind === 'hidden-entries');
  judge.same(
    'steps on no day',
    rest.filter((step) => !hidden.includes(step) && step.kind !== 'nothing').map(({ kind, date }) => `${kind} ${date}`),
    [],
  );
  for (const { kind, minutes } of hidden) {
    judge.same(`minutes of ${kind}`, minutes, null);
    judge.sameOrSaid(kind, kind, undefined, /cannot|not all|does not show|without|leaves out/);
    judge.unknown();
  }
}

/** Judges the steps of used leave day by day: approved absences count before requested ones. */
export function judgeLeave(judge: Judge, place: Place, person: Row, range: Days, steps: readonly Step[], figure: string): void {
  const zone = zoneOf(person);
  const today = localDate(place.now(), zone);
  const own = absencesOf(place, person)
    .map((row) => shownAbsence(row, place.combination.absenceBounds, zone))
    .map((row) => (row['end'] === null ? ({ ...row, end: `${today}T23:59:59Z` } as Row) : row));
  const hasRunning = absencesOf(place, person).some((row) => row['end'] === null);
  const granted = own.filter(({ status }) => status !== 'requested');
  const off = new Set(
    [...place.rows('holidays'), ...place.rows('free-days')]
      .filter((row) => [null, person.id].includes((row['user_id'] ?? null) as null))
      .map(({ date }) => date),
  );
  const either = (what: string, seen: unknown, truth: unknown) => {
    if (seen !== truth && isUncertainAbout(judge, place, person)) judge.unknown();
    else judge.same(`${what} of ${figure}`, seen, truth);
  };
  if (steps.some(({ minutes }) => minutes === null)) {
    judge.unknown();
    return;
  }
  const counted = steps.filter(({ kind }) => kind !== 'nothing');
  const kinds = figure === 'requested_minutes' ? own.filter(({ status }) => status === 'requested') : granted;
  for (const { kind, id, date } of counted) {
    judge.same(`kind of ${id}`, kind, 'absence');
    either(
      `absence ${id}`,
      kinds.some((row) => row.id === id),
      true,
    );
    if (figure !== 'requested_minutes') judge.same(`side of today of ${date}`, String(date) <= today, figure === 'taken_minutes');
  }
  // A running absence counts to the end of today in the zone of the person.
  if (hasRunning) return;
  for (const date of daysOf(range)) {
    const shift = shiftOn(person, date, zone);
    const all = shift && !off.has(date) ? minutesAway(shift, own) : 0;
    const approved = shift && !off.has(date) ? minutesAway(shift, granted) : 0;
    const isIn = date <= today === (figure === 'taken_minutes');
    const truth = figure === 'requested_minutes' ? all - approved : isIn ? approved : 0;
    either(`leave on ${date}`, sumOf(counted.filter((step) => step.date === date)), truth);
  }
}
