/** A record as the service sends it. */
export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** The output of `svc sandbox --output json` for one sandbox. */
export interface Place {
  readonly host: string;
  readonly base_url: string;
  readonly control_url: string;
  readonly tokens: readonly { readonly value: string }[];
}

/** All rows of some lists, by path and id. */
export type Snapshot = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** The lists that a check always reads, because no unrelated task may change them. */
const WATCHED = ['/worklogs', '/work-items', '/projects', '/customers', '/absences', '/timers', '/labels', '/sales-invoices'] as const;

/** Matches fields that the service calculates itself. A check ignores their changes. */
const DERIVED = /^(?:links|updated_at|version|logged_minutes|total_amount|\w+_count)$/;

/** Reads the lists that every check needs, and those of one task. Uses HTTP directly, without svc. */
export async function snapshot(place: Place, more: readonly string[]): Promise<Snapshot> {
  const paths = [...WATCHED, ...more];
  const rows = await Promise.all(paths.map((path) => allRows(place, path)));
  return Object.fromEntries(paths.map((path, index) => [path, Object.fromEntries((rows[index] ?? []).map((row) => [row.id, row]))]));
}

async function allRows({ base_url: base, tokens }: Place, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = `${base}${path}?per_page=100&view=detail`; next !== null; ) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${tokens[0]?.value}` } });
    if (!response.ok) throw new Error(`GET ${next} answered ${response.status}.`);
    const page = (await response.json()) as { readonly data: readonly Row[]; readonly links: { readonly next: string | null } };
    rows.push(...page.data);
    next = page.links.next;
  }
  return rows;
}

/** Sets the faults of a sandbox, and clears its request log. */
export async function prepare({ control_url: control }: Place, faults: readonly string[]): Promise<void> {
  const response = await fetch(control, { method: 'POST', body: JSON.stringify({ faults }) });
  if (!response.ok) throw new Error(`The sandbox refuses the faults: ${await response.text()}`);
}

/** The changes of one list since the start of the task. */
export interface Difference {
  readonly created: readonly Row[];
  /** The changed rows in their current state. */
  readonly changed: readonly Row[];
  readonly deleted: readonly Row[];
}

/** Compares a list before and after the task. Ignores fields that the service calculates itself. */
export function differenceOf(before: Snapshot, after: Snapshot, path: string): Difference {
  const old = before[path] ?? {};
  const now = after[path] ?? {};
  return {
    created: Object.values(now).filter(({ id }) => old[id] === undefined),
    changed: Object.values(now).filter((row) => old[row.id] !== undefined && comparable(old[row.id]) !== comparable(row)),
    deleted: Object.values(old).filter(({ id }) => now[id] === undefined),
  };
}

function comparable(row: Row | undefined): string {
  return JSON.stringify(Object.entries(row ?? {}).filter(([name]) => !DERIVED.test(name)));
}
