import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/**
 * Reads how long svc itself should wait (`--timeout`, `--max-wait`): `30s`, `5m`, `1h`, `250ms`, `1m30s`, `1.5m`; a bare number is
 * seconds.
 *
 * @returns whole milliseconds, from 0 to 2,147,483,647 (what a timer can count).
 * @throws UsageError for anything else.
 */
export function parseTimespan(text: string): number {
  const typed = text.trim().toLowerCase();
  const spelled = /^\d+(\.\d+)?$/.test(typed) ? `${typed}s` : typed;
  if (!WHOLE.test(spelled)) throw refused(text);
  const parts = spelled.replace(/\s+/g, '').match(PART) ?? [];
  const total = parts.reduce((sum, part) => sum + milliseconds(part, text), 0);
  if (total > LONGEST) throw refused(text);
  return total;
}

const WHOLE = /^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h)\s*)+$/;
const PART = /\d+(?:\.\d+)?(?:ms|s|m|h)/g;
const LONGEST = 2 ** 31 - 1;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

function milliseconds(part: string, text: string): number {
  const [, digits = '', unit = ''] = /^([\d.]+)([a-z]+)$/.exec(part) ?? [];
  const value = Number(digits) * (UNITS.get(unit) ?? Number.NaN);
  if (!Number.isFinite(value) || Math.abs(value - Math.round(value)) > 1e-6) throw refused(text);
  return Math.round(value);
}

function refused(text: string): UsageError {
  return new UsageError(`${quote(text)} is not a span of time svc can wait.`, {
    hint: 'Write 30s, 5m, 1h, 250ms, or a number of seconds.',
  });
}
