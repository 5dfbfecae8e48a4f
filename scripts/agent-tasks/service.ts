/** A record as the service sends it. */
export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** What a sandbox says of itself: a line of `svc sandbox --output json`. */
export interface Place {
  readonly host: string;
  readonly base_url: string;
  readonly control_url: string;
  readonly tokens: readonly { readonly value: string }[];
}

/** All rows of each collection that somebody watches, by path and id. */
export type Snapshot = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** What no task may touch unless it is about it. */
const WATCHED = ['/worklogs', '/work-items', '/projects', '/customers', '/absences', '/timers', '/labels', '/sales-invoices'] as const;

/** What the service works out by itself, as other records come and go. */
const DERIVED = /^(?:links|updated_at|version|logged_minutes|total_amount|\w+_count)$/;

/** Reads the collections that are always watched, and those of a task, over HTTP, without svc. */
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

/** Sets what goes wrong from now on, and forgets the requests so far. */
export async function prepare({ control_url: control }: Place, faults: readonly string[]): Promise<void> {
  const response = await fetch(control, { method: 'POST', body: JSON.stringify({ faults }) });
  if (!response.ok) throw new Error(`The sandbox refuses the faults: ${await response.text()}`);
}

/** What became of a collection. */
export interface Difference {
  readonly created: readonly Row[];
  /** As they are now. */
  readonly changed: readonly Row[];
  readonly deleted: readonly Row[];
}

/** What is different in a collection, apart from what the service works out by itself. */
export function differenceOf(before: Snapshot, after: Snapshot, path: string): Difference {
  const old = before[path] ?? {};
  const now = after[path] ?? {};
  return {
    created: Object.values(now).filter(({ id }) => old[id] === undefined),
    changed: Object.values(now).filter((row) => old[row.id] !== undefined && settled(old[row.id]) !== settled(row)),
    deleted: Object.values(old).filter(({ id }) => now[id] === undefined),
  };
}

function settled(row: Row | undefined): string {
  return JSON.stringify(Object.entries(row ?? {}).filter(([name]) => !DERIVED.test(name)));
}
