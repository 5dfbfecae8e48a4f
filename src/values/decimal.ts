import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/**
 * Reads a decimal number of any precision; svc sends the typed string, so nothing is rounded.
 *
 * @throws UsageError for anything else, exponents and digit grouping included.
 */
export function parseDecimal(text: string): string {
  const typed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(typed)) return typed;
  throw new UsageError(`${quote(text)} is not a decimal number.`, { hint: 'Write digits with a point, for example 12.5.' });
}

/**
 * Reads a coordinate in degrees, with up to seven decimals; a body takes it as a JSON number (rule 2.30).
 *
 * @throws UsageError for anything else.
 */
export function parseCoordinate(text: string): number {
  const typed = text.trim();
  const value = Number(typed);
  if (/^-?\d+(\.\d{1,7})?$/.test(typed) && Math.abs(value) <= 180) return value;
  throw new UsageError(`${quote(text)} is not a coordinate.`, { hint: 'Write degrees with up to seven decimals, for example 52.3702157.' });
}
