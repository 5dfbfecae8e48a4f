import { formatDuration } from '../values/duration.ts';
import { hoursStep } from './hours-step.ts';
import { escapeHtml } from './html-escape.ts';

/** A column: a stretch of time and what was logged in it, in minutes. */
export interface ChartColumn {
  readonly label: string;
  readonly billable: number;
  readonly notBillable: number;
  /** Of which nobody knows whether it is billable. */
  readonly unknown: number;
}

/**
 * Columns over time as SVG, billable below, what may be above it, and the rest on top. Colours and fonts come from the page's style sheet, so that
 * it follows light, dark and paper.
 */
export function columnChart(columns: readonly ChartColumn[], name: string): string {
  const most = Math.max(0, ...columns.map(({ billable, notBillable, unknown }) => billable + notBillable + unknown));
  const step = hoursStep(most / 60);
  const top = Math.max(1, Math.ceil(most / 60 / step)) * step;
  const heightOf = (minutes: number) => (Math.max(0, minutes) / 60 / top) * PLOT.height;
  const slot = PLOT.width / Math.max(1, columns.length);
  const thick = Math.min(48, slot * 0.72);
  const bars = columns.map((column, index) => {
    const x = PLOT.left + index * slot + (slot - thick) / 2;
    return drawColumn(column, x, thick, heightOf);
  });
  const every = Math.max(1, Math.ceil(columns.length / Math.floor(PLOT.width / LABEL_ROOM)));
  const labels = columns.flatMap(({ label }, index) =>
    index % every === 0
      ? [
          `<text class="tick" x="${at(PLOT.left + (index + 0.5) * slot)}" y="${PLOT.bottom + 18}" text-anchor="middle">${escapeHtml(shortLabel(label))}</text>`,
        ]
      : [],
  );
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(name)}">`,
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="rest" width="6" height="6"/><line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>',
    ...gridLines(top, step),
    ...bars,
    ...labels,
    '</svg>',
  ].join('\n');
}

const WIDTH = 760;
const HEIGHT = 260;
const PLOT = { left: 52, width: 700, height: 200, bottom: 222 };
/** What a label below a column needs, so that none runs into the next. */
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
    rect('bill', PLOT.bottom - lower, lower) +
    rect('open', PLOT.bottom - lower - middle, middle) +
    rect('other', PLOT.bottom - lower - middle - upper, upper);
  return `<g><title>${escapeHtml(words)}</title>${parts}</g>`;
}

function gridLines(top: number, step: number): string[] {
  const count = Math.round(top / step);
  return Array.from({ length: count + 1 }, (_, index) => {
    const y = PLOT.bottom - (index / count) * PLOT.height;
    const line = `<line class="${index === 0 ? 'axis' : 'grid'}" x1="${PLOT.left}" y1="${at(y)}" x2="${PLOT.left + PLOT.width}" y2="${at(y)}"/>`;
    const hours = Number((index * step).toFixed(2));
    return `${line}<text class="tick" x="${PLOT.left - 8}" y="${at(y + 4)}" text-anchor="end">${hours}h</text>`;
  });
}

/** `2026-06-04` → `06-04`; weeks and months as they are. */
function shortLabel(label: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(label) ? label.slice(5) : label;
}

function at(value: number): string {
  return String(Number(value.toFixed(2)));
}
