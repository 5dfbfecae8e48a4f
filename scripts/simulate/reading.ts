import { HOME } from './disk.ts';
import type { Ended } from './process.ts';
import type { Service } from './service.ts';

/** The ids that a resource has at a moment. */
export const idsOf = (service: Service, noun: string): Set<number> => new Set(service.live(noun).map(({ id }) => id));

/** Ids of NDJSON. @throws SyntaxError */
function read(text: string): { ids: number[]; rows: Record<string, unknown>[] } {
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { rows, ids: rows.map((row) => Number(row['id'])) };
}

/**
 * What must not be of a list that says it is whole: each record that was there from the beginning to the end stands in it once, and
 * nothing that never was.
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
  const { rows } = service.world.db.table(noun);
  const invented = ids.filter((id) => !rows.has(id) && !before.has(id) && !(noun === 'worklogs' && service.hasBeen(id)));
  if (invented.length > 0) wrong.push(`${noun}: rows that never were: ${invented.join(', ')}`);
  return wrong;
}

export const EXPORTED = ['worklogs', 'work-items', 'absences', 'labels'] as const;

/** A directory that is exported into, by one command after the other. */
export interface Export {
  readonly path: string;
  /** What was there when the export that is under way began. */
  before: Map<string, Set<number>> | undefined;
  isDone: boolean;
}

export const exportInto = (number: number): Export => ({ path: `${HOME}/backup-${number}`, before: undefined, isDone: false });

export function exporting({ path, isDone }: Export): string[] {
  return ['export', path, ...EXPORTED, '--no-children', '--view', 'summary', ...(isDone ? ['--since', 'last'] : [])];
}

/** @param isQuiet Nobody wrote while it ran: then it holds exactly what is there. */
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

/** Whether an export that nobody wrote beside is of today: a change that it lacks is a change that was lost. */
export function judgeCurrent(service: Service, files: ReadonlyMap<string, Buffer>, { path }: Export): string[] {
  const { rows } = read(files.get(`${path}/worklogs.ndjson`)?.toString('utf8') ?? '');
  const kept = new Map(rows.map((row) => [Number(row['id']), row['minutes']]));
  return service
    .live('worklogs')
    .filter(({ id, minutes }) => kept.get(id) !== minutes)
    .map(({ id, minutes }) => `export ${path}: worklog ${id} has ${String(minutes)} minutes, and ${String(kept.get(id))} there`);
}
