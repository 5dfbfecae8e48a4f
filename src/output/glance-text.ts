import { neutraliseLine } from './neutralise.ts';
import { loadStyles, type Styles } from './styles.ts';
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

/** A glance at a day, ready to be drawn. */
export interface GlanceView {
  readonly title: string;
  readonly sections: readonly GlanceSection[];
}

/** Lines under one label. */
export interface GlanceSection {
  readonly label: string;
  readonly lines: readonly GlanceLine[];
}

/** The cells of a line; the last has the room that is left. */
export interface GlanceLine {
  readonly cells: readonly string[];
  /** Something to see to, nothing of interest, or neither. */
  readonly tone?: 'marked' | 'faint';
}

/** The label of each section once, its lines in columns beside it, none wider than the terminal. */
export async function renderGlance(
  { title, sections }: GlanceView,
  { color, width }: { readonly color: boolean; readonly width: number },
): Promise<string> {
  const styles = await loadStyles(color);
  const indent = Math.max(...sections.map(({ label }) => textWidth(label))) + GAP;
  const lines = sections.flatMap(({ label, lines: own }) => {
    const cells = own.map((line) => line.cells.map(neutraliseLine));
    return own.map((line, index) => {
      const head = padToWidth(index === 0 ? label : '', indent, 'left');
      const text = cutToWidth(inColumns(cells[index] ?? [], cells), width - indent);
      return `${styles.heading(head)}${toned(text, line.tone, styles)}`.trimEnd();
    });
  });
  return `${[styles.heading(cutToWidth(neutraliseLine(title), width)), '', ...lines].join('\n')}\n`;
}

const GAP = 2;

/** All cells but the last as wide as the widest of lines with as many. */
function inColumns(cells: readonly string[], all: readonly (readonly string[])[]): string {
  const alike = all.filter((other) => other.length === cells.length);
  return cells
    .map((cell, column) => {
      if (column === cells.length - 1) return cell;
      return padToWidth(cell, Math.max(...alike.map((other) => textWidth(other[column] ?? ''))) + GAP, 'left');
    })
    .join('');
}

function toned(text: string, tone: GlanceLine['tone'], styles: Styles): string {
  return tone === 'marked' ? styles.literal(text) : tone === 'faint' ? styles.dim(text) : text;
}
