import { blockDrawer } from './blocks-writer.ts';
import { GAP, gridDrawer } from './grid.ts';
import { loadStyles, type Styles, type Tone } from './styles.ts';
import { linesOf, textWidth } from './text-width.ts';
import type { WriterOptions } from './writer.ts';

/** A record in a detail view. The texts must not contain control characters. */
export interface RecordPage {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
}

export interface Fact {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export interface Section {
  readonly heading: string;
  readonly parts: readonly Part[];
}

/** A text to wrap, which can have several lines, and an optional line above it. */
export interface Part {
  readonly head?: string;
  readonly text: string;
}

/** The largest width of a text that is easy to read, in columns. */
const READABLE = 100;
const INDENT = '  ';

/** Renders records as pages. With `blocks`, svc prints no columns, and breaks no lines. */
export async function* renderPages(
  pages: AsyncIterable<RecordPage>,
  options: Pick<WriterOptions, 'color' | 'blocks'> & { readonly width: number },
): AsyncGenerator<string> {
  const styles = await loadStyles(options.color);
  const width = options.blocks ? Number.POSITIVE_INFINITY : options.width;
  const between = options.blocks ? '\n' : `\n${styles.dim('─'.repeat(Math.min(width, READABLE)))}\n\n`;
  let started = false;
  for await (const page of pages) {
    yield `${started ? between : ''}${pageText(page, width, styles, options.blocks)}`;
    started = true;
  }
}

function pageText({ title, facts, sections }: RecordPage, width: number, styles: Styles, blocks = false): string {
  const draw = blockDrawer(styles);
  const widest = Math.max(0, ...facts.map(({ label }) => textWidth(label)));
  const grid = gridDrawer([{ width: widest }, { width: 0 }]);
  const lines = [
    ...wrapped(title, width).map(styles.heading),
    ...(facts.length === 0 || blocks ? [] : ['']),
    ...(blocks ? facts.map(({ label, text }) => draw([[label, text]]).trimEnd()) : []),
    ...(blocks ? [] : facts).map(({ label, text, tone }) => {
      const lines = wrapped(text, readable(width) - widest - GAP).join('\n');
      return grid([
        { text: label, style: styles.dim },
        { text: lines, style: tone && styles.tones[tone] },
      ]).trimEnd();
    }),
    ...sections.flatMap(({ heading, parts }) => [
      '',
      styles.heading(heading),
      ...parts.flatMap((part, index) => [
        // An empty line separates parts that start with a separate head line.
        ...(part.head === undefined ? [] : [...(index === 0 ? [] : ['']), ...wrapped(part.head, width).map(styles.dim)]),
        ...bodyLines(part, width),
      ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the width for texts. For a screen reader, the width is infinite, because the terminal breaks the lines. */
function readable(width: number): number {
  return Number.isFinite(width) ? Math.min(width, READABLE) : width;
}

function bodyLines({ head, text }: Part, width: number): string[] {
  if (text === '') return [];
  const indent = head === undefined ? '' : INDENT;
  return text.split('\n').flatMap((line) => wrapped(line, readable(width) - indent.length).map((part) => `${indent}${part}`.trimEnd()));
}

/**
 * Breaks a line at blanks to fit a width. After a bullet, further lines are indented to the first word after the bullet. A line of code,
 * which starts with four blanks, stays whole.
 */
function wrapped(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const [lead = '', bullet] = /^ *([-*•] |\d+\. )?/.exec(line) ?? [];
  if (bullet === undefined && lead.length >= 4) return [line];
  const blanks = ' '.repeat(lead.length);
  return linesOf(line.slice(lead.length).split(' '), ' ', width - lead.length).map((part, index) => (index === 0 ? lead : blanks) + part);
}
