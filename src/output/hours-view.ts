/** Hours added up, for a report. All times in minutes. */
export interface HoursView {
  readonly title: string;
  /** What the rows are, outermost first: `Project`. */
  readonly levels: readonly string[];
  readonly rows: readonly HoursRow[];
  readonly total: HoursTimes;
  /** What the columns over time are, for a page: `day`. */
  readonly period: string;
  readonly periods: readonly (HoursTimes & { readonly label: string })[];
  /** Full sentences about how it was added up. */
  readonly notes: readonly string[];
}

/** `billable`, `notBillable` and `billableUnknown` make up `minutes`. */
export interface HoursTimes {
  readonly minutes: number;
  readonly billable: number;
  readonly notBillable: number;
  readonly billableUnknown: number;
  readonly overtime: number;
  readonly overtimeUnknown: number;
  readonly entries: number;
}

export interface HoursRow extends HoursTimes {
  readonly label: string;
  /** 0 for the outermost. */
  readonly depth: number;
  /** Percent of the whole, with one decimal. */
  readonly share: number;
}
