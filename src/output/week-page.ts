import { formatDuration } from '../values/duration.ts';
import type { WeekView } from './grid-week.ts';
import { renderPage, scrollable, section, text } from './page.ts';

/** Where a page comes from, and when it was made. */
export interface PageSource {
  /** The organisation's host. */
  readonly source: string;
  /** The day on which it was made, and where that is. */
  readonly made: string;
  /** What is not known of what stands there, a sentence each. */
  readonly remarks: readonly string[];
}

/** A team's week, in the texts of its table. */
export interface TeamPage extends PageSource {
  readonly title: string;
  /** Headings of the columns. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly total: readonly string[];
  /** Who lacks what on which days: the headings, and a row a person. */
  readonly gaps: { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** A week as a page: the grid of its days, what kept the person from work, and what is missing. */
export function renderWeekPage({ title, days, rows, sums, notes }: WeekView, about: PageSource): string {
  const lines = rows.map(({ project, workItem, minutes, total }) => [nameCell(project, workItem), ...[...minutes, total].map(time)]);
  const foot = sums.map(({ label, minutes, total }) => [text(label), ...[...minutes, total].map(time)]);
  const body = [
    section('Hours', tableOf('Hours', ['Project', ...days, 'Total'], lines, foot)),
    ...(rows.length === 0 ? ['<p>No hours were logged.</p>'] : []),
    ...(notes.length === 0 ? [] : [section('Away', `<ul>${notes.map((note) => `<li>${text(note)}</li>`).join('')}</ul>`)]),
  ];
  return weekPage(title, about, body);
}

/** A team's week as a page: a row a person, and the days on which something is missing. */
export function renderTeamPage({ title, heads, rows, total, gaps, ...about }: TeamPage): string {
  const cells = (line: readonly string[]) => line.map(text);
  const body =
    rows.length === 0
      ? ['<p>Nobody is in it.</p>']
      : [
          section('People', tableOf('People', heads, rows.map(cells), [cells(total)])),
          ...(gaps.rows.length === 0 ? [] : [section('Missing', tableOf('Missing', gaps.heads, gaps.rows.map(cells), []))]),
        ];
  return weekPage(title, about, body);
}

/** Sums that follow one another are parted by a thin line, and names are not cut in the middle where paper is narrow. */
const STYLE = 'tfoot tr+tr th,tfoot tr+tr td{border-top:0}tfoot td{white-space:normal}th:first-child{overflow-wrap:break-word}';

function weekPage(title: string, { source, made, remarks }: PageSource, body: readonly string[]): string {
  const said = remarks.map((remark) => `<p>${text(remark)}</p>`);
  return renderPage({ title, subtitle: `${source} · made on ${made}`, body: [...said, ...body], style: STYLE });
}

/** A table that scrolls sideways alone; its cells are HTML, the first of each line its heading. */
function tableOf(
  name: string,
  heads: readonly string[],
  lines: readonly (readonly string[])[],
  foot: readonly (readonly string[])[],
): string {
  const head = heads.map((one) => `<th scope="col">${text(one)}</th>`).join('');
  const row = ([first = '', ...cells]: readonly string[]) =>
    `<tr><th scope="row" dir="auto">${first}</th>${cells.map((cell) => (cell === '' ? '<td class="none">–</td>' : `<td>${cell}</td>`)).join('')}</tr>`;
  const end = foot.length === 0 ? '' : `<tfoot>${foot.map(row).join('\n')}</tfoot>`;
  return scrollable(text(name), `<table><thead><tr>${head}</tr></thead><tbody>${lines.map(row).join('\n')}</tbody>${end}</table>`);
}

function nameCell(project: string, workItem: string | undefined): string {
  return workItem === undefined ? text(project) : `${text(project)} <small>${text(workItem)}</small>`;
}

function time(minutes: number): string {
  return minutes === 0 ? '' : formatDuration(minutes);
}
