import { formatDuration } from '../values/duration.ts';

/** The data of a burndown report. Times are in minutes. An unknown value is undefined. */
export interface BurndownView {
  readonly title: string;
  readonly range: string;
  readonly today: string;
  readonly days: readonly BurndownRow[];
  readonly estimated: number | undefined;
  readonly logged: number | undefined;
  /** `items`: the number of work items. `estimatedItems`: the number of work items with an estimate. */
  readonly items: number;
  readonly estimatedItems: number;
  readonly notes: readonly string[];
}

export interface BurndownRow {
  readonly date: string;
  readonly label: string;
  readonly logged: number | undefined;
  readonly total: number | undefined;
  readonly remaining: number | undefined;
  readonly ideal: number | undefined;
}

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
