import { UsageError } from '../errors.ts';
import { type Cents, readAmount } from './amount.ts';
import { quote } from './quote.ts';

/**
 * Reads an amount: `12`, `12.5`, `12.50`, `-3.20`. It never converts digits to a floating-point number.
 *
 * @returns a decimal string with two decimals (rule: money).
 * @throws UsageError for three decimals (svc does not round), a comma, an exponent, a currency sign.
 */
export function parseMoney(text: string): string {
  const typed = text.trim();
  const [, sign = '', whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typed) ?? [];
  if (whole === undefined) {
    const comma = typed.includes(',') ? ' A decimal is written with a point, thousands without a sign.' : '';
    throw new UsageError(`${quote(text)} is not an amount.${comma}`, { hint: HINT });
  }
  if (decimals.length > 2) throw new UsageError(`${quote(text)} has more than two decimals; svc does not round money.`, { hint: HINT });
  const amount = `${whole.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
  return /[1-9]/.test(amount) ? sign + amount : amount;
}

/** Reads the price of an hour, in cents. @throws UsageError for a text that is no amount, or below zero. */
export function parseRate(text: string): Cents {
  const rate = readAmount(parseMoney(text));
  if (rate !== undefined && rate >= 0n) return rate;
  throw new UsageError(`${text} is below zero.`, { hint: 'Give the price of an hour: --rate 95.00' });
}

const HINT = 'Write 12, 12.5 or 12.50, without a currency.';
