interface Expected {
  readonly rows: number | undefined;
  readonly units: number | undefined;
}

export type WorkLeft = ReturnType<typeof createWorkLeft>;

export function createWorkLeft() {
  const expected = new Map<string, Expected>();
  const files = new Map<string, number>();
  const change = (noun: string, next: (known: Expected) => Expected) => {
    const known = expected.get(noun);
    if (known !== undefined) expected.set(noun, next(known));
  };
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  return {
    /** Sets the number of all rows of a resource, and the remaining rate-limit units. An unknown number is undefined. */
    expect: (noun: string, left: Expected) => void expected.set(noun, left),
    spend: (noun: string, units: number) =>
      change(noun, (known) => ({ ...known, units: known.units === undefined ? undefined : Math.max(0, known.units - units) })),
    end: (noun: string) => change(noun, (known) => ({ ...known, units: 0 })),
    setRows: (file: string, rows: number) => void files.set(file, rows),
    /** Returns the number of rows so far, including the rows of an earlier run. */
    rows: () => sum(files.values()),
    /** Returns the number of all rows. Undefined if svc has not counted every resource. */
    allRows() {
      const rows = [...expected.values()].map((each) => each.rows);
      return rows.length === 0 || rows.includes(undefined) ? undefined : sum(rows.flatMap((each) => each ?? []));
    },
    /**
     * Returns the remaining rate-limit units. Undefined before the first count. `isWhole` is false if the cost of a resource is unknown.
     */
    units() {
      if (expected.size === 0) return undefined;
      const units = [...expected.values()].map((each) => each.units);
      return { units: sum(units.flatMap((each) => each ?? [])), isWhole: !units.includes(undefined) };
    },
  };
}
