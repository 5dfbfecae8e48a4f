/**
 * An amount of money in cents. Sums and products are whole numbers, so nothing is lost on the way; the service's money is a decimal string
 * with two decimals (rule 2.25), which {@link formatAmount} writes.
 */
export type Cents = bigint;

/** Reads an amount as the service sends it, or `values/money.ts` made it; undefined for what is none. */
export function readAmount(value: unknown): Cents | undefined {
  const [, sign, whole, decimals = ''] = (typeof value === 'string' && /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(value)) || [];
  if (whole === undefined) return undefined;
  const cents = BigInt(whole + decimals.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** `12.50` */
export function formatAmount(cents: Cents): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** What some time costs at a rate an hour, to the nearest cent; half a cent goes away from zero. */
export function amountFor(minutes: number, hourly: Cents): Cents {
  return sixtieth(BigInt(minutes) * hourly);
}

/** A sum of minutes times cents an hour as cents, rounded as {@link amountFor} does: once, however many rates are in it. */
export function sixtieth(whole: bigint): Cents {
  const size = whole < 0n ? -whole : whole;
  const cents = (2n * size + 60n) / 120n;
  return whole < 0n ? -cents : cents;
}

/** Minutes as hours with decimals, exactly: `1.5`, `0.75`; undefined where no six of them suffice: 20 minutes are a third of an hour. */
export function decimalHours(minutes: number): string | undefined {
  const scaled = BigInt(minutes) * 1_000_000n;
  if (scaled % 60n !== 0n) return undefined;
  const size = scaled < 0n ? -scaled : scaled;
  const digits = String(size / 60n).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -6)}${decimals === '' ? '' : `.${decimals}`}`;
}
