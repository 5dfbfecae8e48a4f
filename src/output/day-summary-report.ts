import { GAP, gridDrawer, widthOf } from './grid.ts';
import { neutraliseLine } from './neutralise.ts';
import type { Report, ReportPart } from './report.ts';
import type { Styles } from './styles.ts';
import { textWidth } from './text-width.ts';

export interface DaySummaryView {
  readonly title: string;
  readonly sections: readonly DaySummarySection[];
}

export interface DaySummarySection {
  readonly label: string;
  readonly lines: readonly DaySummaryLine[];
}

export interface DaySummaryLine {
  readonly cells: readonly string[];
  readonly narrow?: string;
  /** `marked` draws attention to the line. `faint` makes the line less visible. Default: a normal line. */
  readonly tone?: 'marked' | 'faint';
}

export function daySummaryReport({ title, sections }: DaySummaryView): Report {
  const inWords = sections.map(
    ({ label, lines }): ReportPart => ({
      kind: 'notes',
      only: ['spoken', 'markdown'],
      lines: lines.map(({ cells }) => `${label}: ${cells.filter(Boolean).join(', ')}`),
    }),
  );
  return { title, parts: [{ kind: 'drawing', text: (width, styles) => drawSections(sections, width ?? 80, styles) }, ...inWords] };
}

function drawSections(sections: readonly DaySummarySection[], width: number, styles: Styles): string {
  const side = Math.max(...sections.map(({ label }) => textWidth(label)));
  return sections
    .flatMap(({ label, lines }) => {
      const rows = lines.map(({ cells }) => cells.map(neutraliseLine));
      const widthsOf = (cells: readonly string[]) => {
        const alike = rows.filter((other) => other.length === cells.length);
        return cells.slice(0, -1).map((_, column) => Math.max(...alike.map((other) => textWidth(other[column] ?? ''))));
      };
      const roomAfter = (widths: readonly number[]) => width - widthOf([side, ...widths], GAP) - GAP;
      const isNarrow = rows.some((cells) => cells.length > 2 && roomAfter(widthsOf(cells)) < LEAST_REST);
      return lines.map(({ narrow, tone }, index) => {
        const own = rows[index] ?? [];
        const cells = isNarrow ? [neutraliseLine(narrow ?? own.filter(Boolean).join(', '))] : own;
        const widths = isNarrow ? [] : widthsOf(cells);
        const rest = Math.max(1, roomAfter(widths));
        const draw = gridDrawer([{ width: side }, ...widths.map((one) => ({ width: one })), { width: rest }], { lines: LINES });
        const style = tone === 'marked' ? styles.literal : tone === 'faint' ? styles.dim : undefined;
        return draw([{ text: index === 0 ? label : '', style: styles.heading }, ...cells.map((text) => ({ text, style }))]);
      });
    })
    .join('');
}

const LEAST_REST = 16;

const LINES = 2;
