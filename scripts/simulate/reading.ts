import { HOME } from './disk.ts';
import { STRANGER } from './network.ts';
import type { Ended } from './process.ts';
import type { Service, ShownRecord } from './service.ts';

/** Returns the current ids of a resource. */
export const idsOf = (service: Service, noun: string): Set<number> => new Set(service.live(noun).map(({ id }) => id));

/** Returns the ids and rows of NDJSON. @throws SyntaxError for invalid JSON. */
export function readRows(text: string): { ids: number[]; rows: Record<string, unknown>[] } {
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { rows, ids: rows.map((row) => Number(row['id'])) };
}

/**
 * Checks a complete list. Each record that existed during the whole run must occur exactly once. A record that never existed must not
 * occur. Returns one line per error.
 */
export function judgeRows(service: Service, noun: string, before: ReadonlySet<number>, text: string): string[] {
  let ids: number[];
  try {
    ({ ids } = readRows(text));
  } catch (error) {
    return [`${noun}: not NDJSON: ${String(error)}`];
  }
  const wrong: string[] = [];
  const seen = new Set(ids);
  if (seen.size < ids.length) wrong.push(`${noun}: ${ids.length - seen.size} rows doubled`);
  const now = idsOf(service, noun);
  const lost = [...before].filter((id) => now.has(id) && !seen.has(id));
  if (lost.length > 0) wrong.push(`${noun}: rows lost: ${lost.join(', ')}`);
  const invented = ids.filter((id) => !before.has(id) && !service.hasBeen(noun, id));
  if (invented.length > 0) wrong.push(`${noun}: rows that never existed: ${invented.join(', ')}`);
  return wrong;
}

export const EXPORTED = ['worklogs', 'work-items', 'absences', 'labels'] as const;

/** A directory into which several commands export. */
export interface Export {
  readonly path: string;
  /** The ids that existed when the current export began. Undefined if no export is running. */
  before: Map<string, Set<number>> | undefined;
  isDone: boolean;
}

export const exportInto = (number: number): Export => ({ path: `${HOME}/backup-${number}`, before: undefined, isDone: false });

export function exporting({ path, isDone }: Export): string[] {
  return ['export', path, ...EXPORTED, '--no-children', '--view', 'summary', ...(isDone ? ['--since', 'last'] : [])];
}

/** Checks the files of an export. Returns one line per error. */
export function judgeExported(service: Service, files: ReadonlyMap<string, Buffer>, made: Export, ended: Ended): string[] {
  if (ended.code !== 0) return [];
  const wrong: string[] = [];
  for (const noun of EXPORTED) {
    const file = files.get(`${made.path}/${noun}.ndjson`)?.toString('utf8');
    if (file === undefined) wrong.push(`export: ${noun}.ndjson is missing`);
    else wrong.push(...judgeRows(service, noun, made.before?.get(noun) ?? new Set(), file).map((each) => `export ${made.path}: ${each}`));
  }
  made.isDone = true;
  made.before = undefined;
  return wrong;
}

/** Checks that an export has each record with all its fields, if nobody wrote during the export. Returns one line per error. */
export async function judgeCurrent(
  service: Service,
  files: ReadonlyMap<string, Buffer>,
  { path }: Export,
  isComplete: boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const noun of EXPORTED) {
    const { rows } = readRows(files.get(`${path}/${noun}.ndjson`)?.toString('utf8') ?? '');
    const stored = new Map(rows.map((row) => [Number(row['id']), row]));
    wrong.push(...differences(`export ${path}: ${noun}`, stored, await service.records(noun, 'summary'), isComplete));
  }
  return wrong;
}

/** The fields that the service calculates from other records. They change without a new `updated_at`. */
const CALCULATED = ['logged_minutes', 'comments_count', 'subtasks_count'];

/**
 * Compares stored records with those of the service, field by field. Addresses of another origin are left out, because svc stores what a
 * proxy wrote in place of the service. Returns one line per record that is missing, and per field that differs.
 *
 * @param isComplete false if svc only read the records with a new `updated_at`.
 */
export function differences(
  what: string,
  stored: ReadonlyMap<number, object>,
  records: readonly ShownRecord[],
  isComplete = true,
): string[] {
  const leftOut = isComplete ? [] : CALCULATED;
  return records.flatMap((record) => {
    const own = stored.get(record.id);
    if (own === undefined) return [`${what} ${record.id} is missing`];
    const fields = new Set([...Object.keys(record), ...Object.keys(own)]);
    const of = (row: object, name: string) => JSON.stringify((row as Readonly<Record<string, unknown>>)[name]);
    const other = [...fields].filter(
      (name) => !leftOut.includes(name) && !of(own, name)?.includes(STRANGER) && of(record, name) !== of(own, name),
    );
    return other.map((name) => `${what} ${record.id} has ${name} ${of(own, name)}, but ${of(record, name)} at the service`);
  });
}
