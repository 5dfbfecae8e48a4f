import { UsageError } from '../../errors.ts';

/** Programs whose exports are known by their columns. */
export type ExportKind = 'Toggl Track' | 'Clockify' | 'Harvest' | 'Tempo' | 'Kimai' | 'Timewarrior' | 'Watson' | 'klog';

/** A row of an export, in svc's terms; names are still names. */
export interface ExportRow {
  /** As it is written; `dateReader` knows the order of its parts. */
  readonly date: string;
  /** The column that it stands in, for whoever must mend it. */
  readonly dateColumn: string;
  readonly seconds: number;
  readonly project: string;
  /** Names of which one may be a project's, where the program knows no projects. */
  readonly maybeProjects?: readonly string[];
  readonly task: string;
  readonly tags: string;
  readonly description: string;
  /** Undefined where the export does not say. */
  readonly billable: boolean | undefined;
  /** All that it says of whose hours they are: e-mail addresses first, then names. Empty where it does not say. */
  readonly who: readonly string[];
  /** The other program has billed it, or handed it to whoever bills. */
  readonly invoiced?: boolean;
  /** Why it is no hours that were worked, in a few words: `of the type Break`. */
  readonly skip?: string;
  /** What an entry here cannot say, in a few words. */
  readonly remark?: string;
}

/** What reading a row takes of the world. */
export interface Around {
  /** The user's calendar day, `YYYY-MM-DD`, at a moment in milliseconds since 1970. */
  day(moment: number): string;
  /** The moment of a local date and time, `2031-03-31T09:00:00`, in the user's zone. @throws UsageError when it is none. */
  moment(local: string): number;
}

/** A way to read one program's rows. */
export interface ExportFormat {
  readonly kind: ExportKind;
  /** Whether a file is of this program, by its columns in lower case. */
  fits(has: (...names: readonly string[]) => boolean): boolean;
  /** @throws UsageError naming the column, for what cannot be meant. */
  read(cells: Cells, around: Around): ExportRow;
}

/** A row of a file by the names of its columns. */
export type CellsByName = Readonly<Record<string, string>>;

/** The cells of a row, found by their columns' names in any letters. */
export interface Cells {
  /** The first of these that is filled in; empty when none is. */
  (...names: readonly string[]): string;
  /** The same, handed to `read`, whose complaint then names the column as the file writes it. */
  read<T>(names: readonly string[], read: (text: string) => T): T;
  /** The column of the first of these that is filled in, as the file writes it. */
  column(...names: readonly string[]): string;
}

/** @param used Gets the names, in lower case, of all columns that were asked for. */
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

/** How columns are compared: `Start Date ` is `start date`. */
export function plainName(name: string): string {
  return name.trim().toLowerCase();
}

/** Puts the column before what `read` complains about. */
export function inColumn<T>(column: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`column "${column}": ${error.message}`, { hint: error.hint, details: error.details });
  }
}

/** `Yes`, `No` and how else programs write them; undefined where neither is said. */
export function yesOrNo(text: string): boolean | undefined {
  if (/^(?:yes|y|true|1|x)$/i.test(text)) return true;
  return /^(?:no|n|false|0)$/i.test(text) ? false : undefined;
}
