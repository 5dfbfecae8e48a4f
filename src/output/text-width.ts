import stringWidth from 'string-width';

/** How many columns of a terminal a text takes: two for wide characters and emoji, none for combining marks. */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/** The text cut to a width, with `…` for what is gone; never through the middle of a character as people see it. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return '';
  if (PRINTABLE_ASCII.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of SEGMENTER.segment(text)) {
    const wide = textWidth(segment);
    if (used + wide > width - 1) break;
    kept += segment;
    used += wide;
  }
  return `${kept.trimEnd()}…`;
}

/** Costly to make, and without state. */
const SEGMENTER = new Intl.Segmenter();
const PRINTABLE_ASCII = /^[ -~]*$/;

/** The text with blanks up to a width. */
export function padToWidth(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? blanks + text : text + blanks;
}
