import { formatDuration } from '../values/duration.ts';
import { type BurnRow, type BurnView, budgetText, nameOfRow, percentText, rateText, timeText } from './burn-view.ts';
import { drawPlot, PLOT_MARKS } from './plot.ts';
import { NOTHING, type Report, type ReportCell, type ReportPart, type ReportRow, type ReportTable } from './report.ts';
import type { Styles } from './styles.ts';

const FORECAST_WORDS =
  'A week: the average of the last four full weeks, Monday to Sunday. For a newer budget, svc takes the full weeks since its first entry. Ends: the day on which the budget is used up. svc assumes that each person keeps the share of their working hours that they logged in these weeks. Days off and leave reduce the working hours.';

const RANGE_WORDS =
  'Ends from, ends by: the budget ends between these days. Some leave or working hours are uncertain, so svc does not know the exact day.';

/**
 * Creates a report with a row and a bar per budget, grouped by project if there are several projects. A single budget also shows its weeks.
 * An HTML page also has charts of the budgets.
 */
export function burnReport(view: BurnView): Report {
  const { title, nameInTitle, day, rows, forecast } = view;
  const isNested = new Set(rows.map(({ project }) => project)).size > 1;
  const isOver = rows.some(({ over }) => over !== 0);
  const isRange = rows.some((row) => row.forecast?.earliest !== row.forecast?.latest);
  const ends = forecast ? ['A week', ...(isRange ? ['Ends from', 'Ends by'] : ['Ends'])] : [];
  const table = (withOver: boolean): ReportTable => ({
    kind: 'table',
    name: 'Budgets',
    levels: isNested ? ['Project', 'Budget'] : ['Budget'],
    columns: ['Holds', 'Spent', 'Left', 'Used', ...(withOver ? ['Over', 'Over since'] : []), ...ends].map((label) => ({ label })),
    rows: rows.flatMap((row, at): ReportRow[] => [
      ...(isNested && row.project !== rows[at - 1]?.project ? [{ label: row.project ?? 'Unknown project', cells: [] }] : []),
      {
        label: row.name,
        depth: isNested ? 1 : 0,
        cells: [
          budgetText(row),
          timeText(row.spent),
          row.budget === null ? NOTHING : timeText(row.left),
          percentText(row),
          ...(withOver ? [row.over === 0 || row.budget === null ? NOTHING : timeText(row.over), row.overSince ?? NOTHING] : []),
          ...(forecast ? [rateText(row), endCell(row, 'earliest'), ...(isRange ? [endCell(row, 'latest')] : [])] : []),
        ],
        bar: (width, styles) => drawBar(row, width, styles),
      },
    ]),
  });
  return {
    title: `${title} on ${day}`,
    nameInTitle,
    parts: [
      { kind: 'notes', lines: rows.length === 0 ? ['There are no budgets.'] : [] },
      { kind: 'drawing', html: async () => (await import('./burn-charts.ts')).burnTiles(rows) },
      { ...table(false), barsAfter: 4 + ends.length, only: ['table', 'spoken', 'markdown'] },
      { kind: 'drawing', text: (_, { dim }) => `${dim(`${FULL} spent  ${LIGHT} left  ${OVER} over`)}\n` },
      { kind: 'notes', lines: overrunLines(view) },
      { ...table(isOver), only: ['page'] },
      ...weeksOf(view),
      { kind: 'notes', look: 'faint', lines: forecast && rows.length > 0 ? [FORECAST_WORDS, ...(isRange ? [RANGE_WORDS] : [])] : [] },
      { kind: 'drawing', html: async () => (await import('./burn-charts.ts')).burnCharts(view) },
    ],
  };
}

function endCell({ over, left, budget, forecast }: BurnRow, edge: 'earliest' | 'latest'): ReportCell {
  if (over !== undefined && over > 0) return 'over';
  if (left === 0) return 'used up';
  if (budget === null) return NOTHING;
  const end = forecast?.[edge];
  return end === null ? { text: NOTHING, spoken: 'not within two years' } : (end ?? 'unknown');
}

function overrunLines({ rows }: Pick<BurnView, 'rows'>): string[] {
  return rows.flatMap((row) =>
    row.over === undefined || row.over === 0
      ? []
      : [`${nameOfRow(row)} is over by ${formatDuration(row.over)}${row.overSince === undefined ? '' : `, since ${row.overSince}`}.`],
  );
}

const FULL = '█';
const LIGHT = '░';
const OVER = '×';

/**
 * Draws the bar of a budget. The whole bar is the larger of the budget and the spent time. Empty without a limit, if the budget or the
 * spent time is unknown, and if both are zero.
 */
function drawBar({ budget, spent }: BurnRow, width: number, styles: Styles): string {
  const whole = Math.max(budget ?? 0, spent ?? 0);
  if (budget === null || budget === undefined || spent === undefined || whole <= 0) return '';
  const cells = (minutes: number) => Math.round((Math.max(0, minutes) / whole) * width);
  if (spent > budget) {
    // Even a small overrun gets at least one character.
    const over = Math.max(1, width - cells(budget));
    return styles.number(FULL.repeat(width - over)) + styles.tones.late(OVER.repeat(over));
  }
  const full = spent > 0 ? Math.max(1, spent < budget ? Math.min(width - 1, cells(spent)) : width) : 0;
  return styles.number(FULL.repeat(full)) + styles.dim(LIGHT.repeat(width - full));
}

function weeksOf({ rows: [only, ...others] }: BurnView): ReportPart[] {
  if (only === undefined || others.length > 0 || only.weeks.length === 0) return [];
  const { budget, weeks } = only;
  const columns = weeks.map(({ week, total }) => ({ label: week, value: total, line: budget ?? undefined }));
  return [
    {
      kind: 'table',
      name: 'By week',
      levels: ['Week'],
      columns: ['Time', 'So far'].map((label) => ({ label })),
      rows: weeks.map(({ week, minutes, total }) => ({ label: week, cells: [formatDuration(minutes), formatDuration(total)] })),
      only: ['markdown'],
    },
    {
      kind: 'notes',
      lines: weeks.map(({ week, minutes, total }) => `${week}: ${formatDuration(minutes)}, ${formatDuration(total)} so far`),
      only: ['spoken'],
    },
    {
      kind: 'drawing',
      text(width, styles) {
        const { text, drawn } = drawPlot({ columns, marksOver: true }, width ?? 80, styles);
        const legend = [
          `${PLOT_MARKS.full} spent by the end of the week`,
          ...(typeof budget === 'number' ? [`${PLOT_MARKS.line} the budget`, `${PLOT_MARKS.over} over`] : []),
          ...(drawn < weeks.length ? [`(the last ${drawn} of ${weeks.length} weeks)`] : []),
        ];
        return `${text}\n${styles.dim(legend.join('  '))}\n`;
      },
    },
  ];
}
