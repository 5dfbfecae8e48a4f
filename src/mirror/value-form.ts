import { isRawNumber, type JsonValue } from '../values/json.ts';

/** Column types that fit a value, as bits. Every value fits TEXT. */
export const VALUE_FORM = { BOOLEAN: 1, INTEGER: 2, NUMERIC: 4, JSON: 8, DAY: 16, MOMENT: 32, DECIMAL: 64, TEXT: 128 } as const;

/** Null fits every type. */
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
    (isMoment(value) ? VALUE_FORM.MOMENT : 0) |
    (isDecimal(value) ? VALUE_FORM.DECIMAL : 0) |
    VALUE_FORM.TEXT
  );
}

/** SQLite stores a number with more digits as a rounded one. */
const MOST_DIGITS = 15;

function formOfDigits(digits: string): number {
  if (isLong(digits)) return VALUE_FORM.INTEGER | VALUE_FORM.NUMERIC | VALUE_FORM.TEXT;
  const isExact = isDecimal(digits) && digits.replace(/\D/g, '').length <= MOST_DIGITS;
  return (isExact ? VALUE_FORM.NUMERIC : 0) | VALUE_FORM.TEXT;
}

/** Whether digits are an integer of eight bytes. */
export function isLong(digits: string): boolean {
  return /^-?\d{1,19}$/.test(digits) && BigInt(digits) === BigInt.asIntN(64, BigInt(digits));
}

export function isDecimal(text: string): boolean {
  return /^-?\d{1,100}(?:\.\d{1,100})?$/.test(text);
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return DAY.test(text) && startsWithDay(text);
}

/** Whether a text is a date-time with an offset, with at most microseconds. */
export function isMoment(text: string): boolean {
  return MOMENT.test(text) && startsWithDay(text);
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Whether the calendar has the day at the start of a text. */
function startsWithDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  if (year === 0 || month === 0 || month > 12 || day === 0) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}
