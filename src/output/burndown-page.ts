import { formatDuration } from '../values/duration.ts';
import type { PageOrigin } from './burn-page.ts';
import { BURNDOWN_WORDS, type BurndownView, isDrawn, sumLine, timesOf } from './burndown-view.ts';
import { LINE_STYLE, lineChart, lineLegend } from './line-chart.ts';
import { renderPage, scrollable, section, text } from './page.ts';

/** A sprint as a page: what remains as a line, the ideal one beside it, and the table they are drawn from. */
export function renderBurndownPage(view: BurndownView, { source, made }: PageOrigin): string {
  const { title, span, notes } = view;
  const body = [
    tiles(view),
    ...notes.map((note) => `<p>${text(note)}</p>`),
    ...(isDrawn(view) ? [LEGEND, section('What remains', chartOf(view))] : []),
    `<p><small>${text(BURNDOWN_WORDS)}</small></p>`,
    tableOf(view),
  ];
  return renderPage({ title, subtitle: `${span} · ${source} · made on ${made}`, body, style: LINE_STYLE });
}

const LEGEND = lineLegend([
  ['solid', 'Remaining at the end of the day'],
  ['ahead', 'Ideal'],
  ['now', 'Today'],
]);

function tiles({ estimated, logged, items, estimatedItems }: BurndownView): string {
  const time = (minutes: number | undefined) => (minutes === undefined ? 'unknown' : formatDuration(minutes));
  const left = estimated === undefined ? undefined : estimated - (logged ?? 0);
  const all = [
    ['Estimated', time(estimated)],
    ['Work items', estimatedItems === items ? String(items) : `${items} <small>${estimatedItems} estimated</small>`],
    ['Logged', formatDuration(logged ?? 0)],
    ['Remaining', time(left)],
  ];
  return `<dl class="tiles">${all.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

function chartOf(view: BurndownView): string {
  const { days, estimated = 0, title, span, today: day } = view;
  const first = days[0]?.date ?? day;
  const from = dayNumber(first) - 1;
  const to = from + days.length;
  const begun = days[0]?.remaining === undefined ? [] : [{ day: from, minutes: estimated }];
  const remaining = days.flatMap(({ date, label, logged, remaining: minutes }) =>
    minutes === undefined
      ? []
      : [{ day: dayNumber(date), minutes, title: `${label}: ${formatDuration(logged ?? 0)} logged, ${formatDuration(minutes)} remaining` }],
  );
  const today = dayNumber(day);
  return lineChart({
    name: `${title}, ${span}: ${sumLine(view)}`,
    lines: [
      {
        look: 'ahead',
        points: [{ day: from, minutes: estimated }, ...days.map(({ date, ideal = 0 }) => ({ day: dayNumber(date), minutes: ideal }))],
      },
      { look: 'solid', points: [...begun, ...remaining] },
    ],
    ticks: days.map(({ date }) => ({ day: dayNumber(date), label: date })),
    ...(today >= from && today <= to && { today }),
    from,
    to,
  });
}

function tableOf({ days }: BurndownView): string {
  const heads = ['Day', 'Logged', 'So far', 'Remaining', 'Ideal'].map((name) => `<th scope="col">${name}</th>`);
  const cell = (value: string) =>
    value === '·' || value === 'unknown' ? `<td class="none">${value === '·' ? '–' : value}</td>` : `<td>${value}</td>`;
  const lines = days.map((day) => `<tr><th scope="row">${day.label}</th>${timesOf(day).map(cell).join('')}</tr>`);
  return section(
    'By day',
    scrollable('By day', `<table><thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`),
  );
}

/** Days since 1970. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}
