import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/**
 * Reads a time of day on the 24-hour clock: `9:15`, `09:15`.
 *
 * @returns `HH:MM`, without a zone (rule: time of day).
 * @throws UsageError for anything else.
 */
export function parseTimeOfDay(text: string): string {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59)
    throw new UsageError(`${quote(text)} is not a time of day.`, { hint: 'Write hours and minutes from 0:00 to 23:59, for example 9:15.' });
  return `${hour.padStart(2, '0')}:${minute}`;
}
