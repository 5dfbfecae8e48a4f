import { htmlLine, renderPage, scrollable, section } from './page.ts';
import { headingOf, NOTHING, partsFor, type Report, type ReportCell, type ReportNotes, type ReportTable, textOf } from './report.ts';

/** The origin of a page, for the line under its title. */
export interface PageOrigin {
  /** The organisation’s host. */
  readonly source: string;
  /** The date and the time zone of creation. */
  readonly made: string;
}

/** Renders a report as an HTML page, with its drawings and tables. */
export async function renderReportPage(report: Report, { source, made }: PageOrigin): Promise<string> {
  const parts = partsFor(report, 'page');
  const body = await Promise.all(
    parts.map((part) => {
      if (part.kind === 'table') return section(htmlLine(part.name), scrollable(htmlLine(part.name), htmlTable(part)));
      return part.kind === 'notes' ? notesOf(part) : (part.html?.() ?? '');
    }),
  );
  const style = STYLE + body.map((part) => (typeof part === 'string' ? '' : part.style)).join('');
  const html = body.map((part) => (typeof part === 'string' ? part : part.html));
  return renderPage({ title: report.title ?? '', subtitle: `${source} · made on ${made}`, body: html, style });
}

/** The style of report pages: no line between totals, and whole words in names on narrow paper. */
const STYLE = 'tfoot tr+tr th,tfoot tr+tr td{border-top:0}tfoot td{white-space:normal}th:first-child{overflow-wrap:break-word}';

function notesOf({ name, lines, look }: ReportNotes): string {
  const texts = lines.map((line) => htmlLine(typeof line === 'string' ? line : `${line.text}: ${line.command}`));
  if (name !== undefined) return section(htmlLine(name), `<ul>${texts.map((line) => `<li>${line}</li>`).join('')}</ul>`);
  return texts.map((line) => (look === 'faint' ? `<p><small>${line}</small></p>` : `<p>${line}</p>`)).join('\n');
}

/** Renders a table of a report as HTML. */
export function htmlTable({ levels, columns, rows, totals = [] }: Pick<ReportTable, 'levels' | 'columns' | 'rows' | 'totals'>): string {
  const heads = [headingOf(levels), ...columns.map(({ label }) => label)].map((label) => `<th scope="col">${htmlLine(label)}</th>`);
  const isNested = rows.some(({ depth = 0 }) => depth > 0);
  const lines = rows.map(({ label, depth = 0, cells }) => {
    const level = isNested ? ` class="depth${Math.min(depth, 3)}"` : '';
    const direction = /^[ -~]*$/.test(label) ? '' : ' dir="auto"';
    return `<tr${level}><th scope="row"${direction}>${htmlLine(label)}</th>${columns.map((_, at) => cell(cells[at] ?? '')).join('')}</tr>`;
  });
  const sums = totals.map(({ label, cells }) => `<tr><th scope="row">${htmlLine(label)}</th>${cells.map(cell).join('')}</tr>`);
  const foot = sums.length === 0 ? '' : `<tfoot>${sums.join('\n')}</tfoot>`;
  return `<table><thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody>${foot}</table>`;
}

function cell(value: ReportCell): string {
  const shown = textOf(value);
  if (shown === '' || shown === NOTHING) return '<td class="none">–</td>';
  return `<td${EMPTY.has(shown) ? ' class="none"' : ''}>${htmlLine(shown)}</td>`;
}

/** Texts that stand for a missing figure. */
const EMPTY: ReadonlySet<string> = new Set(['unknown', 'none']);
