import { formatDuration } from '../values/duration.ts';
import { timeText } from './burn-view.ts';
import { type BurndownView, sumLine } from './burndown-view.ts';
import { chartLegend, dayNumber, lineChart } from './charts.ts';
import { section, tiles } from './page.ts';

export function burndownChart(view: BurndownView): string {
  return `${LEGEND}\n${section('Remaining hours', chartOf(view))}`;
}

const LEGEND = chartLegend([
  ['solid', 'Remaining at the end of the day'],
  ['ahead', 'Ideal'],
  ['now', 'Today'],
]);

export function burndownTiles({ estimated, logged, items, estimatedItems }: BurndownView): string {
  const left = estimated === undefined ? undefined : estimated - (logged ?? 0);
  return tiles([
    ['Estimated', timeText(estimated)],
    ['Work items', String(items), estimatedItems === items ? undefined : `${estimatedItems} estimated`],
    ['Logged', formatDuration(logged ?? 0)],
    ['Remaining', timeText(left)],
  ]);
}

function chartOf(view: BurndownView): string {
  const { days, estimated = 0, title, range, today: day } = view;
  const first = days[0]?.date ?? day;
  const from = dayNumber(first) - 1;
  const to = from + days.length;
  const started = days[0]?.remaining === undefined ? [] : [{ day: from, minutes: estimated }];
  const remaining = days.flatMap(({ date, label, logged, remaining: minutes }) =>
    minutes === undefined
      ? []
      : [{ day: dayNumber(date), minutes, title: `${label}: ${formatDuration(logged ?? 0)} logged, ${formatDuration(minutes)} remaining` }],
  );
  const today = dayNumber(day);
  return lineChart({
    name: `${title}, ${range}: ${sumLine(view)}`,
    lines: [
      {
        look: 'ahead',
        points: [{ day: from, minutes: estimated }, ...days.map(({ date, ideal = 0 }) => ({ day: dayNumber(date), minutes: ideal }))],
      },
      { look: 'solid', points: [...started, ...remaining] },
    ],
    ticks: days.map(({ date }) => ({ day: dayNumber(date), label: date })),
    ...(today >= from && today <= to && { today }),
    from,
    to,
  });
}
