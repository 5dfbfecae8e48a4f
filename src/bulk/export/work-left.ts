/** The rows and rate-limit units that an export still has to read. */
export interface WorkLeft {
  /** Sets what a resource still needs; undefined where nobody knows. */
  expect(noun: string, left: Expected): void;
  /** A request for a resource was answered. */
  spend(noun: string, units: number): void;
  /** A resource is done: it needs nothing more. */
  end(noun: string): void;
  /** Sets how many rows a file has. */
  setRows(file: string, rows: number): void;
  /** Rows so far, with those of an earlier run. */
  rows(): number;
  /** Rows in all; undefined if those of a resource are unknown, or nothing was counted. */
  allRows(): number | undefined;
  /** Units that are left, as far as svc knows them. Undefined before anything was counted. */
  units(): { readonly units: number; readonly isWhole: boolean } | undefined;
}

/** The needs of a resource: rows in all, and units that are left. */
export interface Expected {
  readonly rows: number | undefined;
  readonly units: number | undefined;
}

export function createWorkLeft(): WorkLeft {
  const expected = new Map<string, Expected>();
  const files = new Map<string, number>();
  const change = (noun: string, next: (known: Expected) => Expected) => {
    const known = expected.get(noun);
    if (known !== undefined) expected.set(noun, next(known));
  };
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  return {
    expect: (noun, left) => void expected.set(noun, left),
    spend: (noun, units) =>
      change(noun, (known) => ({ ...known, units: known.units === undefined ? undefined : Math.max(0, known.units - units) })),
    end: (noun) => change(noun, (known) => ({ ...known, units: 0 })),
    setRows: (file, rows) => void files.set(file, rows),
    rows: () => sum(files.values()),
    allRows() {
      const rows = [...expected.values()].map((each) => each.rows);
      return rows.length === 0 || rows.includes(undefined) ? undefined : sum(rows.flatMap((each) => each ?? []));
    },
    units() {
      if (expected.size === 0) return undefined;
      const units = [...expected.values()].map((each) => each.units);
      return { units: sum(units.flatMap((each) => each ?? [])), isWhole: !units.includes(undefined) };
    },
  };
}
