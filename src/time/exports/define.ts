import { UsageError } from '../../errors.ts';

/** Programs whose exports svc recognises by their columns. */
export type ExportKind = 'Toggl Track' | 'Clockify' | 'Harvest' | 'Tempo' | 'Kimai' | 'Timewarrior' | 'Watson' | 'klog';

/** A row of an export, with the fields of svc; names are not resolved yet. */
export interface ExportRow {
  /** As written; `dateReader` knows the order of its parts. */
  readonly date: string;
  /** Column of the date, for error messages. */
  readonly dateColumn: string;
  readonly seconds: number;
  readonly project: string;
  /** Names that may be a project’s, if the program knows no projects. */
  readonly maybeProjects?: readonly string[];
  readonly task: string;
  readonly tags: string;
  readonly description: string;
  /** Undefined if the export does not have it. */
  readonly billable: boolean | undefined;
  /** Everything that names the user of the hours: e-mail addresses first, then names. Empty if unknown. */
  readonly who: readonly string[];
  /** Whether the other program has billed the row, or exported it for billing. */
  readonly invoiced?: boolean;
  /** Why the row is no work, in a few words: `of the type Break`. */
  readonly skip?: string;
  /** A fact that an entry cannot express, in a few words. */
  readonly remark?: string;
}

/** The user’s zone and calendar. */
export interface Around {
  /** Returns the user’s calendar day, `YYYY-MM-DD`, at a timestamp in milliseconds since 1970. */
  day(moment: number): string;
  /** Returns the timestamp of a local date and time, `2031-03-31T09:00:00`, in the user’s zone. @throws UsageError for any other text. */
  moment(local: string): number;
}

/** Reads the rows of one program. */
export interface ExportFormat {
  readonly kind: ExportKind;
  /** Whether the columns, in lower case, are those of the program. */
  fits(has: (...names: readonly string[]) => boolean): boolean;
  /** @throws UsageError naming the column of a value that svc cannot read. */
  read(cells: Cells, around: Around): ExportRow;
}

/** A row of a file, by the names of its columns. */
export type CellsByName = Readonly<Record<string, string>>;

/** The cells of a row, by column names in any case. */
export interface Cells {
  /** Returns the first of these cells that is not empty; an empty string without one. */
  (...names: readonly string[]): string;
  /** Passes the same cell to `read`, and adds the column’s name to its errors. */
  read<T>(names: readonly string[], read: (text: string) => T): T;
  /** Returns the column of the first of these cells that is not empty, as the file writes it. */
  column(...names: readonly string[]): string;
}

/** @param used receives the names, in lower case, of all columns that were read. */
export function cellsOf(row: CellsByName, used: Set<string> = new Set()): Cells {
  const cells = new Map(Object.entries(row).map(([name, value]) => [plainName(name), { name: name.trim(), text: value.trim() }]));
  const find = (names: readonly string[]) => {
    for (const name of names) used.add(name);
    return names.map((name) => cells.get(name)).find((cell) => cell !== undefined && cell.text !== '');
  };
  return Object.assign((...names: readonly string[]) => find(names)?.text ?? '', {
    column: (...names: readonly string[]) => find(names)?.name ?? names[0] ?? '',
    read<T>(names: readonly string[], read: (text: string) => T): T {
      const cell = find(names);
      return inColumn(cell?.name ?? names[0] ?? '', () => read(cell?.text ?? ''));
    },
  });
}

/** Returns the name by which columns compare: `Start Date ` is `start date`. */
export function plainName(name: string): string {
  return name.trim().toLowerCase();
}

/** Puts the column before the error messages of `read`. */
export function inColumn<T>(column: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`column "${column}": ${error.message}`, { hint: error.hint, details: error.details });
  }
}

/** Reads `Yes`, `No` and other spellings of them; undefined for any other text. */
export function yesOrNo(text: string): boolean | undefined {
  if (/^(?:yes|y|true|1|x)$/i.test(text)) return true;
  return /^(?:no|n|false|0)$/i.test(text) ? false : undefined;
}
