/** Formats for hours on a sheet: `1:30` or `1.50`. */
export const HOURS_STYLES = ['hh:mm', 'decimal'] as const;
export type HoursStyle = (typeof HOURS_STYLES)[number];

/** Writes minutes as hours. Decimals are rounded to the nearest hundredth, such as `0.33` for a third of an hour: see {@link isExact}. */
export function formatHours(minutes: number, style: HoursStyle): string {
  const sign = minutes < 0 ? '-' : '';
  const size = Math.abs(minutes);
  if (style === 'hh:mm') return `${sign}${Math.floor(size / 60)}:${String(size % 60).padStart(2, '0')}`;
  // No number of minutes is half a hundredth of an hour.
  const hundredths = Math.round((size * 5) / 3);
  return `${sign}${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** Whether two decimals are exact: for a multiple of three minutes. */
export function isExact(minutes: number): boolean {
  return minutes % 3 === 0;
}
