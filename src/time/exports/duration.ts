import { UsageError } from '../../errors.ts';
import { quote } from '../../values/text.ts';

/** Rounds seconds to whole minutes. A positive time becomes at least one minute, and a negative time becomes 0. */
export function wholeMinutes(seconds: number): number {
  return seconds <= 0 ? 0 : Math.max(1, Math.round(seconds / 60));
}

/** A number without a unit means hours. A number above this limit probably has another unit. */
const HOURS_OF_A_DAY = 24;

/**
 * Reads a duration: `01:30:00`, `1:30`, `47:06 min` (minutes and seconds), `1h 30m`, `0.79 h`, `45m`, `90s`, `1.5`, `1,5` (hours). @returns
 * seconds. @throws UsageError for any other text.
 */
export function readDuration(text: string): number {
  const [, hours, minutes, seconds = '0'] = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours !== undefined && minutes !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const [, whole, rest] = /^(\d+):([0-5]\d) min$/.exec(text) ?? [];
  if (whole !== undefined && rest !== undefined) return Number(whole) * 60 + Number(rest);
  const [, h, m] = /^(\d+)\s*h\s*(\d{1,2})\s*m(?:in)?$/i.exec(text) ?? [];
  if (h !== undefined && m !== undefined) return Number(h) * 3600 + Number(m) * 60;
  const [, decimal, unit = ''] = /^(\d+(?:[.,]\d+)?)\s*(h|m|min|s|sec)?$/i.exec(text) ?? [];
  if (decimal === undefined) throw new UsageError(`${quote(text)} is not a duration.`);
  const value = Number(decimal.replace(',', '.'));
  if (unit === '' && value > HOURS_OF_A_DAY) throw new UsageError(`${quote(text)} in hours would be more than a day.`);
  return Math.round(value * (/^(?:h|)$/i.test(unit) ? 3600 : /^m/i.test(unit) ? 60 : 1));
}
