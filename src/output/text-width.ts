import stringWidth from 'string-width';

export function textWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return '';
  if (PRINTABLE_ASCII.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`;
  let shown = '';
  let used = 0;
  for (const { segment } of SEGMENTER.segment(text)) {
    const wide = textWidth(segment);
    if (used + wide > width - 1) break;
    shown += segment;
    used += wide;
  }
  return `${shown.trimEnd()}…`;
}

const SEGMENTER = new Intl.Segmenter();
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Wraps a one-line text at blanks, keeping its indent. Shortens the rest of the text in the last line, or from a word that is longer than a
 * line.
 */
export function wrapToWidth(text: string, width: number, lines: number): string[] {
  const [lead = ''] = /^ */.exec(text) ?? [];
  const parts: string[] = [];
  let rest = text;
  while (parts.length + 1 < lines && textWidth(rest) > width) {
    let end = lead.length;
    for (let next = rest.indexOf(' ', end); next >= 0 && textWidth(rest.slice(0, next)) <= width; next = rest.indexOf(' ', next + 1))
      end = next;
    if (end === lead.length) break;
    parts.push(rest.slice(0, end));
    rest = lead + rest.slice(end).trimStart();
  }
  return [...parts, cutToWidth(rest, width)];
}

/** Joins the parts into lines of at most the width. A part that is wider than a line stays whole. */
export function linesOf(parts: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${between}${part}`;
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

export function padToWidth(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? blanks + text : text + blanks;
}
