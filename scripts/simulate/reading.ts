import { HOME } from './disk.ts';
import type { Ended } from './process.ts';
import type { Service } from './service.ts';

/** Returns the current ids of a resource. */
export const idsOf = (service: Service, noun: string): Set<number> => new Set(service.live(noun).map(({ id }) => id));

/** Returns the ids and rows of NDJSON. @throws SyntaxError for invalid JSON. */
function read(text: string): { ids: number[]; rows: Record<string, unknown>[] } {
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
    ({ ids } = read(text));
  } catch (error) {
    return [`${noun}: not NDJSON: ${String(error)}`];
  }
  const wrong: string[] = [];
  const seen = new Set(ids);
  if (seen.size < ids.length) wrong.push(`${noun}: ${ids.length - seen.size} rows doubled`);
  const now = idsOf(service, noun);
  const lost = [...before].filter((id) => now.has(id) && !seen.has(id));
  if (lost.length > 0) wrong.push(`${noun}: rows lost: ${lost.join(', ')}`);
  const { rows } = service.sandboxState.db.table(noun);
  const invented = ids.filter((id) => !rows.has(id) && !before.has(id) && !(noun === 'worklogs' && service.hasBeen(id)));
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

/** Checks that an export contains the current values, if nobody wrote during the export. Returns one line per error. */
export function judgeCurrent(service: Service, files: ReadonlyMap<string, Buffer>, { path }: Export): string[] {
  const { rows } = read(files.get(`${path}/worklogs.ndjson`)?.toString('utf8') ?? '');
  const current = new Map(rows.map((row) => [Number(row['id']), row['minutes']]));
  return service
    .live('worklogs')
    .filter(({ id, minutes }) => current.get(id) !== minutes)
    .map(({ id, minutes }) => `export ${path}: worklog ${id} has ${String(minutes)} minutes, and ${String(current.get(id))} there`);
}
