import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/**
 * Reads a percentage: `21` or `21%`.
 *
 * @returns an integer from 0 to 100 (rule: percentage).
 * @throws UsageError for anything else; a fraction such as `0.21` too, since it could mean 21.
 */
export function parsePercentage(text: string): number {
  const digits = /^(\d{1,3})\s*%?$/.exec(text.trim())?.[1];
  const value = Number(digits);
  if (digits === undefined || value > 100)
    throw new UsageError(`${quote(text)} is not a percentage.`, { hint: 'Write a whole number from 0 to 100, for example 21 or 21%.' });
  return value;
}
