import { UsageError } from '../errors.ts';
import { quote } from './text.ts';

/**
 * An amount of money in cents. Sums and products are integers, so they are exact. {@link formatAmount} writes the service’s form: a decimal
 * string with two decimals (rule 2.25).
 */
export type Cents = bigint;

export function readAmount(value: unknown): Cents | undefined {
  const [, sign, whole, decimals = ''] = (typeof value === 'string' && /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(value)) || [];
  if (whole === undefined) return undefined;
  const cents = BigInt(whole + decimals.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

export function formatAmount(cents: Cents): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the price of a time at an hourly rate, to the nearest cent. Half a cent rounds away from zero. */
export function amountFor(minutes: number, hourly: Cents): Cents {
  return divideRounded(BigInt(minutes) * hourly, 60n);
}

/** Divides by an even number, and rounds to the nearest integer. Half rounds away from zero. */
export function divideRounded(whole: bigint, by: bigint): bigint {
  return (whole + (whole < 0n ? -by : by) / 2n) / by;
}

/** Writes minutes as exact decimal hours: `1.5`, `0.75`. Undefined if six decimals are not enough, as for 20 minutes. */
export function decimalHours(minutes: number): string | undefined {
  const scaled = BigInt(minutes) * 1_000_000n;
  if (scaled % 60n !== 0n) return undefined;
  const size = scaled < 0n ? -scaled : scaled;
  const digits = String(size / 60n).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -6)}${decimals === '' ? '' : `.${decimals}`}`;
}

/**
 * Reads an amount: `12`, `12.5`, `12.50`, `-3.20`. Returns two decimals (rule 2.26).
 * @throws UsageError for more than two decimals (svc does not round), a comma, a currency sign, and any other text.
 */
export function parseMoney(text: string): string {
  const typed = text.trim();
  const [, sign = '', whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typed) ?? [];
  if (whole === undefined) {
    const comma = typed.includes(',') ? ' Write decimals with a point, and thousands without a separator.' : '';
    throw new UsageError(`${quote(text)} is not an amount.${comma}`, { hint: HINT });
  }
  if (decimals.length > 2) throw new UsageError(`${quote(text)} has more than two decimals; svc does not round money.`, { hint: HINT });
  const amount = `${whole.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
  return /[1-9]/.test(amount) ? sign + amount : amount;
}

/** Reads the price of an hour, in cents. @throws UsageError for a text that is not an amount, or for a negative amount. */
export function parseRate(text: string): Cents {
  const rate = readAmount(parseMoney(text));
  if (rate !== undefined && rate >= 0n) return rate;
  throw new UsageError(`${text} is below zero.`, { hint: 'Use the price of an hour: --rate 95.00' });
}

const HINT = 'Write 12, 12.5 or 12.50, without a currency.';
