import type { Budget } from '../../records/budgets.ts';
import type { Logged } from '../../records/entries.ts';
import type { Needs } from '../../session/context.ts';
import type { Burn, DayMinutes, Rate } from '../../time/burn.ts';
import { addDays } from '../../time/calendar.ts';
import { rangeOf } from '../../time/date-range.ts';
import type { StepRecord } from '../../time/figure-step.ts';
import { FORECAST_DAYS, type Forecast, forecastOf, type WorkShare, workShareOf } from '../../time/forecast.ts';
import type { DateContext } from '../../values/dates.ts';
import { nameOf, type ReadingLeave } from '../leave/people-leave.ts';
import { readPeopleCapacity } from './people-capacity.ts';

/** A person who works on a budget. The id is null if the service does not show the user of the worklogs. */
type BudgetWorker = WorkShare & { readonly id: number | null; readonly name: string | undefined };

type BudgetForecast = Forecast & { readonly people: readonly BudgetWorker[] };

/** A budget with its logged time and its forecast. */
export interface BurnLine {
  readonly budget: Budget;
  /** The logged minutes by day. Undefined if svc read no worklog of the budget. */
  readonly own: DayMinutes | undefined;
  readonly burn: Burn;
  /** Undefined if svc makes no forecast, if no time is left, or if the time or the rate is unknown. */
  readonly forecast?: BudgetForecast | undefined;
}

/**
 * Forecasts the end of each budget that has time left and a rate. Reads the working hours, leave and days off of everybody with time in the
 * weeks of the rate. Leaves out people who are not active.
 */
export async function forecastBudgets(
  context: Needs<ReadingLeave>,
  lines: readonly Pick<BurnLine, 'budget' | 'burn'>[],
  logged: Logged | undefined,
  { day, dates }: { readonly day: string; readonly dates: DateContext },
): Promise<ReadonlyMap<number, BudgetForecast>> {
  const open = lines.flatMap(({ budget, burn: { left, rate } }) =>
    left === undefined || left <= 0 || rate === undefined
      ? []
      : [{ id: budget.id, left, rate, workers: workersOn(budget.id, rate, logged) }],
  );
  const ids = [...new Set(open.flatMap(({ workers }) => workers.flatMap(([id]) => id ?? [])))].sort((one, other) => one - other);
  const last = addDays(day, FORECAST_DAYS, dates.temporal);
  const range = { first: rangeOf([day, ...open.map(({ rate }) => rate.first)]).first, last };
  const people = ids.length === 0 ? [] : await readPeopleCapacity(context, { ids }, range);
  const byId = new Map(people.map((person) => [person.id, person]));
  return new Map(
    open.map(({ id, left, rate, workers }) => {
      const own = workers.flatMap(([userId, days]): BudgetWorker[] => {
        const person = userId === null ? undefined : byId.get(userId);
        if (userId !== null && person === undefined) return [];
        const record: StepRecord | undefined = person && { noun: 'users', id: person.id, name: nameOf(person) };
        const capacityOn = person?.capacityOn ?? (() => undefined);
        return [{ id: userId, name: person?.name, ...workShareOf({ logged: days, capacityOn, record }, rate, dates.temporal) }];
      });
      return [id, { ...forecastOf(left, own, day, dates.temporal), people: own }];
    }),
  );
}

function workersOn(budget: number, { first, last }: Rate, logged: Logged | undefined) {
  const all = [...(logged?.byUser.get(budget) ?? [])];
  return all.filter(([, days]) => [...days].some(([date, minutes]) => date >= first && date <= last && minutes > 0));
}
