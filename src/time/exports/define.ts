import { UsageError } from '../../errors.ts';
import type { DateContext } from '../../values/dates.ts';

export interface ExportRow {
  /** The date as the file writes it. `dateReader` finds the order of day and month. */
  readonly date: string;
  readonly dateColumn: string;
  readonly seconds: number;
  readonly project: string;
  /** Names that are possibly projects, if the program has no projects. */
  readonly maybeProjects?: readonly string[];
  readonly task: string;
  readonly tags: string;
  readonly description: string;
  readonly billable: boolean | undefined;
  /** E-mail addresses, then names, of the user who worked the hours of the row. Empty if unknown. */
  readonly who: readonly string[];
  readonly invoiced?: boolean;
  /** The reason to skip the row, in a few words: `of the type Break`, `still running`. Absent for a row to import. */
  readonly skip?: string;
  readonly remark?: string;
}

/** The fields of a row from a program without projects, tasks, tags, billing and users. */
export const NO_NAMES = { project: '', task: '', tags: '', billable: undefined, who: [] } as const;

export interface ExportFormat {
  readonly kind: 'Toggl Track' | 'Clockify' | 'Harvest' | 'Tempo' | 'Kimai' | 'Timewarrior' | 'Watson' | 'klog';
  /** Returns true if the file has the columns of this program. `has` expects names in lower case. */
  fits(has: (...names: readonly string[]) => boolean): boolean;
  /** Reads one row. @throws UsageError that names the column of a value that svc can’t read. */
  read(cells: Cells, dates: DateContext): ExportRow;
}

/** Returns the first named cell that is not empty, or an empty text. The names are in lower case; the file can use any letter case. */
export interface Cells {
  (...names: readonly string[]): string;
  /** Returns the result of `read` for the first named cell that is not empty, or for an empty text. Adds the column name to errors. */
  read<T>(names: readonly string[], read: (text: string) => T): T;
  column(...names: readonly string[]): string;
}

/** Creates the lookup for the cells of a row. @param used receives the lower-case names of all columns that a format looks up. */
export function cellsOf(row: Readonly<Record<string, string>>, used: Set<string>): Cells {
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

/** Normalises a column name for comparison: `Start Date ` becomes `start date`. */
export function plainName(name: string): string {
  return name.trim().toLowerCase();
}

export function inColumn<T>(column: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`column "${column}": ${error.message}`, { hint: error.hint, details: error.details });
  }
}

/** Reads `Yes`, `No`, `true`, `1` and similar words as a boolean. Returns undefined for any other text. */
export function yesOrNo(text: string): boolean | undefined {
  if (/^(?:yes|y|true|1|x)$/i.test(text)) return true;
  return /^(?:no|n|false|0)$/i.test(text) ? false : undefined;
}
