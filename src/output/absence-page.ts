import {
  type AbsenceView,
  type CalendarCell,
  type CalendarRow,
  legendFacts,
  lettersOf,
  monthsOf,
  NO_TYPE,
  type Stretch,
  tableOf,
  type ViewDay,
  type ViewMark,
} from './absence-view.ts';
import { htmlLine, scrollable, section } from './page.ts';
import type { Drawn } from './report.ts';

/** Draws one table per month for an HTML page, with a row per person and a column per day. Each cell also has a text for screen readers. */
export function absencePage(view: AbsenceView): Drawn {
  const letters = lettersOf(view.people);
  return {
    html: [legend(view, letters), ...monthsOf(view.days).flatMap((month) => monthTable(view, month, letters))].join('\n'),
    style: STYLE,
  };
}

type Letters = ReadonlyMap<string, string>;

function monthTable(view: AbsenceView, month: Stretch, letters: Letters): string[] {
  const { days, rows: people } = tableOf(view, month);
  const name = htmlLine(days[0]?.month ?? '');
  if (people.length === 0) return [];
  const heads = days.map((day) => {
    const kind = dayClass(day);
    return `<th scope="col"${kind}><abbr title="${WEEKDAYS[day.weekday]}">${WEEKDAYS[day.weekday]?.slice(0, 2)}</abbr><br>${Number(day.date.slice(8))}${day.off.length === 0 ? '' : `<span class="say">, ${htmlLine(day.off.join(', '))}</span>`}</th>`;
  });
  const rows = people.map((person) => personRow(person, letters));
  const off = days.flatMap((day) => day.off.map((holiday) => `${Number(day.date.slice(8))}: ${htmlLine(holiday)}`));
  const table = `<table class="month"><thead><tr><th scope="col">Name</th>${heads.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  return [section(name, `${scrollable(name, table)}${off.length === 0 ? '' : `<p class="off-days">${off.join(' · ')}</p>`}`)];
}

function personRow({ name, shown, cells }: CalendarRow, letters: Letters): string {
  const head = `<th scope="row" dir="auto">${htmlLine(name)}</th>`;
  if (!shown) return `<tr>${head}<td class="none" colspan="${cells.length}">not known</td></tr>`;
  return `<tr>${head}${cells.map((cell) => drawCell(cell, letters)).join('')}</tr>`;
}

function drawCell({ mark, marks, isFree }: CalendarCell, letters: Letters): string {
  if (mark === undefined) return isFree ? '<td class="free"></td>' : '<td></td>';
  const words = [...new Set(marks.map(markWords))].join('; ');
  return `<td class="${markClass(mark)}"><span aria-hidden="true">${symbolOf(mark, letters)}${marks.length > 1 ? '+' : ''}</span><span class="say">${htmlLine(words)}</span></td>`;
}

function dayClass({ weekday, off }: ViewDay): string {
  return off.length > 0 || weekday > 4 ? ' class="free"' : '';
}

function markClass({ part, requested }: ViewMark): string {
  return ['away', part ?? 'open', ...(requested ? ['wanted'] : [])].join(' ');
}

function symbolOf({ type, part }: ViewMark, letters: Letters): string {
  const sign = SYMBOLS[part ?? 'open'];
  if (type === undefined) return sign === '' ? NO_TYPE : sign;
  return `${letters.get(type) ?? NO_TYPE}${sign}`;
}

const SYMBOLS = { day: '', am: '½', pm: '½', part: '~', open: '?' } as const;

const PARTS = { day: '', am: ', first half', pm: ', second half', part: ', part of the day', open: ', perhaps' } as const;

function markWords({ type, part, requested }: ViewMark): string {
  return `${type ?? 'away'}${PARTS[part ?? 'open']}${requested ? ', requested' : ''}`;
}

/** Returns the legend of the marks that occur in the tables, as HTML. */
function legend(view: AbsenceView, letters: Letters): string {
  const { marks, hasUntyped, hasRequested, hasSeveral } = legendFacts(view);
  const swatch = (kind: string, symbol: string, words: string) =>
    `<li><span class="swatch ${kind}" aria-hidden="true">${symbol}</span> ${htmlLine(words)}</li>`;
  const types = [...letters].map(([type, letter]) => swatch('away day', letter, type));
  const away = hasUntyped ? [swatch('away day', NO_TYPE, 'away')] : [];
  const parts = (['am', 'pm', 'part', 'open'] as const)
    .filter((part) => marks.some((mark) => (mark.part ?? 'open') === part))
    .map((part) => swatch(`away ${part}`, SYMBOLS[part], PARTS[part].slice(2)));
  const wanted = hasRequested ? [swatch('away day wanted', '', 'requested')] : [];
  const several = hasSeveral ? [swatch('away', '+', 'several')] : [];
  return `<ul class="key-list">${[...away, ...types, ...parts, ...wanted, ...several, swatch('free', '', 'no working day')].join('')}</ul>`;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The style of the tables. A half day is a bar on one side of its cell. A requested absence has an outline and no fill. */
const STYLE = `
main{max-width:76rem}
.say{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.wide{position:relative}
.month{width:auto;table-layout:fixed;border-collapse:separate;border-spacing:0}
.month th,.month td{width:1.75rem;min-width:1.75rem;height:1.75rem;padding:0;text-align:center;font-size:.75rem;line-height:1.15;position:relative;border-right:1px solid var(--line)}
.month thead th{font-weight:600;padding:.2rem 0}
.month th:first-child{width:11rem;min-width:11rem;max-width:11rem;padding:.2rem .6rem .2rem 0;text-align:start;font-size:.85rem;position:sticky;left:0;background:var(--page);z-index:1}
.month abbr{text-decoration:none}
.month .away.am{padding-left:.3rem;font-size:.68rem}.month .away.pm{padding-right:.3rem;font-size:.68rem}
.month .wanted.am,.month .wanted.pm{font-size:.6rem}
.month td.none{text-align:start;padding-inline-start:.6rem}
.free{background:color-mix(in srgb,var(--line) 60%,var(--page))}
.away{font-weight:600;color:var(--ink)}
.away.day{background:var(--bill);color:var(--page)}
.away.am{box-shadow:inset .3rem 0 0 var(--bill)}
.away.pm{box-shadow:inset -.3rem 0 0 var(--bill)}
.away.part{box-shadow:inset 0 -.3rem 0 var(--bill)}
.month .away.wanted,.swatch.wanted{background:none;color:var(--ink);outline:2px dashed var(--bill);outline-offset:-3px}
.key-list{list-style:none;margin:1.25rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem 1.25rem}
.swatch{display:inline-grid;place-items:center;width:1.5rem;height:1.5rem;font-size:.75rem;border:1px solid var(--line);vertical-align:middle}
.off-days{color:var(--soft);margin:.4rem 0 0;font-size:.85rem}
@media (max-width:36rem){.month th:first-child{width:7rem;min-width:7rem;max-width:7rem}}
@media print{
@page{size:A4 landscape;margin:10mm}
.month th,.month td{width:7.4mm;min-width:7.4mm;height:6.2mm;font-size:7.5pt}
.month th:first-child{width:44mm;min-width:44mm;max-width:44mm;font-size:8.5pt;position:static}
.wide{overflow:visible}
section:has(.month){break-inside:avoid-page}
.off-days{font-size:8.5pt}
}
`;
