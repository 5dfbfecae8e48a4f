import { hoursStep } from './hours-step.ts';
import { escapeHtml } from './html-escape.ts';
import { neutraliseLine } from './neutralise.ts';

/** Lines over days as SVG. */
export interface LineChart {
  /** What it shows, for who does not see it. */
  readonly name: string;
  readonly lines: readonly ChartLine[];
  /** Marks of the days below, in their order. */
  readonly ticks: readonly { readonly day: number; readonly label: string }[];
  /** A day that is marked by a line of its own: today. */
  readonly today?: number;
  /** The days that the chart goes from and to; all points lie between. */
  readonly from: number;
  readonly to: number;
}

export interface ChartLine {
  /**
   * What it is drawn as: `solid` with an area below and its points, `bound` a line across, `ahead` dashed. They differ in more than colour.
   */
  readonly look: 'solid' | 'bound' | 'ahead';
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  /** As a number of days since any day. */
  readonly day: number;
  readonly minutes: number;
  /** What a pointer that rests on it is told. */
  readonly title?: string;
}

/** Colours and fonts come from the page's style sheet and {@link LINE_STYLE}, so that it follows light, dark and paper. */
export function lineChart({ name: given, lines, ticks, today, from, to }: LineChart): string {
  const name = neutraliseLine(given);
  const all = lines.flatMap(({ points }) => points.map(({ minutes }) => minutes / 60));
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const step = hoursStep(most - least);
  const bottom = Math.floor(least / step) * step;
  const top = Math.max(bottom + step, Math.ceil(most / step) * step);
  const x = (day: number) => PLOT.left + ((day - from) / Math.max(1, to - from)) * PLOT.width;
  const y = (hours: number) => PLOT.bottom - ((hours - bottom) / (top - bottom)) * PLOT.height;
  const grid = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => {
    const hours = Number((bottom + index * step).toFixed(2));
    return `<line class="${hours === 0 ? 'axis' : 'grid'}" x1="${PLOT.left}" y1="${at(y(hours))}" x2="${PLOT.left + PLOT.width}" y2="${at(y(hours))}"/><text class="tick" x="${PLOT.left - 8}" y="${at(y(hours) + 4)}" text-anchor="end">${hours}h</text>`;
  });
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
    ...grid,
    ...(today === undefined ? [] : [`<line class="now" x1="${at(x(today))}" y1="${PLOT.top}" x2="${at(x(today))}" y2="${PLOT.bottom}"/>`]),
    ...drawn,
    ...labels(ticks, x),
    '</svg>',
  ].join('\n');
}

/** Days since 1970, of `YYYY-MM-DD`. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}

/** What these charts need beside the style of every page. */
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

/** What lines mean, in a line; `now` is the day that is marked. Names are HTML. */
export function lineLegend(names: readonly (readonly [look: ChartLine['look'] | 'now', name: string])[]): string {
  const samples = names.map(([look, name]) => {
    const path = look === 'now' ? '<path class="now" d="M16 0L16 11"/>' : `<path class="line ${look}" d="M2 6L30 6"/>`;
    return `<span><svg class="sample" viewBox="0 0 32 11" aria-hidden="true">${path}</svg> ${name}</span>`;
  });
  return `<p class="legend">${samples.join(' ')}</p>`;
}

const WIDTH = 760;
const HEIGHT = 260;
const PLOT = { left: 62, top: 16, width: 690, height: 206, bottom: 222 };
/** Points of a line that has more are small. */
const MANY = 60;
/** What a label below takes, and the least between two of them. */
const LABEL = { width: 68, gap: 12 };

/** As many labels as there is room for, on a phone every other one; those at the ends stay within the plot. */
function labels(ticks: LineChart['ticks'], x: (day: number) => number): string[] {
  const right = PLOT.left + PLOT.width;
  let free = Number.NEGATIVE_INFINITY;
  let drawn = 0;
  return ticks.flatMap(({ day, label }) => {
    const place = x(day);
    const half = LABEL.width / 2;
    const anchor = place - half < PLOT.left - 20 ? 'start' : place + half > right + 10 ? 'end' : 'middle';
    const begin = place - { start: 0, middle: half, end: LABEL.width }[anchor];
    if (begin < free) return [];
    free = begin + LABEL.width + LABEL.gap;
    drawn += 1;
    return [
      `<text class="tick${drawn % 2 === 0 ? ' minor' : ''}" x="${at(place)}" y="${PLOT.bottom + 18}" text-anchor="${anchor}">${escapeHtml(label)}</text>`,
    ];
  });
}

function at(value: number): string {
  return String(Number(value.toFixed(2)));
}
