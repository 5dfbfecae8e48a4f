import { UsageError } from '../errors.ts';
import { quote } from './text.ts';

/**
 * Reads a duration: `90`, `90m`, `1h30`, `1h30m`, `1.5h`, `1,5h`, `1:30`, `2h`.
 * Refuses a text with two meanings or without whole minutes, because a guess could appear on an invoice. The error names the meanings.
 * @returns whole minutes, at least 0.
 * @throws UsageError for a text that is not a duration, is ambiguous, or is not in whole minutes.
 */
export function parseDuration(text: string): number {
  const typed = text.trim().toLowerCase();
  for (const read of READINGS) {
    const minutes = read(typed);
    if (minutes === undefined) continue;
    if (minutes <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(minutes);
    throw refused(`${quote(text)} is too long for a duration.`);
  }
  throw refused(`${quote(text)} is not a duration.`);
}

export function formatDuration(minutes: number): string {
  const sign = minutes < 0 ? '-' : '';
  const total = Math.abs(minutes);
  const hours = Math.floor(total / 60);
  const rest = total % 60;
  if (hours === 0) return `${sign}${rest}m`;
  return rest === 0 ? `${sign}${hours}h` : `${sign}${hours}h${String(rest).padStart(2, '0')}`;
}

const HINT = 'Write minutes (90, 90m) or hours (2h, 1.5h, 1h30, 1:30).';
const HOURS = '(?:h|hrs?|hours?)';
const MINUTES = '(?:m|mins?|minutes?)';

const READINGS: readonly ((typed: string) => bigint | undefined)[] = [plain, hoursAndMinutes, clock, hoursOnly, otherUnit];

const PLAIN = new RegExp(`^(\\d+)(?:\\s*${MINUTES})?$`);

/** Reads minutes: `90`, `90m`. */
function plain(typed: string): bigint | undefined {
  const found = PLAIN.exec(typed);
  return found?.[1] === undefined ? undefined : BigInt(found[1]);
}

const HOURS_AND_MINUTES = new RegExp(`^(\\d+)\\s*${HOURS}\\s*(\\d+)(\\s*${MINUTES})?$`);

/** Reads hours and minutes: `1h30`, `1h30m`, `1h 5m`. */
function hoursAndMinutes(typed: string): bigint | undefined {
  const [, hours, minutes, unit] = HOURS_AND_MINUTES.exec(typed) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  return together(typed, hours, minutes, unit === undefined ? 'h' : 'hm');
}

/** Reads hours and minutes with a colon: `1:30`. */
function clock(typed: string): bigint | undefined {
  const [, hours, minutes] = /^(\d+):(\d+)$/.exec(typed) ?? [];
  return hours === undefined || minutes === undefined ? undefined : together(typed, hours, minutes, ':');
}

/**
 * Returns hours and the minutes after the hours as minutes. Minutes without an `m` need two digits, because `1h5` could mean 1h05 or 1.5h.
 */
function together(typed: string, hours: string, minutes: string, form: 'h' | 'hm' | ':'): bigint {
  const total = BigInt(hours) * 60n + BigInt(minutes);
  if (BigInt(minutes) > 59n) {
    const as = formatDuration(Number(total));
    throw refused(`${quote(typed)} has ${minutes} minutes after the hours, and an hour has 60.`, `If you mean ${as}, write ${as}.`);
  }
  if (form !== 'hm' && minutes.length !== 2) {
    const padded = `${hours}${form}${minutes.slice(-2).padStart(2, '0')}`;
    const other = minutes.length === 1 ? ` or ${hours}.${minutes}h` : '';
    throw refused(`${quote(typed)} could be ${padded}${other}.`, `Write ${padded}${other}.`);
  }
  return total;
}

const DECIMAL = new RegExp(`^(\\d*)[.,](\\d+)\\s*(${HOURS}|${MINUTES})?$`);
const WHOLE_HOURS = new RegExp(`^(\\d+)\\s*${HOURS}$`);

/**
 * Reads `2h` and `1.5h`, in minutes. Undefined for text in another form. @throws UsageError for `1.5` (hours or minutes?), `1,500h` (1.5 or
 * 1500?), and parts of a minute, such as `1.5m`.
 */
function hoursOnly(typed: string): bigint | undefined {
  const whole = WHOLE_HOURS.exec(typed)?.[1];
  if (whole !== undefined) return BigInt(whole) * 60n;
  const [, before, after, unit] = DECIMAL.exec(typed) ?? [];
  if (before === undefined || after === undefined) return undefined;
  const scale = 10n ** BigInt(after.length);
  const hours = BigInt(before + after);
  if (unit === undefined) throw refused(`${quote(typed)} has no unit: hours or minutes?`, `For hours, write ${typed}h.`);
  if (typed.includes(',') && after.length === 3)
    throw refused(
      `${quote(typed)} could be ${before}.${after}h or ${before}${after}h.`,
      `Write ${before}.${after}h or ${before}${after}h.`,
    );
  if (unit.startsWith('m')) throw refused(`${quote(typed)} is not a whole number of minutes.`);
  const minutes = (hours * 60n) / scale;
  if ((hours * 60n) % scale === 0n) return minutes;
  const [below, above] = [formatDuration(Number(minutes)), formatDuration(Number(minutes + 1n))];
  throw refused(
    `${quote(typed)} is ${decimal(hours * 60n, after.length)} minutes; durations are whole minutes.`,
    `Write ${below} or ${above}.`,
  );
}

function otherUnit(typed: string): undefined {
  if (/^\d+(\.\d+)?\s*(s|secs?|seconds?)$/.test(typed)) throw refused(`${quote(typed)} is in seconds; durations are whole minutes.`);
  if (/^\d+(\.\d+)?\s*(d|days?|w|weeks?)$/.test(typed)) throw refused(`${quote(typed)}: svc does not know how many hours your day has.`);
  if (/^\d+:\d+:\d+$/.test(typed)) throw refused(`${quote(typed)} has seconds; durations are whole minutes.`);
  if (/^-/.test(typed)) throw refused(`${quote(typed)} is negative, and a duration cannot be negative.`);
}

function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '');
}

function refused(message: string, hint: string = HINT): UsageError {
  return new UsageError(message, { hint });
}

/**
 * Reads a waiting time of svc (`--timeout`, `--max-wait`): `30s`, `5m`, `1h`, `250ms`, `1m30s`, `1.5m`. A bare number is in seconds.
 * @returns whole milliseconds, from 0 to 2,147,483,647 (the limit of a timer).
 * @throws UsageError for any other text.
 */
export function parseTimespan(text: string): number {
  const typed = text.trim().toLowerCase();
  const spelled = /^\d+(\.\d+)?$/.test(typed) ? `${typed}s` : typed;
  if (!WHOLE_WAIT.test(spelled)) throw refusedWait(text);
  const parts = spelled.replace(/\s+/g, '').match(WAIT_PART) ?? [];
  const total = parts.reduce((sum, part) => sum + milliseconds(part, text), 0);
  if (total > LONGEST_WAIT) throw refusedWait(text);
  return total;
}

const WHOLE_WAIT = /^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h)\s*)+$/;
const WAIT_PART = /\d+(?:\.\d+)?(?:ms|s|m|h)/g;
const LONGEST_WAIT = 2 ** 31 - 1;
function milliseconds(part: string, text: string): number {
  const [, before = '', after = '', unit] = /^(\d+)(?:\.(\d+))?([a-z]+)$/.exec(part) ?? [];
  const size = unit === 'h' ? 3_600_000n : unit === 'm' ? 60_000n : unit === 's' ? 1_000n : 1n;
  const scaled = BigInt(before + after) * size;
  const scale = 10n ** BigInt(after.length);
  if (scaled % scale !== 0n) throw refusedWait(text);
  return Number(scaled / scale);
}

function refusedWait(text: string): UsageError {
  return new UsageError(`${quote(text)} is not a time that svc can wait.`, {
    hint: 'Write 30s, 5m, 1h, 250ms, or a number of seconds.',
  });
}

export const HOURS_STYLES = ['hh:mm', 'decimal'] as const;
export type HoursStyle = (typeof HOURS_STYLES)[number];

/**
 * Returns a reader of a step in minutes, from one minute to one day. The reader throws UsageError for any other step. @param flag such as
 * `--round`, for the hint.
 */
export function stepOf(flag: string): (typed: string) => number {
  return (typed) => {
    const minutes = parseDuration(typed);
    if (minutes >= 1 && minutes <= 24 * 60) return minutes;
    throw refused('A step is from 1m to 24h.', `For example: ${flag} 15m`);
  };
}

/** Writes minutes as hours. Decimals are rounded to the nearest hundredth, such as `0.33` for a third of an hour: see {@link isExact}. */
export function formatHours(minutes: number, style: HoursStyle): string {
  const sign = minutes < 0 ? '-' : '';
  const size = Math.abs(minutes);
  if (style === 'hh:mm') return `${sign}${Math.floor(size / 60)}:${String(size % 60).padStart(2, '0')}`;
  // A whole number of minutes is never exactly half a hundredth of an hour.
  const hundredths = Math.round((size * 5) / 3);
  return `${sign}${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** Returns true if two decimals are exact: for a multiple of three minutes. */
export function isExact(minutes: number): boolean {
  return minutes % 3 === 0;
}
