import { formatDuration } from '../values/duration.ts';
import { type BurnEnds, type BurnRow, type BurnView, budgetText, nameOfRow, percentText, rateText, timeText } from './burn-view.ts';
import { type ChartLine, type ChartPoint, chartLegend, dayNumber, lineChart } from './charts.ts';
import { htmlLine, isolated, scrollable, section, tiles, withTimes } from './page.ts';
import { htmlTable } from './report-page.ts';

/** Draws a chart and a table of weeks for each budget with worklogs, as HTML. Draws at most {@link MOST_CHARTS} budgets. */
export function burnCharts({ rows, day }: BurnView): string {
  const drawn = rows.filter(({ weeks }) => weeks.length > 0);
  const shown = drawn.slice(0, MOST_CHARTS);
  return [
    ...(shown.length === 0 ? [] : [LEGEND]),
    ...shown.map((row) => chartOf(row, day)),
    ...(drawn.length > shown.length ? [`<p>${drawn.length - shown.length} more budgets are in the table.</p>`] : []),
  ].join('\n');
}

/** The most charts on a page. Further budgets only appear in the table. */
const MOST_CHARTS = 40;

const LEGEND = chartLegend([
  ['solid', 'Spent'],
  ['bound', 'Budget'],
  ['ahead', 'Forecast'],
  ['now', 'Today'],
]);

export function burnTiles(rows: readonly BurnRow[]): string {
  const sum = (values: readonly (number | null | undefined)[]) =>
    values.every((value) => typeof value === 'number') ? values.reduce((total: number, value) => total + (value ?? 0), 0) : undefined;
  const bounded = rows.filter(({ budget }) => budget !== null);
  const over = rows.filter((row) => (row.over ?? 0) > 0).length;
  return tiles([
    ['Budget', timeText(sum(bounded.map(({ budget }) => budget)))],
    ['Spent', timeText(sum(rows.map(({ spent }) => spent)))],
    ['Left', timeText(sum(bounded.map(({ left }) => (left === undefined ? undefined : Math.max(0, left)))))],
    ['Overrun', rows.some(({ over }) => over === undefined) && over === 0 ? 'unknown' : `${over} of ${rows.length}`],
  ]);
}

function chartOf(row: BurnRow, day: string): string {
  const name = nameOfRow(row);
  const { weeks, budget, forecast } = row;
  const facts = [
    `${timeText(row.spent)} of ${budgetText(row)}`,
    ...(row.percent === undefined ? [] : [`${percentText(row)} used`]),
    ...(row.rate === undefined ? [] : [`${rateText(row)} a week`]),
    ...endFacts(forecast),
    ...(row.overSince === undefined ? [] : [`over since ${row.overSince}`]),
  ];
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (first === undefined || last === undefined) return '';
  const from = dayNumber(first.monday);
  const today = dayNumber(day);
  const spent = [
    { day: from, minutes: 0 },
    ...weeks.map(({ week, monday, minutes, total }) => ({
      day: Math.max(from, monday <= day && dayNumber(monday) + 6 > today ? today : dayNumber(monday) + 6),
      minutes: total,
      title: `${week}: ${formatDuration(minutes)}, ${formatDuration(total)} so far`,
    })),
  ];
  const reached = spent.at(-1)?.day ?? today;
  // The future part of a chart is at most as long as the past part. If the past part is shorter than 28 days, the limit is 28 days.
  const ends = [...new Set([forecast?.earliest, forecast?.latest])].flatMap((end) => (typeof end === 'string' ? dayNumber(end) : []));
  const to = Math.max(reached, from + 7, Math.min(ends.at(-1) ?? 0, reached + Math.max(reached - from, 28)));
  const ahead = ends.map((end) => aheadOf({ day: today, minutes: row.spent ?? last.total }, { day: end, minutes: budget ?? 0 }, to));
  const lines: ChartLine[] = [
    { look: 'solid', points: spent },
    ...(typeof budget === 'number' ? [{ look: 'bound', points: [from, to].map((at) => ({ day: at, minutes: budget })) } as const] : []),
    ...ahead.map((points) => ({ look: 'ahead', points }) as const),
  ];
  const chart = lineChart({ name: `${name}: ${facts.join(', ')}`, lines, ticks: ticksOf(from, to), today, from, to });
  const table = htmlTable({
    levels: ['Week'],
    columns: [{ label: 'Time' }, { label: 'So far' }],
    rows: weeks.map(({ week, minutes, total }) => ({
      label: week,
      cells: [minutes === 0 ? '' : formatDuration(minutes), formatDuration(total)],
    })),
  });
  const heading = row.project === undefined ? isolated(row.name) : `${isolated(row.project)}: ${isolated(row.name)}`;
  return section(
    heading,
    `<p class="facts">${withTimes(facts.join(' · '))}</p>${chart}<details><summary>By week</summary>${scrollable(`Weeks of ${htmlLine(name)}`, table)}</details>`,
  );
}

function endFacts({ earliest, latest }: BurnEnds = { earliest: undefined, latest: undefined }): string[] {
  if (earliest && earliest === latest) return [`ends on ${earliest}`];
  return [...(earliest ? [`ends on ${earliest} or later`] : []), ...(latest ? [`ends on ${latest} or earlier`] : [])];
}

/** Returns the line from the present point to a future point, cut off at the end of the chart. */
function aheadOf(here: ChartPoint, there: ChartPoint, to: number): ChartPoint[] {
  if (there.day <= to) return [here, there];
  const share = (to - here.day) / (there.day - here.day);
  return [here, { day: to, minutes: here.minutes + (there.minutes - here.minutes) * share }];
}

function ticksOf(from: number, to: number): { readonly day: number; readonly label: string }[] {
  const count = Math.min(5, Math.max(1, Math.floor((to - from) / 7)));
  return Array.from({ length: count + 1 }, (_, index) => {
    const day = Math.round(from + ((to - from) * index) / count);
    return { day, label: new Date(day * 86_400_000).toISOString().slice(0, 10) };
  });
}
