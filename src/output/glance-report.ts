import { GAP, gridDrawer, widthOf } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import type { Report, ReportPart } from './report.ts';
import type { Styles } from './styles.ts';
import { textWidth } from './text-width.ts';

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

/** The label of each section once, its lines in columns beside it, none wider than the terminal; in words, a line for each. */
export function glanceReport({ title, sections }: GlanceView): Report {
  const inWords = sections.map(({ label, lines }): ReportPart => {
    return {
      kind: 'notes',
      only: ['spoken', 'markdown'],
      lines: lines.map(({ cells }) => `${label}: ${cells.filter(Boolean).join(', ')}`),
    };
  });
  return { title, parts: [{ kind: 'drawing', text: (width, styles) => drawSections(sections, width ?? 80, styles) }, ...inWords] };
}

function drawSections(sections: readonly GlanceSection[], width: number, styles: Styles): string {
  const side = Math.max(...sections.map(({ label }) => textWidth(label)));
  return sections
    .flatMap(({ label, lines }) => {
      const rows = lines.map(({ cells }) => cells.map(neutraliseLine));
      return lines.map(({ tone }, index) => {
        const cells = rows[index] ?? [];
        // All cells but the last are as wide as the widest of lines with as many; the last has what is left.
        const alike = rows.filter((other) => other.length === cells.length);
        const widths = cells.slice(0, -1).map((_, column) => Math.max(...alike.map((other) => textWidth(other[column] ?? ''))));
        const rest = Math.max(1, width - widthOf([side, ...widths], GAP) - GAP);
        const draw = gridDrawer(
          [side, ...widths, rest].map((one) => ({ width: one, align: 'left' })),
          { lines: LINES },
        );
        const style = tone === 'marked' ? styles.literal : tone === 'faint' ? styles.dim : undefined;
        return draw([{ text: index === 0 ? label : '', style: styles.heading }, ...cells.map((text) => ({ text, style }))]);
      });
    })
    .join('');
}

/** As many lines as a text takes at most. */
const LINES = 2;
