import stringWidth from 'string-width';
import type { Piece } from './screen-text.ts';

/** A command and its output. */
export interface Step {
  readonly command: string;
  readonly lines: readonly (readonly Piece[])[];
}

const LINE = 19;
const LETTER = 8.4;
const MARGIN = 20;
const COLORS = ['#8b949e', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#e6edf3'];

/**
 * Renders a terminal session as an SVG. The steps appear one after the other. With reduced motion, all steps appear at once.
 *
 * @param columns width of the terminal. Longer lines are cut off.
 */
export function sessionSvg(steps: readonly Step[], columns: number): string {
  const rows: { readonly at: number; readonly body: string }[] = [];
  let time = 0.5;
  for (const { command, lines } of steps) {
    rows.push({ at: time, body: `<tspan fill="#7ee787">$</tspan> <tspan font-weight="bold">${xml(command)}</tspan>` });
    time += 0.8;
    for (const line of lines) rows.push({ at: time, body: placed(cut(line, columns)).map(tspan).join('') });
    rows.push({ at: time, body: '' });
    time += 1.4;
  }
  const width = Math.ceil(columns * LETTER + 2 * MARGIN);
  const height = rows.length * LINE + 2 * MARGIN + 16;
  const texts = rows.flatMap(({ at, body }, index) =>
    body === '' ? [] : [`<text x="${MARGIN}" y="${MARGIN + 32 + index * LINE}" style="animation-delay:${at.toFixed(1)}s">${body}</text>`],
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${xml(`A session with svc: ${steps.map(({ command }) => command).join('; ')}`)}">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6edf3;white-space:pre;animation:come .01s both}
@keyframes come{from{opacity:0}to{opacity:1}}
@media (prefers-reduced-motion:reduce){text{animation:none}}
</style>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<circle cx="22" cy="18" r="5" fill="#484f58"/><circle cx="40" cy="18" r="5" fill="#484f58"/><circle cx="58" cy="18" r="5" fill="#484f58"/>
${texts.join('\n')}
</svg>
`;
}

function cut(line: readonly Piece[], columns: number): Piece[] {
  const pieces: Piece[] = [];
  let left = columns;
  for (const piece of line) {
    const letters = [...piece.text];
    if (left <= 0) break;
    pieces.push(letters.length <= left ? piece : { ...piece, text: `${letters.slice(0, left - 1).join('')}…` });
    left -= letters.length;
  }
  return pieces;
}

/** A piece that starts at a fixed column, if the pieces before it can have another width. */
interface Placed extends Piece {
  readonly column?: number;
}

/** Splits pieces after each character that is two columns wide, such as an emoji. Fonts draw such characters in different widths. */
function placed(line: readonly Piece[]): Placed[] {
  let column = 0;
  let wide = false;
  return line.flatMap((piece) =>
    (piece.text.match(/(?:(?!\p{Extended_Pictographic}).)+|\p{Extended_Pictographic}/gu) ?? []).map((text): Placed => {
      const at = wide ? { column } : {};
      column += stringWidth(text);
      wide = stringWidth(text) > [...text].length;
      return { ...piece, text, ...at };
    }),
  );
}

function tspan({ text, bold, dim, color, column }: Placed): string {
  const attributes = [
    ...(column === undefined ? [] : [`x="${(MARGIN + column * LETTER).toFixed(1)}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.7"'] : []),
    ...(color === undefined ? [] : [`fill="${COLORS[color] ?? '#e6edf3'}"`]),
  ];
  return attributes.length === 0 ? xml(text) : `<tspan ${attributes.join(' ')}>${xml(text)}</tspan>`;
}

/**
 * Escapes a text for XML, and removes characters that XML does not allow. A mark after right-to-left letters keeps the following text in
 * its column.
 */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[\u0590-\u08ff]+(?: [\u0590-\u08ff]+)*/g, '$&\u200e')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}
