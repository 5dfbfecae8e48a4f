import { formatDuration } from '../values/duration.ts';
import { timeText } from './burn-view.ts';
import { type BurndownRow, type BurndownView, capacityLine, sumLine } from './burndown-view.ts';
import { drawPlot, PLOT_MARKS } from './plot.ts';
import { NOTHING, type Report, type ReportCell } from './report.ts';

const BURNDOWN_WORDS =
  'The chart compares the logged hours with the estimations of the work items in the sprint now. The chart does not count closed items, because the service documents no history of statuses. The ideal line goes down by the same amount on each calendar day.';

export function burndownReport(view: BurndownView): Report {
  const { title, range, days, estimated, notes, ahead } = view;
  // svc draws no chart if the sprint has no estimate.
  const isDrawn = estimated !== undefined && estimated > 0;
  const columns = days.map(({ date, remaining, ideal }) => ({ label: date.slice(5), value: remaining, line: ideal }));
  const charts = () => import('./burndown-chart.ts');
  return {
    title: `${title}, ${range}`,
    nameInTitle: title,
    parts: [
      { kind: 'drawing', html: async () => (await charts()).burndownTiles(view) },
      { kind: 'notes', lines: notes, only: ['page', 'markdown'] },
      {
        kind: 'drawing',
        ...(isDrawn && {
          text: (width = 80, styles) =>
            // If a sprint is too long for the terminal, the chart shows its last days.
            `${drawPlot({ columns }, width, styles).text}\n${styles.dim(`${PLOT_MARKS.full} remains at the end of the day  ${PLOT_MARKS.line} ideal`)}\n`,
          html: async () => (await charts()).burndownChart(view),
        }),
      },
      {
        kind: 'table',
        name: 'By day',
        levels: ['Day'],
        columns: ['Logged', 'So far', 'Remaining', 'Ideal', ...(ahead === undefined ? [] : ['Capacity left'])].map((label) => ({ label })),
        rows: days.map((day) => ({ label: day.label, cells: [...cellsOf(day), ...(ahead === undefined ? [] : [capacityText(day)])] })),
      },
      { kind: 'notes', lines: [sumLine(view)], only: ['table', 'spoken', 'markdown'] },
      { kind: 'notes', lines: capacityLine(view) },
      { kind: 'notes', look: 'faint', lines: [BURNDOWN_WORDS] },
    ],
  };
}

function capacityText({ capacityLeft }: BurndownRow): string {
  if (capacityLeft === undefined) return 'unknown';
  const { least, most } = capacityLeft;
  return `${least === most ? '' : 'up to '}${formatDuration(most)}`;
}

function cellsOf({ logged, total, remaining, ideal }: BurndownRow): ReportCell[] {
  const time = (minutes: number | undefined) =>
    minutes === undefined ? (logged === undefined ? NOTHING : 'unknown') : formatDuration(minutes);
  return [logged === 0 ? { text: NOTHING, spoken: 'nothing' } : time(logged), time(total), time(remaining), timeText(ideal)];
}
