import type { ReportCell } from '../../../output/report.ts';
import { sumOf, type Tally } from '../../../time/tally.ts';
import { formatDuration } from '../../../values/duration.ts';

/** Formats a sum of minutes. Formats the upper bound of an unknown sum, or the lower bound if no upper bound exists. */
export function totalText(minutes: readonly (number | undefined)[], atMost: readonly (number | undefined)[] = []): ReportCell {
  const [known, most] = [sumOf(minutes), atMost.length === 0 ? undefined : sumOf(atMost)];
  if (known !== undefined || most !== undefined) return boundedText(known, most);
  const least = minutes.reduce<number>((total, value) => total + (value ?? 0), 0);
  if (minutes.every((value) => value === undefined)) return 'unknown';
  return { text: `≥${formatDuration(least)}`, spoken: `at least ${formatDuration(least)}` };
}

/** Formats minutes as `1h30`. Formats the upper bound of an unknown figure. */
export function boundedText(minutes: number | undefined, atMost?: number): string {
  if (minutes !== undefined) return formatDuration(minutes);
  return atMost === undefined ? 'unknown' : `up to ${formatDuration(atMost)}`;
}

/** Formats the logged time. Formats the lower bound if some entries do not show their user. */
export function loggedText({ logged, loggedAtLeast }: Pick<Tally, 'logged' | 'loggedAtLeast'>): string {
  return logged === undefined ? `at least ${formatDuration(loggedAtLeast)}` : formatDuration(logged);
}
