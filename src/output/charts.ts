import { escapeHtml, neutraliseLine } from './neutralise.ts';
import { isolated } from './page.ts';
import { hoursStep } from './plot.ts';

/** Minutes in three parts, which a chart draws one after the other. */
export interface ChartParts {
  readonly label: string;
  readonly full: number;
  readonly middle: number;
  readonly light: number;
}

/** One column of a chart: a time range with its hours. */
export interface ChartColumn extends ChartParts {
  readonly title: string;
  /** The minutes to work in this time range. Undefined if unknown. */
  readonly target?: number | undefined;
}

/** Draws columns over time as SVG. The full part of a column is at the bottom, and the light part at the top. */
export function columnChart(columns: readonly ChartColumn[], name: string): string {
  const most = Math.max(0, ...columns.flatMap((column) => [column.full + column.middle + column.light, column.target ?? 0])) / 60;
  const step = hoursStep(most);
  const { y, lines } = scaleOf(0, Math.max(1, Math.ceil(most / step)) * step, step);
  const slot = 100 / Math.max(1, columns.length);
  const thick = Math.min(8, slot * 0.72);
  const bars = columns.map((column, index) => {
    const x = (index + 0.5) * slot - thick / 2;
    let reached = 0;
    const rects = PARTS.map(([part, look]) => {
      const [from, to] = [y(reached / 60), y((reached + Math.max(0, column[part])) / 60)];
      reached += Math.max(0, column[part]);
      return from === to ? '' : `<rect class="${look}" x="${at(x)}%" y="${at(to)}" width="${at(thick)}%" height="${at(from - to)}"/>`;
    });
    const target =
      column.target === undefined
        ? ''
        : `<line class="target" x1="${at(index * slot)}%" x2="${at((index + 1) * slot)}%" y1="${at(y(column.target / 60))}" y2="${at(y(column.target / 60))}"/>`;
    return `<g><title>${escapeHtml(column.title)}</title>${rects.join('')}${target}</g>`;
  });
  const labels = columns.map(({ label }, index) => ({ place: (index + 0.5) * slot, label: shortLabel(label) }));
  return drawChart(name, [HATCH, ...lines, ...bars, ...labelsBelow(labels)]);
}

/** Draws a bar for each group, with its name and its value, as HTML. @param most minutes of a bar of full length. */
export function barList(rows: readonly (ChartParts & { readonly value: string; readonly share: string })[], most: number): string {
  const items = rows.map((row) => {
    const parts = PARTS.map(
      ([part, look]) => `<i class="${look}" style="width:${at((Math.max(0, row[part]) / Math.max(1, most)) * 100)}%"></i>`,
    );
    return `<li><span class="name">${isolated(row.label)}</span><span class="bar">${parts.join('')}</span><span class="value">${row.value} <small>${row.share}</small></span></li>`;
  });
  return `<ol class="bars">${items.join('')}</ol>`;
}

/** The parts of a column or a bar in the order of drawing, each with its class. */
const PARTS = [
  ['full', 'bill'],
  ['middle', 'open'],
  ['light', 'other'],
] as const;

const HATCH =
  '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="rest" width="6" height="6"/><line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>';

/** Shortens a date: `2026-06-04` becomes `06-04`. Labels of weeks and months stay unchanged. */
function shortLabel(label: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(label) ? label.slice(5) : label;
}

/** A line chart with days on the horizontal axis. */
export interface LineChart {
  /** The description of the chart for screen readers. */
  readonly name: string;
  readonly lines: readonly ChartLine[];
  readonly ticks: readonly { readonly day: number; readonly label: string }[];
  readonly today?: number;
  /** The first day of the chart (`from`) and the last day (`to`). All points must be on these days or between them. */
  readonly from: number;
  readonly to: number;
}

export interface ChartLine {
  /** The form of the line. `solid` has points and a filled area. `bound` is a thin line. `ahead` is dashed. */
  readonly look: 'solid' | 'bound' | 'ahead';
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  /** The day of the point, as days since 1970. */
  readonly day: number;
  readonly minutes: number;
  readonly title?: string;
}

export function lineChart({ name, lines, ticks, today, from, to }: LineChart): string {
  const all = lines.flatMap(({ points }) => points.map(({ minutes }) => minutes / 60));
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const step = hoursStep(most - least);
  const low = Math.floor(least / step) * step;
  const { y, lines: grid } = scaleOf(low, Math.max(low + step, Math.ceil(most / step) * step), step);
  const x = (day: number) => ((day - from) / Math.max(1, to - from)) * 100;
  const paths = lines.map(({ look, points }) => {
    const path = points.map(({ day, minutes }, index) => `${index === 0 ? 'M' : 'L'}${at(x(day))} ${at(y(minutes / 60))}`).join('');
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return '';
    const area = look === 'solid' ? `<path class="area" d="${path}L${at(x(last.day))} ${at(y(0))}L${at(x(first.day))} ${at(y(0))}Z"/>` : '';
    return `${area}<path class="line ${look}" d="${path}"/>`;
  });
  const dots = lines.flatMap(({ points }) =>
    points.flatMap(({ day, minutes, title }) =>
      title === undefined
        ? []
        : [
            `<circle class="dot" cx="${at(x(day))}%" cy="${at(y(minutes / 60))}" r="${points.length > MANY ? 1.5 : 3}"><title>${escapeHtml(title)}</title></circle>`,
          ],
    ),
  );
  return drawChart(name, [
    ...grid,
    ...(today === undefined ? [] : [`<line class="now" x1="${at(x(today))}%" x2="${at(x(today))}%" y1="${TOP}" y2="${BOTTOM}"/>`]),
    // The lines and the areas stretch with the width of the page. Points and labels keep their form.
    `<svg width="100%" height="${HEIGHT}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none" overflow="visible">${paths.join('')}</svg>`,
    ...dots,
    ...labelsBelow(ticks.map(({ day, label }) => ({ place: x(day), label }))),
  ]);
}

/** Returns the number of days from 1970 to a date `YYYY-MM-DD`. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}

/**
 * Draws a legend as HTML. `bill`, `other` and `open` are areas. The other forms are lines; `now` is the line of today.
 *
 * @param names pairs of a form and its name as HTML.
 */
export function chartLegend(names: readonly (readonly [look: keyof typeof SAMPLES, name: string])[]): string {
  const items = names.map(
    ([look, name]) => `<li><svg width="${look in AREAS ? 14 : 32}" height="14" aria-hidden="true">${SAMPLES[look]}</svg>${name}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

const AREAS = {
  bill: '<rect class="bill" width="14" height="14"/>',
  other: '<rect class="other" width="14" height="14"/>',
  open: '<rect class="open" width="14" height="14"/>',
} as const;

const SAMPLES = {
  ...AREAS,
  solid: '<path class="line solid" d="M2 7L30 7"/>',
  bound: '<path class="line bound" d="M2 7L30 7"/>',
  ahead: '<path class="line ahead" d="M2 7L30 7"/>',
  target: '<path class="target" d="M2 7L30 7"/>',
  now: '<path class="now" d="M16 0L16 14"/>',
} as const;

/** The height of a chart, and the highest and lowest points of its scale, in pixels. Horizontal positions are percentages of the width. */
const HEIGHT = 250;
const TOP = 12;
const BOTTOM = 214;
/** With more points than this number, the chart draws small points. */
const MANY = 60;

function drawChart(name: string, parts: readonly string[]): string {
  const label = escapeHtml(neutraliseLine(name));
  return [`<svg class="chart" role="img" aria-label="${label}">`, ...parts, '</svg>'].join('\n');
}

/** Returns the scale from `low` to `high` hours, and its horizontal lines with their labels, one per `step` of hours. */
function scaleOf(low: number, high: number, step: number) {
  const y = (hours: number) => BOTTOM - ((hours - low) / (high - low)) * (BOTTOM - TOP);
  const lines = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => {
    const hours = Number((low + index * step).toFixed(2));
    const line = `<line class="${hours === 0 ? 'axis' : 'grid'}" x1="0" x2="100%" y1="${at(y(hours))}" y2="${at(y(hours))}"/>`;
    return `${line}<text x="-8" y="${at(y(hours) + 4)}" text-anchor="end">${hours}h</text>`;
  });
  return { y, lines };
}

/** The least width of the plot on a phone and on a wider screen, in pixels. */
const SCREENS = [
  ['phone', 210],
  ['desk', 430],
] as const;
/** The assumed width of a character in a label, in pixels. */
const CHARACTER = 8;

/** Draws as many labels as fit a phone, and as many as fit a wider screen. The style sheet shows one of the two sets. */
function labelsBelow(labels: readonly { readonly place: number; readonly label: string }[]): string[] {
  return SCREENS.map(([screen, width]) => {
    let free = Number.NEGATIVE_INFINITY;
    const texts = labels.flatMap(({ place, label }) => {
      const half = ((label.length * CHARACTER) / 2 / width) * 100;
      // A label at the right edge ends under its column.
      const isLast = place + half > 100 + half / 2;
      const begin = place - half * (isLast ? 2 : 1);
      if (begin < free) return [];
      free = begin + 2 * half + (CHARACTER / width) * 100;
      return [`<text x="${at(place)}%" y="${BOTTOM + 22}" text-anchor="${isLast ? 'end' : 'middle'}">${escapeHtml(label)}</text>`];
    });
    return `<g class="${screen}">${texts.join('')}</g>`;
  });
}

function at(value: number): string {
  return String(Number(value.toFixed(2)));
}
