import { formatDuration } from '../values/duration.ts';

/** The days of a sprint, prepared for drawing. Times are in minutes. An unknown value is undefined. */
export interface BurndownView {
  readonly title: string;
  /** The dates of the sprint, such as `2026-06-08 to 2026-06-28`. */
  readonly span: string;
  readonly today: string;
  readonly days: readonly BurndownRow[];
  readonly estimated: number | undefined;
  readonly logged: number | undefined;
  /** `items`: the number of work items. `estimatedItems`: the number of work items with an estimate. */
  readonly items: number;
  readonly estimatedItems: number;
  /** Sentences about missing estimates and unknown values. */
  readonly notes: readonly string[];
}

export interface BurndownRow {
  readonly date: string;
  /** The weekday and date, such as `Thu 2026-06-04`. */
  readonly label: string;
  readonly logged: number | undefined;
  readonly total: number | undefined;
  readonly remaining: number | undefined;
  readonly ideal: number | undefined;
}

/** Returns a summary such as `Estimated: 120h in 12 of 14 work items, 64h30 logged, 55h30 remaining.` */
export function sumLine({
  estimated,
  logged,
  items,
  estimatedItems,
}: Omit<BurndownView, 'title' | 'span' | 'today' | 'days' | 'notes'>): string {
  const known = estimated === undefined ? 'not known' : formatDuration(estimated);
  const some = estimatedItems === items ? '' : `${estimatedItems} of `;
  const spent = logged === undefined ? '' : `, ${formatDuration(logged)} logged`;
  const left = estimated === undefined || logged === undefined ? '' : `, ${formatDuration(estimated - logged)} remaining`;
  return `Estimated: ${known} in ${some}${items} work item${items === 1 ? '' : 's'}${spent}${left}.`;
}
