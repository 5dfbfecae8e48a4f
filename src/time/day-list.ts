import { UsageError } from '../errors.ts';
import { type DateContext, parseCalendarDate, today, WEEKDAY_NAMES } from '../values/dates.ts';
import { quote } from '../values/text.ts';
import { daysBetween, parseWeek, weekdayOf, weekOf } from './calendar.ts';

/**
 * Reads days: `monday..friday`, `mon,wed`. Without texts, the day is today. @param repeat weekdays, such as `mon,wed`. The result then has
 * these weekdays of every week with a given date. @returns dates in order, without duplicates. @throws UsageError for any other text, and
 * for more than 62 days.
 */
export function readDays(texts: readonly string[], repeat: string | undefined, dates: DateContext): string[] {
  const given = texts.flatMap((text) => text.split(',')).flatMap((text) => readStretch(text, dates));
  const days = given.length === 0 ? [today(dates)] : given;
  const repeated = repeat === undefined ? days : repeatDays(days, readWeekdays(repeat), dates);
  const unique = [...new Set(repeated)].sort();
  if (unique.length <= MOST_DAYS) return unique;
  throw new UsageError(`The command names ${unique.length} days, and svc logs at most ${MOST_DAYS} days at once.`, {
    hint: 'To log more days, import a file: svc worklogs import --help',
  });
}

const MOST_DAYS = 62;

/** Reads weekdays: `mon-fri`, `mon,wed,fri`, `tuesday`. @returns numbers from 0 for Monday to 6 for Sunday. @throws UsageError */
export function readWeekdays(text: string): ReadonlySet<number> {
  const found = text.split(',').flatMap((part) => {
    const [first = '', last = first, ...more] = part.split('-').map((name) => name.trim());
    if (more.length > 0) throw noWeekdays(text);
    const [from, to] = [weekdayIn(first, text), weekdayIn(last, text)];
    if (from > to) {
      throw new UsageError(`${quote(part.trim())} continues after Sunday, the end of a week.`, {
        hint: 'Write the days with commas: sat,sun,mon',
      });
    }
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return new Set(found);
}

function weekdayIn(name: string, whole: string): number {
  const typed = name.toLowerCase();
  const found = typed.length < 3 ? -1 : WEEKDAY_NAMES.findIndex((full) => full.startsWith(typed));
  if (found < 0) throw noWeekdays(whole);
  return found;
}

function noWeekdays(text: string): UsageError {
  return new UsageError(`${quote(text)} names no weekdays.`, { hint: 'Write mon-fri, or mon,wed,fri.' });
}

function readStretch(text: string, dates: DateContext): string[] {
  const [first = '', last, ...more] = text.split('..').map((part) => part.trim());
  if (more.length > 0) throw new UsageError(`${quote(text)} is not a range of days.`, { hint: 'Write 2025-03-03..2025-03-07.' });
  const from = parseCalendarDate(first, dates);
  if (last === undefined) return [from];
  const to = parseCalendarDate(last, dates);
  if (from > to) {
    throw new UsageError(`The end of ${quote(text)} is before its start: ${from} to ${to}.`, {
      hint: 'A weekday means the latest such day, today included. For later days, write dates, or --repeat mon-fri.',
    });
  }
  return daysBetween(from, to, dates.temporal);
}

/** Reads one day, or the days of a week (`last`, `2026-W23`, any day of the week). @throws UsageError */
export function readWeekOrDay(text: string, isWeek: boolean, dates: DateContext): string[] {
  return isWeek ? weekOf(parseWeek(text, dates), dates.temporal) : [parseCalendarDate(text, dates)];
}

function repeatDays(days: readonly string[], weekdays: ReadonlySet<number>, { temporal }: DateContext): string[] {
  return days.flatMap((day) => weekOf(day, temporal)).filter((day) => weekdays.has(weekdayOf(day, temporal)));
}
