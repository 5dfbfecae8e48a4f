import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/** Bounds of an integer, both included. */
export interface IntegerRange {
  readonly min: number;
  /** Default: the largest safe integer, 2^53 - 1. */
  readonly max?: number;
}

/**
 * Reads an integer that JavaScript represents exactly.
 *
 * @param range default: every safe integer.
 * @throws UsageError for anything else, or outside `range`.
 */
export function parseInteger(text: string, range?: IntegerRange): number {
  const typed = text.trim();
  const { min, max = Number.MAX_SAFE_INTEGER } = range ?? { min: Number.MIN_SAFE_INTEGER };
  const value = Number(typed);
  if (/^[+-]?\d+$/.test(typed) && value >= min && value <= max) return value === 0 ? 0 : value;
  throw new UsageError(`${quote(text)} is not a whole number${describe(range)}.`, { hint: 'Write digits only, for example 25.' });
}

/**
 * Reads a record's id.
 *
 * @returns a positive safe integer.
 * @throws UsageError for anything else.
 */
export function parseId(text: string): number {
  const typed = text.trim();
  const value = Number(typed);
  if (/^\d+$/.test(typed) && value >= 1 && value <= Number.MAX_SAFE_INTEGER) return value;
  throw new UsageError(`${quote(text)} is not an id.`, { hint: 'An id is a whole number, for example 12; the list command shows them.' });
}

function describe(range: IntegerRange | undefined): string {
  if (range === undefined) return '';
  return range.max === undefined ? ` of at least ${range.min}` : ` from ${range.min} to ${range.max}`;
}
