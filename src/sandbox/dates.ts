const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `YYYY-MM-DDTHH:MM:SSZ`: the one form of a date-time (rule 2.17). */
export function utcSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `YYYY-MM-DD` of a moment, in UTC. */
export function utcDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Whether the text is a day that exists, written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Date.parse lets 2025-02-30 roll over into March in some engines; writing it out again shows that.
  return !Number.isNaN(ms) && utcDate(ms) === text;
}

/** Whether the text is a moment in exactly the form of {@link utcSecond}; offsets and fractions are not. */
export function isUtcSecond(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && utcSecond(ms) === text;
}

/** Whether the text is `HH:MM`, 00:00 to 23:59. */
export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
