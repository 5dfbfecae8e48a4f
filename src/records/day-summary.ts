import { ForbiddenError, NotFoundError, SvcError } from '../errors.ts';
import { openCachedRecords } from '../session/cached-records.ts';
import type { Needs } from '../session/context.ts';
import { addDays } from '../time/calendar.ts';
import { computeDay, type Day } from '../time/day.ts';
import { type Absence, isTurnedDown, readAbsence } from '../time/leave.ts';
import { type DateContext, endOfDay, startOfDay, today } from '../values/dates.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { phaseNamed } from '../values/statuses.ts';
import { loadTemporal } from '../values/temporal.ts';
import { compareTexts } from '../values/text.ts';
import { type AbsenceSearch, absenceFilters, isNear } from './absences.ts';
import { DETAIL } from './all-rows.ts';
import { type DaySummaryQuery, type Known, readDaySummaryPage } from './day-summary-page.ts';
import { ownUserIdIfKnown } from './me.ts';
import { type Person, readPerson } from './people.ts';

export interface DaySummary {
  readonly dates: DateContext;
  /** The current date in the user’s time zone, `YYYY-MM-DD`. */
  readonly date: string;
  readonly userId: number | undefined;
  readonly person: Known<Person>;
  readonly logged: Known<number>;
  /**
   * The expected work of the current day, from the working hours and the user’s own absences. Does not consider public holidays and free
   * days.
   */
  readonly day: Known<Omit<Day, 'steps'>>;
  readonly timers: Known<readonly JsonObject[]>;
  readonly items: Known<readonly DaySummaryItem[]>;
  readonly away: Known<readonly Away[]>;
  readonly outbox: Known<{ readonly waiting: number; readonly unknown: number }>;
}

export interface DaySummaryItem {
  readonly record: JsonObject;
  readonly status: string | undefined;
  readonly inProgress: boolean;
  /** The due date, `YYYY-MM-DD`. Null means no due date. Undefined means that the service does not show the field. */
  readonly due: string | null | undefined;
}

export interface Away {
  readonly userId: number | undefined;
  readonly name: string | undefined;
  readonly absence: Absence;
  /** True if the absence ends today, and svc does not know whether the last day counts (rule 18.34). */
  readonly perhaps: boolean;
}

const SOON_DAYS = 7;

/**
 * Reads the day summary of the signed-in user. Data that the user can’t see (403 or 404) is unknown, and so is an unreadable outbox. Throws
 * every other error.
 */
export async function readDaySummary(
  context: Needs<'account' | 'client' | 'clock' | 'env' | 'files' | 'host' | 'journal' | 'paths' | 'timeZone'>,
): Promise<DaySummary> {
  const [account, temporal] = await Promise.all([context.account(), loadTemporal()]);
  const reading = readKnown(() => readPerson(context, 'me'));
  const outbox = readOutbox(context);
  // If svc has not stored the user and the time zone, svc takes them from the user’s record.
  const isKnown = account?.user_id !== undefined && account.timezone !== undefined;
  const first = isKnown ? undefined : knownOf(await reading);
  const timeZone = first?.timeZone ?? (await context.timeZone());
  const dates: DateContext = { now: context.clock.now(), timeZone, temporal };
  const userId = account?.user_id ?? first?.id;
  const date = today(dates);

  const [person, entries, timers, items, absences, waiting] = await Promise.all([
    reading,
    readToday(context, userId, date),
    ownRows(context, userId, {
      path: '/timers',
      query: DETAIL,
      owner: 'user_id',
      assumedIncludes: ['project', 'work_item'],
    }),
    ownRows(context, userId, {
      path: '/work-items',
      query: DETAIL,
      owner: 'assignee_id',
      assumedIncludes: ['workflow_status'],
    }),
    readAbsences(context, date, dates),
    outbox,
  ]);
  const [statuses, users] = await Promise.all(['workflow-statuses', 'users'].map((noun) => cachedNames(context, noun)));
  return {
    dates,
    date,
    userId,
    person,
    logged: entries,
    day: dayOf(person, entries, absences, userId, date, dates),
    timers,
    items: mapKnown(items, (rows) => itemsOf(rows.map(withStatus(statuses)), date, dates)),
    away: mapKnown(absences, (rows) =>
      rows
        .filter((away) => coversToday(away, date, dates))
        .map((away) => ({ ...away, name: away.name ?? users?.get(String(away.userId)) })),
    ),
    outbox: waiting,
  };
}

const NO_ID: Known<never> = { why: 'The service does not show who you are.' };

async function readToday(context: Needs<'client'>, userId: number | undefined, date: string): Promise<Known<number>> {
  if (userId === undefined) return NO_ID;
  return mapKnown(await ownEntriesOn(context, userId, date), (rows) => rows.reduce((sum, row) => sum + Number(row['minutes']), 0));
}

/**
 * Reads the user’s own worklogs of a day. If svc cannot filter by user, svc reads the detail view and compares the user. The fields of a
 * summary are not documented (rule 18.23).
 */
export async function ownEntriesOn(context: Needs<'client'>, userId: number, date: string): Promise<Known<readonly JsonObject[]>> {
  const page = await readDaySummaryPage(context, {
    path: '/worklogs',
    query: (has) => (has('filter[user_id]') ? [] : DETAIL),
    assumedFilters: [
      ['filter[date][gte]', date],
      ['filter[date][lte]', date],
      ['filter[user_id]', String(userId)],
    ],
  });
  if ('why' in page) return page;
  const { rows, complete, filteredBy } = page.value;
  const byUser = filteredBy('filter[user_id]');
  const unsure = rows.some((row) => typeof row['minutes'] !== 'number' || (!byUser && row['user_id'] === undefined));
  if (!complete || unsure) return { why: 'The service cannot filter your hours of a day; svc week reads all hours.' };
  return { value: rows.filter((row) => scalarText(row['date']).slice(0, 10) === date && (row['user_id'] ?? userId) === userId) };
}

async function ownRows(
  context: Needs<'client'>,
  userId: number | undefined,
  { owner, ...summaryQuery }: DaySummaryQuery & { readonly owner: string },
): Promise<Known<readonly JsonObject[]>> {
  if (userId === undefined) return NO_ID;
  const filter = `filter[${owner}]`;
  const noun = summaryQuery.path.slice(1);
  const page = await readDaySummaryPage(context, { ...summaryQuery, assumedFilters: [[filter, String(userId)]] });
  if ('why' in page) return page;
  const { rows, complete, filteredBy } = page.value;
  if (!filteredBy(filter) && (!complete || rows.some((row) => row[owner] === undefined)))
    return { why: `The service cannot filter ${noun.replaceAll('-', ' ')} by user; see svc ${noun} list.` };
  if (!complete) return { why: `You have more than 100 ${noun.replaceAll('-', ' ')}; see svc ${noun} list --mine.` };
  return { value: rows.filter((row) => (row[owner] ?? userId) === userId || row[owner] === undefined) };
}

async function readAbsences(context: Needs<'client'>, date: string, dates: DateContext): Promise<Known<readonly Away[]>> {
  const search = { latest: endOfDay(date, dates), earliest: startOfDay(date, dates) };
  const page = (which: AbsenceSearch['which']) =>
    readDaySummaryPage(context, {
      path: '/absences',
      query: DETAIL,
      assumedFilters: absenceFilters({ ...search, which }),
      assumedIncludes: ['user'],
    });
  const isOne = (which: AbsenceSearch['which']) => (row: JsonObject) => isNear(row, { ...search, which });
  const [ending, running] = await Promise.all([page('ending'), page('running')]);
  if ('why' in ending) return ending;
  if ('why' in running) return running;
  if (!ending.value.complete || !running.value.complete)
    return { why: 'More than 100 absences include today; see svc absences list --from today --to today.' };
  const found = [...running.value.rows.filter(isOne('running')), ...ending.value.rows.filter(isOne('ending'))];
  const real = found.filter((record) => !isTurnedDown(record));
  const read = real.flatMap((record) => {
    const absence = readAbsence(record, dates);
    return absence === undefined ? [] : [awayOf(record, absence, date)];
  });
  return read.length === real.length
    ? { value: read }
    : { why: 'svc cannot read the start or the end of some absences; see svc absences list.' };
}

function awayOf(record: JsonObject, absence: Absence, date: string): Away {
  const { user, user_id: id } = record;
  const name = isJsonObject(user) ? scalarText(user['name']) : '';
  return {
    userId: typeof id === 'number' ? id : undefined,
    name: name === '' ? undefined : name,
    absence,
    perhaps: absence.openDay?.date === date,
  };
}

function coversToday({ absence: { start, end }, perhaps }: Away, date: string, dates: DateContext): boolean {
  return perhaps || (start <= Date.parse(endOfDay(date, dates)) && end > Date.parse(startOfDay(date, dates)));
}

/**
 * Returns the expected work of the day. If an absence does not show its user, the result is unknown, because the absence may be the user’s
 * own.
 */
function dayOf(
  person: Known<Person>,
  logged: Known<number>,
  absences: Known<readonly Away[]>,
  userId: number | undefined,
  date: string,
  dates: DateContext,
): DaySummary['day'] {
  if ('why' in person) return person;
  if ('why' in absences) return { why: 'svc does not know your absences of today.' };
  const { hours } = person.value;
  if (hours.kind !== 'read') return { why: 'Your record has no working hours that svc can read.' };
  if (absences.value.some((away) => away.userId === undefined)) return { why: 'The service does not show the users of absences.' };
  const own = absences.value.filter((away) => away.userId === userId);
  if (own.some(({ perhaps }) => perhaps)) return { why: 'svc does not know whether your absence includes today, its last day.' };
  const leave = own.map(({ absence }) => absence);
  const day = computeDay(date, [], { hours: hours.hours, absences: leave, daysOff: [], dates, today: date });
  const sum = knownOf(logged);
  return { value: { ...day, gap: sum === undefined || day.target === undefined ? undefined : Math.max(0, day.target - sum) } };
}

function itemsOf(records: readonly JsonObject[], date: string, { temporal }: DateContext): readonly DaySummaryItem[] {
  const soon = addDays(date, SOON_DAYS, temporal);
  const all = records.filter((record) => phaseOf(record) !== 'done').map(itemOf);
  const wanted = all.filter(({ inProgress, due }) => inProgress || (typeof due === 'string' && due <= soon));
  return wanted.sort(
    (one, other) => compareTexts(one.due ?? '9999', other.due ?? '9999') || Number(other.inProgress) - Number(one.inProgress),
  );
}

function itemOf(record: JsonObject): DaySummaryItem {
  const { workflow_status: status, due_date: due } = record;
  const name = isJsonObject(status) ? scalarText(status['name']) : '';
  const day = typeof due === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(due) ? due : undefined;
  return { record, status: name === '' ? undefined : name, inProgress: phaseOf(record) === 'in progress', due: due === null ? null : day };
}

function phaseOf({ workflow_status: status }: JsonObject): 'in progress' | 'done' | undefined {
  if (!isJsonObject(status)) return undefined;
  return phaseNamed(scalarText(status['category'] ?? status['type'] ?? status['name']));
}

async function readOutbox(context: Needs<'journal'>): Promise<DaySummary['outbox']> {
  return readKnown(async () => {
    const entries = await (await context.journal()).outbox();
    const unknown = entries.filter(({ entry }) => entry.outcome === 'unknown').length;
    return { waiting: entries.length - unknown, unknown };
  }, SvcError);
}

/** Returns the cached names of the records of a resource, by id. A name that the service did not send then costs no request. */
async function cachedNames(
  context: Needs<'clock' | 'env' | 'files' | 'host' | 'paths'>,
  noun: string,
): Promise<ReadonlyMap<string, string>> {
  const cached = await (await openCachedRecords(context)).read(noun).catch(() => undefined);
  return new Map(cached?.records.map(({ value, about }) => [value, about]));
}

function withStatus(names: ReadonlyMap<string, string> | undefined): (record: JsonObject) => JsonObject {
  return (record) => {
    const name = names?.get(scalarText(record['workflow_status_id']));
    return isJsonObject(record['workflow_status']) || name === undefined ? record : { ...record, workflow_status: { name } };
  };
}

async function readKnown<T>(read: () => Promise<T>, excused?: typeof SvcError): Promise<Known<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    const isExcused =
      error instanceof ForbiddenError || error instanceof NotFoundError || (excused !== undefined && error instanceof excused);
    if (!isExcused) throw error;
    return { why: error.message };
  }
}

export function knownOf<T>(known: Known<T>): T | undefined {
  return 'why' in known ? undefined : known.value;
}

export function mapKnown<A, B>(known: Known<A>, change: (value: A) => B): Known<B> {
  return 'why' in known ? known : { value: change(known.value) };
}

/**
 * Reads up to 100 work items of the user in one request, and returns the open items. Each refused undocumented filter or relation costs
 * another request (rule 18.27). Empty if svc can’t read the items.
 */
export async function ownOpenItems(context: Needs<'account' | 'client'>): Promise<readonly JsonObject[]> {
  const own = await ownUserIdIfKnown(context);
  if (own === undefined) return [];
  const page = await readDaySummaryPage(
    context,
    {
      path: '/work-items',
      query: DETAIL,
      assumedFilters: [['filter[assignee_id]', String(own)]],
      assumedIncludes: ['workflow_status'],
    },
    true,
  );
  if ('why' in page) return [];
  // Without the filter by assignee, each item must show its assignee.
  const isOwn = (row: JsonObject) =>
    row['assignee_id'] === own || (row['assignee_id'] === undefined && page.value.filteredBy('filter[assignee_id]'));
  return page.value.rows.filter((row) => isOwn(row) && phaseOf(row) !== 'done');
}
