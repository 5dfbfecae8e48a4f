import { isJsonObject, isRawNumber, type JsonValue } from './json.ts';

/**
 * Returns the canonical text of a JSON value (RFC 8785). The text has no blanks, and keys in the order of their UTF-16 code units. Strings
 * and numbers have the form of ECMAScript. The function also accepts two kinds of values that the RFC excludes. A number that a double
 * can’t represent keeps all digits. An unpaired surrogate stays an escape, such as `\ud800`.
 */
export function canonicalJson(value: JsonValue): string {
  if (isRawNumber(value)) return canonicalNumber(value.rawJSON);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`;
}

function canonicalNumber(source: string): string {
  const double = Number(source);
  const exact = decimalOf(source);
  // A fraction of up to 17 digits can be the rounded text of a double. An integer is never rounded.
  const isRounded = !Number.isInteger(double) && exact.digits <= 17;
  return Number.isFinite(double) && (isRounded || decimalOf(String(double)).text === exact.text) ? String(double) : exact.text;
}

/** Returns the number of significant digits, and one text for all decimals of the same value: `12000`, `12e-3`. */
function decimalOf(source: string): { readonly digits: number; readonly text: string } {
  const [, sign = '', whole = '', decimals = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e\+?(-?\d+))?$/i.exec(source) ?? [];
  const all = `${whole}${decimals}`.replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return { digits: 0, text: '0' };
  const exponent = BigInt(power) - BigInt(decimals.length) + BigInt(all.length - digits.length);
  const isShort = exponent >= 0n && exponent + BigInt(digits.length) <= 21n;
  return { digits: digits.length, text: sign + digits + (isShort ? '0'.repeat(Number(exponent)) : `e${exponent}`) };
}
