import { isRawNumber, type JsonValue } from '../values/json.ts';

/** The column types that can fit a value, as bits. Every value fits TEXT. */
export const VALUE_FORM = { BOOLEAN: 1, INTEGER: 2, NUMERIC: 4, JSON: 8, DAY: 16, TIMESTAMP: 32, DECIMAL: 64, TEXT: 128 } as const;

/** The bits of all types, because null fits every type. */
export const ANY = 255;

/** Returns the column types that fit a value, as a sum of {@link VALUE_FORM}. */
export function formOf(value: JsonValue): number {
  if (value === null) return ANY;
  if (typeof value === 'boolean') return VALUE_FORM.BOOLEAN | VALUE_FORM.TEXT;
  if (typeof value === 'number') return (Number.isSafeInteger(value) ? VALUE_FORM.INTEGER : 0) | VALUE_FORM.NUMERIC | VALUE_FORM.TEXT;
  if (isRawNumber(value)) return formOfDigits(value.rawJSON);
  if (typeof value !== 'string') return VALUE_FORM.JSON | VALUE_FORM.TEXT;
  return (
    (isDay(value) ? VALUE_FORM.DAY : 0) |
    (isTimestamp(value) ? VALUE_FORM.TIMESTAMP : 0) |
    (isDecimal(value) ? VALUE_FORM.DECIMAL : 0) |
    VALUE_FORM.TEXT
  );
}

/** The most digits of a decimal number that SQLite stores without rounding. */
const MOST_DIGITS = 15;

function formOfDigits(digits: string): number {
  if (isLong(digits)) return VALUE_FORM.INTEGER | VALUE_FORM.NUMERIC | VALUE_FORM.TEXT;
  const isExact = isDecimal(digits) && digits.replace(/\D/g, '').length <= MOST_DIGITS;
  return (isExact ? VALUE_FORM.NUMERIC : 0) | VALUE_FORM.TEXT;
}

/** Returns true if a string of digits is an integer of at most eight bytes. */
export function isLong(digits: string): boolean {
  return /^-?\d{1,19}$/.test(digits) && BigInt(digits) === BigInt.asIntN(64, BigInt(digits));
}

export function isDecimal(text: string): boolean {
  return /^-?\d{1,100}(?:\.\d{1,100})?$/.test(text);
}

/** Returns true if a string is an existing calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return DAY.test(text) && startsWithDay(text);
}

/** Returns true if a string is a date-time with a UTC offset and at most microseconds. */
export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text) && startsWithDay(text);
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Returns true if the day at the start of a string exists in the calendar. */
function startsWithDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  if (year === 0 || month === 0 || month > 12 || day === 0) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}
