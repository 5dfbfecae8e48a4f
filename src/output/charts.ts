import { formatDuration } from '../values/duration.ts';
import { escapeHtml, neutraliseLine } from './neutralise.ts';
import { hoursStep } from './plot.ts';

/** One column of a chart: a time range with its hours in minutes. */
export interface ChartColumn {
  readonly label: string;
  readonly billable: number;
  readonly notBillable: number;
  /** Minutes for which the service does not show if they are billable. */
  readonly unknown: number;
}

/**
 * Draws columns over time as SVG. Billable time is at the bottom, unknown time above it, and other time at the top. Colours and fonts come
 * from the page’s style sheet.
 */
export function columnChart(columns: readonly ChartColumn[], name: string): string {
  const most = Math.max(0, ...columns.map(({ billable, notBillable, unknown }) => billable + notBillable + unknown));
  const step = hoursStep(most / 60);
  const top = Math.max(1, Math.ceil(most / 60 / step)) * step;
  const heightOf = (minutes: number) => (Math.max(0, minutes) / 60 / top) * COLUMN_PLOT.height;
  const slot = COLUMN_PLOT.width / Math.max(1, columns.length);
  const thick = Math.min(48, slot * 0.72);
  const bars = columns.map((column, index) => {
    const x = COLUMN_PLOT.left + index * slot + (slot - thick) / 2;
    return drawColumn(column, x, thick, heightOf);
  });
  const every = Math.max(1, Math.ceil(columns.length / Math.floor(COLUMN_PLOT.width / LABEL_ROOM)));
  const labels = columns.flatMap(({ label }, index) =>
    index % every === 0
      ? [
          `<text class="tick" x="${at(COLUMN_PLOT.left + (index + 0.5) * slot)}" y="${COLUMN_PLOT.bottom + 18}" text-anchor="middle">${escapeHtml(shortLabel(label))}</text>`,
        ]
      : [],
  );
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(name)}">`,
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="rest" width="6" height="6"/><line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>',
    ...gridLines(COLUMN_PLOT, 0, top, step),
    ...bars,
    ...labels,
    '</svg>',
  ].join('\n');
}

const COLUMN_PLOT = { left: 52, width: 700, height: 200, bottom: 222 };
/** The width of a label, in units of the SVG. */
const LABEL_ROOM = 76;

function drawColumn(
  { label, billable, notBillable, unknown }: ChartColumn,
  x: number,
  thick: number,
  heightOf: (minutes: number) => number,
): string {
  const lower = heightOf(billable);
  const middle = heightOf(unknown);
  const upper = heightOf(notBillable);
  const open = unknown === 0 ? '' : `, ${formatDuration(unknown)} unknown`;
  const words = `${label}: ${formatDuration(billable)} billable, ${formatDuration(notBillable)} not billable${open}`;
  const rect = (name: string, y: number, height: number) =>
    height <= 0 ? '' : `<rect class="${name}" x="${at(x)}" y="${at(y)}" width="${at(thick)}" height="${at(height)}"/>`;
  const parts =
    rect('bill', COLUMN_PLOT.bottom - lower, lower) +
    rect('open', COLUMN_PLOT.bottom - lower - middle, middle) +
    rect('other', COLUMN_PLOT.bottom - lower - middle - upper, upper);
  return `<g><title>${escapeHtml(words)}</title>${parts}</g>`;
}

/** Shortens a date: `2026-06-04` becomes `06-04`. Labels of weeks and months stay unchanged. */
function shortLabel(label: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(label) ? label.slice(5) : label;
}

/** A line chart with days on the horizontal axis. */
export interface LineChart {
  /** The description of the chart for screen readers. */
  readonly name: string;
  readonly lines: readonly ChartLine[];
  /** The labels of days, in order. */
  readonly ticks: readonly { readonly day: number; readonly label: string }[];
  /** The day that the chart marks as today. */
  readonly today?: number;
  /** The first day of the chart (`from`) and the last (`to`). All points must be in between. */
  readonly from: number;
  readonly to: number;
}

export interface ChartLine {
  /** The form of the line. `solid` has points and a filled area. `bound` is a thin line. `ahead` is dashed. */
  readonly look: 'solid' | 'bound' | 'ahead';
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  /** The number of days since 1970. */
  readonly day: number;
  readonly minutes: number;
  /** The tooltip of the point. */
  readonly title?: string;
}

/** Draws lines as SVG. Colours and fonts come from the page’s style sheet and {@link LINE_STYLE}. */
export function lineChart({ name: given, lines, ticks, today, from, to }: LineChart): string {
  const name = neutraliseLine(given);
  const all = lines.flatMap(({ points }) => points.map(({ minutes }) => minutes / 60));
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const step = hoursStep(most - least);
  const bottom = Math.floor(least / step) * step;
  const top = Math.max(bottom + step, Math.ceil(most / step) * step);
  const x = (day: number) => LINE_PLOT.left + ((day - from) / Math.max(1, to - from)) * LINE_PLOT.width;
  const y = (hours: number) => LINE_PLOT.bottom - ((hours - bottom) / (top - bottom)) * LINE_PLOT.height;
  const drawn = lines.map(({ look, points }) => {
    const path = points.map(({ day, minutes }, index) => `${index === 0 ? 'M' : 'L'}${at(x(day))} ${at(y(minutes / 60))}`).join('');
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return '';
    const area = look === 'solid' ? `<path class="area" d="${path}L${at(x(last.day))} ${at(y(0))}L${at(x(first.day))} ${at(y(0))}Z"/>` : '';
    const dots = points.flatMap(({ day, minutes, title }) =>
      title === undefined
        ? []
        : [
            `<circle class="dot" cx="${at(x(day))}" cy="${at(y(minutes / 60))}" r="${points.length > MANY ? 1.5 : 3}"><title>${escapeHtml(title)}</title></circle>`,
          ],
    );
    return `${area}<path class="line ${look}" d="${path}"/>${dots.join('')}`;
  });
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(name)}">`,
    `<title>${escapeHtml(name)}</title>`,
    ...gridLines(LINE_PLOT, bottom, top, step),
    ...(today === undefined
      ? []
      : [`<line class="now" x1="${at(x(today))}" y1="${LINE_PLOT.top}" x2="${at(x(today))}" y2="${LINE_PLOT.bottom}"/>`]),
    ...drawn,
    ...labels(ticks, x),
    '</svg>',
  ].join('\n');
}

/** Returns the number of days from 1970 to a date `YYYY-MM-DD`. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}

/** The style of line charts, in addition to the style of every page. */
export const LINE_STYLE = `
.line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
.solid{stroke:var(--bill)}.area{fill:var(--bill);opacity:.14}.dot{fill:var(--bill)}
.bound{stroke:var(--rest);stroke-width:2}
.ahead{stroke:var(--soft);stroke-dasharray:2 7}
.now{stroke:var(--soft);stroke-width:1;stroke-dasharray:5 3}
.sample{display:inline-block;width:2rem;height:.7rem;vertical-align:-.05rem}
.legend span{display:inline-block;white-space:nowrap;margin-right:1.1rem}
.facts{margin:0 0 .5rem}
main tr>th:first-child{min-width:9rem}
details{margin-top:.5rem}summary{cursor:pointer;color:var(--soft)}
@media (max-width:36rem){svg .tick{font-size:19px}svg .minor{display:none}}
@media print{
.wide{overflow:visible}table{font-size:8.5pt}th,td{padding:.25rem .35rem}main tr>th:first-child{min-width:6rem}
details{display:none}section:has(svg){break-inside:avoid}
}
`;

/**
 * Draws a legend of lines as HTML. `now` is the line of the marked day.
 *
 * @param names pairs of a line’s form and its name as HTML.
 */
export function lineLegend(names: readonly (readonly [look: ChartLine['look'] | 'now', name: string])[]): string {
  const samples = names.map(([look, name]) => {
    const path = look === 'now' ? '<path class="now" d="M16 0L16 11"/>' : `<path class="line ${look}" d="M2 6L30 6"/>`;
    return `<span><svg class="sample" viewBox="0 0 32 11" aria-hidden="true">${path}</svg> ${name}</span>`;
  });
  return `<p class="legend">${samples.join(' ')}</p>`;
}

const WIDTH = 760;
const HEIGHT = 260;
const LINE_PLOT = { left: 62, top: 16, width: 690, height: 206, bottom: 222 };
/** The number of points above which the chart draws small points. */
const MANY = 60;
/** The width of a label, and the smallest gap between two labels. */
const LABEL = { width: 68, gap: 12 };

/** Draws as many labels as fit. A phone shows every second label. The first and last labels stay inside the plot. */
function labels(ticks: LineChart['ticks'], x: (day: number) => number): string[] {
  const right = LINE_PLOT.left + LINE_PLOT.width;
  let free = Number.NEGATIVE_INFINITY;
  let drawn = 0;
  return ticks.flatMap(({ day, label }) => {
    const place = x(day);
    const half = LABEL.width / 2;
    const anchor = place - half < LINE_PLOT.left - 20 ? 'start' : place + half > right + 10 ? 'end' : 'middle';
    const begin = place - { start: 0, middle: half, end: LABEL.width }[anchor];
    if (begin < free) return [];
    free = begin + LABEL.width + LABEL.gap;
    drawn += 1;
    return [
      `<text class="tick${drawn % 2 === 0 ? ' minor' : ''}" x="${at(place)}" y="${LINE_PLOT.bottom + 18}" text-anchor="${anchor}">${escapeHtml(label)}</text>`,
    ];
  });
}

/** Draws the horizontal grid lines with their labels, one per `step` of hours from `low` to `high`. */
function gridLines(plot: Omit<typeof LINE_PLOT, 'top'>, low: number, high: number, step: number): string[] {
  const { left, width, height, bottom } = plot;
  return Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => {
    const hours = Number((low + index * step).toFixed(2));
    const y = bottom - ((hours - low) / (high - low)) * height;
    const line = `<line class="${hours === 0 ? 'axis' : 'grid'}" x1="${left}" y1="${at(y)}" x2="${left + width}" y2="${at(y)}"/>`;
    return `${line}<text class="tick" x="${left - 8}" y="${at(y + 4)}" text-anchor="end">${hours}h</text>`;
  });
}

function at(value: number): string {
  return String(Number(value.toFixed(2)));
}
