import { UsageError } from '../errors.ts';
import { type JsonValue, parseJson } from './json.ts';
import { hasOnlyDigits, quote } from './text.ts';

interface IntegerRange {
  readonly min: number;
  /** The highest value. Default: the largest safe integer, 2^53 - 1. */
  readonly max?: number;
}

/** Reads an integer. @param range Default: all safe integers. @throws UsageError for any text except a safe integer within the range. */
export function parseInteger(text: string, range?: IntegerRange): number {
  const typed = text.trim();
  const { min, max = Number.MAX_SAFE_INTEGER } = range ?? { min: Number.MIN_SAFE_INTEGER };
  const value = Number(typed);
  if (/^[+-]?\d+$/.test(typed) && value >= min && value <= max) return value === 0 ? 0 : value;
  throw new UsageError(`${quote(text)} is not a whole number${describe(range)}.`, { hint: 'Write digits only, for example 25.' });
}

/** Reads an id: a positive safe integer. @throws UsageError for any other text. */
export function parseId(text: string): number {
  if (isId(text)) return Number(text);
  throw new UsageError(`${quote(text)} is not an id.`, { hint: 'An id is a whole number, for example 12. The list command shows ids.' });
}

function isId(text: string): boolean {
  const value = Number(text);
  return hasOnlyDigits(text) && value >= 1 && value <= Number.MAX_SAFE_INTEGER;
}

function describe(range: IntegerRange | undefined): string {
  if (range === undefined) return '';
  return range.max === undefined ? ` of at least ${range.min}` : ` from ${range.min} to ${range.max}`;
}

/** Reads `21` or `21%`. @throws UsageError for any text except an integer from 0 to 100, because `0.21` could mean 21. */
export function parsePercentage(text: string): number {
  const digits = /^(\d{1,3})\s*%?$/.exec(text.trim())?.[1];
  const value = Number(digits);
  if (digits === undefined || value > 100)
    throw new UsageError(`${quote(text)} is not a percentage.`, { hint: 'Write a whole number from 0 to 100, for example 21 or 21%.' });
  return value;
}

/**
 * Reads a decimal, and returns the typed string, so that svc rounds nothing. @throws UsageError for any other text, including exponents and
 * digit grouping.
 */
export function parseDecimal(text: string): string {
  const typed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(typed)) return typed;
  throw new UsageError(`${quote(text)} is not a decimal number.`, { hint: 'Write digits with a point, for example 12.5.' });
}

/**
 * Reads a number. A number with more digits than JavaScript can store stays exact. @throws UsageError for any other text, including
 * exponents.
 */
export function parseNumber(text: string): JsonValue {
  return parseJson(parseDecimal(text).replace(/^(-?)0+(?=\d)/, '$1'));
}

/**
 * Reads a coordinate from -180 to 180 degrees, with up to seven decimals. A body has the coordinate as a JSON number (rule 2.30). @throws
 * UsageError for any other text.
 */
export function parseCoordinate(text: string): number {
  const typed = text.trim();
  const value = Number(typed);
  if (/^-?\d+(\.\d{1,7})?$/.test(typed) && Math.abs(value) <= 180) return value;
  throw new UsageError(`${quote(text)} is not a coordinate.`, { hint: 'Write degrees with up to seven decimals, for example 52.3702157.' });
}

/** Reads a boolean: `true`, `false`, `yes`, `no`, `y`, `n`, in any letter case. @throws UsageError for any other text. */
export function parseBoolean(text: string): boolean {
  const typed = text.trim();
  if (/^(?:true|yes|y)$/i.test(typed)) return true;
  if (/^(?:false|no|n)$/i.test(typed)) return false;
  throw new UsageError(`${quote(text)} is neither yes nor no.`, { hint: 'Write true, false, yes or no.' });
}

/** Converts `9:15` or `09:15` to `HH:MM`, without a zone. @throws UsageError for any other text. */
export function parseTimeOfDay(text: string): string {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59)
    throw new UsageError(`${quote(text)} is not a time of day.`, { hint: 'Write hours and minutes from 0:00 to 23:59, for example 9:15.' });
  return `${hour.padStart(2, '0')}:${minute}`;
}

/** Reads a user: an id or `me`. Only some filters accept `me`, so the caller replaces `me`. @throws UsageError */
export function parseUser(text: string): number | 'me' {
  const typed = text.trim().toLowerCase();
  if (typed === 'me') return 'me';
  if (isId(typed)) return Number(typed);
  throw new UsageError(`${quote(text)} is not a user.`, { hint: 'Write me, or an id from: svc users list' });
}

/** A work item as a user names it. Paths accept both forms. Bodies and filters need the id (rules 2.12, 2.13). */
export type WorkItemRef = { readonly kind: 'id'; readonly id: number } | { readonly kind: 'key'; readonly key: string };

/** Reads an id (`4711`) or a key (`ABC-12`, in any letter case). @throws UsageError for any other text. */
export function parseWorkItem(text: string): WorkItemRef {
  const typed = text.trim();
  if (isId(typed)) return { kind: 'id', id: Number(typed) };
  if (/^[A-Z][A-Z0-9]*-[0-9]+$/i.test(typed)) return { kind: 'key', key: typed.toUpperCase() };
  throw new UsageError(`${quote(text)} is not a work item.`, { hint: 'Give the id (4711) or the key (ABC-12) of a work item.' });
}

/** Converts an id to the value in a record: a number, or a string such as a key. */
export function idValue(id: string): string | number {
  return /^\d+$/.test(id) ? Number(id) : id;
}

/** Returns bounds as text: `0.5 to 40`, `from 1`, `up to 100`. Empty without bounds. */
export function boundsText({ minimum, maximum }: { readonly minimum?: number | undefined; readonly maximum?: number | undefined }): string {
  if (minimum === undefined) return maximum === undefined ? '' : `up to ${maximum}`;
  return maximum === undefined ? `from ${minimum}` : `${minimum} to ${maximum}`;
}
