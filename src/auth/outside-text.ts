/**
 * Text that somebody else wrote, made fit for one line of a message: no control, bidirectional or invisible characters,
 * single spaces, at most `max` characters (default 200). Empty for anything that is no text.
 */
export function outsideText(value: unknown, max = 200): string {
  if (typeof value !== 'string') return '';
  const line = value
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, max + 1);
  return line.length > max ? `${line.slice(0, max)}…` : line;
}
