import { formatDuration } from '../values/duration.ts';

/** The data of a burndown report. Times are in minutes. An unknown value is undefined, such as the logged time of a future day. */
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
  /** The capacity of the team on the days after today. Undefined if svc did not read the capacity. */
  readonly ahead?: TeamTime | undefined;
}

/** The bounds of a time, in minutes. Undefined if the time is unknown. */
export interface TeamTime {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

export interface BurndownRow {
  readonly date: string;
  readonly label: string;
  readonly logged: number | undefined;
  readonly total: number | undefined;
  readonly remaining: number | undefined;
  readonly ideal: number | undefined;
  readonly capacityLeft: { readonly least: number; readonly most: number } | undefined;
}

export function sumLine({ estimated, logged, items, estimatedItems }: BurndownView): string {
  const known = estimated === undefined ? 'not known' : formatDuration(estimated);
  const some = estimatedItems === items ? '' : `${estimatedItems} of `;
  const spent = logged === undefined ? '' : `, ${formatDuration(logged)} logged`;
  const left = estimated === undefined || logged === undefined ? '' : `, ${formatDuration(estimated - logged)} remaining`;
  return `Estimated: ${known} in ${some}${items} work item${items === 1 ? '' : 's'}${spent}${left}.`;
}

/** Compares the remaining time with the capacity of the team. Empty if svc did not read the capacity. */
export function capacityLine({ estimated, logged = 0, ahead }: Pick<BurndownView, 'estimated' | 'logged' | 'ahead'>): string[] {
  if (ahead === undefined) return [];
  const { least, most } = ahead;
  if (least === undefined || most === undefined) return ['Capacity of the days after today: unknown.'];
  const shown = least === most ? formatDuration(most) : `${formatDuration(least)} to ${formatDuration(most)}`;
  const remaining = estimated === undefined ? undefined : estimated - logged;
  const fits =
    remaining === undefined
      ? ''
      : remaining > most
        ? ` ${least === most ? '' : 'At least '}${formatDuration(remaining - most)} of the remaining time do not fit into the capacity.`
        : remaining <= least
          ? ' The remaining time fits into the capacity.'
          : ' svc does not know whether the remaining time fits.';
  return [`Capacity of the days after today: ${shown}.${fits}`];
}
