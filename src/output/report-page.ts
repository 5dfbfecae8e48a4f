import { htmlLine, isolated, renderPage, scrollable, section, withTimes } from './page.ts';
import {
  headingOf,
  NOTHING,
  partsFor,
  type Report,
  type ReportColumn,
  type ReportNotes,
  type ReportRow,
  type ReportTable,
  textOf,
} from './report.ts';

/** The origin of a page, for the line under its title. */
export interface PageOrigin {
  /** The host of the organisation whose data the page shows. */
  readonly source: string;
  /** The creation date of the page, with its time zone. */
  readonly made: string;
}

/** Renders a report as an HTML page, with its drawings and tables. */
export async function renderReportPage(report: Report, { source, made }: PageOrigin): Promise<string> {
  const body = await Promise.all(
    partsFor(report, 'page').map((part) => {
      if (part.kind === 'table') {
        const shown = section(htmlLine(part.name), scrollable(htmlLine(part.name), htmlTable(part)));
        return part.rows.length < LONG ? shown : `<div class="long">${shown}</div>`;
      }
      return part.kind === 'notes' ? notesOf(part) : (part.html?.() ?? '');
    }),
  );
  return renderPage({ title: report.title ?? '', name: report.nameInTitle, subtitle: `${source} · made on ${made}`, body });
}

function notesOf({ name, lines, look }: ReportNotes): string {
  const texts = lines.map((line) => withTimes(typeof line === 'string' ? line : `${line.text}: ${line.command}`));
  if (name !== undefined) return section(htmlLine(name), `<ul>${texts.map((line) => `<li>${line}</li>`).join('')}</ul>`);
  return texts.map((line) => (look === 'faint' ? `<p><small>${line}</small></p>` : `<p>${line}</p>`)).join('\n');
}

/** Renders a table of a report as HTML. On a phone, the figures of a wide table are under the name of each row. */
export function htmlTable({ levels, columns, rows, totals = [] }: Pick<ReportTable, 'levels' | 'columns' | 'rows' | 'totals'>): string {
  const heads = [headingOf(levels), ...columns.map(({ label }) => label)].map((label) => `<th scope="col">${htmlLine(label)}</th>`);
  const isNested = rows.some(({ depth = 0 }) => depth > 0);
  const line = (row: ReportRow, level = '') => `<tr${level}>${htmlCells(row, columns)}</tr>`;
  const lines = rows.map((row) => line(row, isNested ? ` class="depth${Math.min(row.depth ?? 0, 3)}"` : ''));
  const foot = totals.length === 0 ? '' : `<tfoot>${totals.map((row) => line(row)).join('\n')}</tfoot>`;
  const look = columns.length <= NARROW ? '' : columns.length < SPARSE ? ' class="stacks"' : ' class="stacks sparse"';
  return `<table${look}><thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody>${foot}</table>`;
}

/** The number of rows from which a browser lays out a table only when the table is on the screen. */
const LONG = 200;
/** The most columns that fit a phone beside the names of the rows. */
const NARROW = 2;
/** The number of columns from which a phone leaves out empty cells. */
const SPARSE = 7;

function htmlCells({ label, cells }: ReportRow, columns: readonly ReportColumn[]): string {
  if (cells.length === 0) return `<th scope="row" colspan="${columns.length + 1}">${isolated(label)}</th>`;
  const figures = columns.map((column, at) => {
    const shown = textOf(cells[at] ?? '');
    const isNothing = shown === '' || shown === NOTHING;
    const classes = [isNothing ? 'nil' : '', EMPTY.has(shown) ? 'none' : '', column.align ?? ''].filter(Boolean).join(' ');
    return `<td${columns.length > NARROW ? ` data-label="${htmlLine(column.label)}"` : ''}${classes === '' ? '' : ` class="${classes}"`}>${isNothing ? '–' : htmlLine(shown)}</td>`;
  });
  return `<th scope="row">${isolated(label)}</th>${figures.join('')}`;
}

/** The cell texts that mean that a figure is missing. */
const EMPTY: ReadonlySet<string> = new Set(['unknown', 'none']);
