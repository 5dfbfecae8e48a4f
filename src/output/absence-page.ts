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
  type ViewMark,
} from './absence-view.ts';
import { htmlLine, isolated, scrollable, section } from './page.ts';

/**
 * Draws one table per month for an HTML page, with a row per person and a column per day. Each cell with an absence also has a text for
 * screen readers.
 */
export function absencePage(view: AbsenceView): string {
  const letters = lettersOf(view.people);
  return [legend(view, letters), ...monthsOf(view.days).flatMap((month) => monthTable(view, month, letters))].join('\n');
}

type Letters = ReadonlyMap<string, string>;

function monthTable(view: AbsenceView, month: Stretch, letters: Letters): string[] {
  const { days, rows: people } = tableOf(view, month);
  const name = htmlLine(days[0]?.month ?? '');
  if (people.length === 0) return [];
  const heads = days.map((day) => {
    const kind = day.off.length > 0 || day.weekday > 4 ? ' class="free"' : '';
    return `<th scope="col"${kind}><abbr title="${WEEKDAYS[day.weekday]}">${WEEKDAYS[day.weekday]?.slice(0, 2)}</abbr><br>${Number(day.date.slice(8))}${day.off.length === 0 ? '' : `<span class="say">, ${htmlLine(day.off.join(', '))}</span>`}</th>`;
  });
  const rows = people.map((person) => personRow(person, letters));
  const off = days.flatMap((day) => day.off.map((holiday) => `${Number(day.date.slice(8))}: ${htmlLine(holiday)}`));
  const table = `<table class="month"><thead><tr><th scope="col">Name</th>${heads.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  return [section(name, `${scrollable(name, table)}${off.length === 0 ? '' : `<p class="off-days">${off.join(' · ')}</p>`}`)];
}

function personRow({ name, shown, cells }: CalendarRow, letters: Letters): string {
  const head = `<th scope="row">${isolated(name)}</th>`;
  if (!shown) return `<tr>${head}<td class="none" colspan="${cells.length}">not known</td></tr>`;
  return `<tr>${head}${cells.map((cell) => drawCell(cell, letters)).join('')}</tr>`;
}

function drawCell({ mark, marks, isFree }: CalendarCell, letters: Letters): string {
  if (mark === undefined) return isFree ? '<td class="free"></td>' : '<td></td>';
  const words = [...new Set(marks.map(markWords))].join('; ');
  return `<td class="${markClass(mark)}"><span aria-hidden="true">${symbolOf(mark, letters)}${marks.length > 1 ? '+' : ''}</span><span class="say">${htmlLine(words)}</span></td>`;
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

function legend(view: AbsenceView, letters: Letters): string {
  const { marks, hasUntyped, hasRequested, hasSeveral } = legendFacts(view);
  const swatch = (kind: string, symbol: string, words: string) =>
    `<li><span class="swatch ${kind}" aria-hidden="true">${symbol}</span>${isolated(words)}</li>`;
  const types = [...letters].map(([type, letter]) => swatch('away day', letter, type));
  const away = hasUntyped ? [swatch('away day', NO_TYPE, 'away')] : [];
  const parts = (['am', 'pm', 'part', 'open'] as const)
    .filter((part) => marks.some((mark) => (mark.part ?? 'open') === part))
    .map((part) => swatch(`away ${part}`, SYMBOLS[part], PARTS[part].slice(2)));
  const wanted = hasRequested ? [swatch('away day wanted', '', 'requested')] : [];
  const several = hasSeveral ? [swatch('away', '+', 'several')] : [];
  return `<ul class="legend">${[...away, ...types, ...parts, ...wanted, ...several, swatch('free', '', 'no working day')].join('')}</ul>`;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
