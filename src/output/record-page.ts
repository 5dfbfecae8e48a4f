import { blockDrawer } from './blocks-writer.ts';
import { GAP, gridDrawer } from './grid.ts';
import { loadStyles, type Styles, type Tone } from './styles.ts';
import { textWidth } from './text-width.ts';

/** A record in detail view; its texts are harmless already. */
export interface RecordPage {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
}

/** A field with its value. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/** Texts under one heading. */
export interface Section {
  readonly heading: string;
  readonly parts: readonly Part[];
}

/** A text of several lines to wrap, and the line above it. */
export interface Part {
  readonly head?: string;
  readonly text: string;
}

export interface RecordPageOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether a screen reader reads the output: nothing is side by side, and there are no empty lines. */
  readonly blocks?: boolean;
}

/** The most columns of a readable line. */
const READABLE = 100;
const INDENT = '  ';

/** Renders pages one after the other. */
export async function* renderPages(pages: AsyncIterable<RecordPage>, options: RecordPageOptions): AsyncGenerator<string> {
  const styles = await loadStyles(options.color);
  const width = options.blocks ? Number.POSITIVE_INFINITY : options.width;
  const between = options.blocks ? '\n' : `\n${styles.dim('─'.repeat(Math.min(width, READABLE)))}\n\n`;
  let begun = false;
  for await (const page of pages) {
    yield `${begun ? between : ''}${pageText(page, width, styles, options.blocks)}`;
    begun = true;
  }
}

function pageText({ title, facts, sections }: RecordPage, width: number, styles: Styles, blocks = false): string {
  const draw = blockDrawer(styles);
  const widest = Math.max(0, ...facts.map(({ label }) => textWidth(label)));
  const grid = gridDrawer([
    { width: widest, align: 'left' },
    { width: 0, align: 'left' },
  ]);
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
        // Texts with a line above them have an empty line between them.
        ...(part.head === undefined ? [] : [...(index === 0 ? [] : ['']), ...wrapped(part.head, width).map(styles.dim)]),
        ...bodyLines(part, width),
      ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** With a screen reader the terminal breaks lines. */
function readable(width: number): number {
  return Number.isFinite(width) ? Math.min(width, READABLE) : width;
}

function bodyLines({ head, text }: Part, width: number): string[] {
  if (text === '') return [];
  const indent = head === undefined ? '' : INDENT;
  return text.split('\n').flatMap((line) => wrapped(line, readable(width) - indent.length).map((part) => `${indent}${part}`.trimEnd()));
}

/**
 * Breaks a line at blanks to fit `width`. Text after a bullet is indented below its first word. A line of code, with four blanks before
 * it, stays whole.
 */
function wrapped(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const [lead = '', bullet] = /^ *([-*•] |\d+\. )?/.exec(line) ?? [];
  if (bullet === undefined && lead.length >= 4) return [line];
  const blanks = ' '.repeat(lead.length);
  const lines: string[] = [];
  let current = lead;
  let used = lead.length;
  let isEmpty = true;
  for (const word of line.slice(lead.length).split(' ')) {
    const wide = textWidth(word);
    if (!isEmpty && used + 1 + wide > width) {
      lines.push(current);
      current = blanks;
      used = blanks.length;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    used += wide + (isEmpty ? 0 : 1);
    isEmpty = false;
  }
  return [...lines, current];
}
