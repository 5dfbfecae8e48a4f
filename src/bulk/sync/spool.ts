import type { Files } from '../../deps.ts';
import { type JsonObject, stringifyJson } from '../../values/json.ts';
import { readExportedRecords } from '../export/lines.ts';

/** The most characters that a spool keeps in memory. Further records go into a file. */
const PIECE = 256 * 1024;

/** Gathers any number of records, so that one transaction can write all records to a table. */
export interface Spool {
  /** The creation time of each added record, by id. Undefined for a record without a creation time. */
  readonly made: ReadonlyMap<number, string | undefined>;
  /** Returns true if this spool or an earlier spool has a record with the id. */
  has(id: number): boolean;
  add(id: number, record: JsonObject): Promise<void>;
  /** Yields all records in the order of the calls of {@link add}. */
  records(): AsyncIterable<JsonObject>;
  clear(): Promise<void>;
}

/**
 * Creates a spool.
 *
 * @param path file for records beyond the memory limit. svc overwrites a file that a killed svc process left.
 * @param earlier spool whose records svc writes before the records of this spool.
 */
export function spoolAt(files: Files, path: string, earlier?: Spool): Spool {
  const made = new Map<number, string | undefined>();
  let inMemory: JsonObject[] = [];
  let size = 0;
  let isStarted = false;
  return {
    made,
    has: (id) => made.has(id) || earlier?.has(id) === true,
    async add(id, record) {
      const stamp = record['created_at'];
      made.set(id, typeof stamp === 'string' ? stamp : undefined);
      inMemory.push(record);
      size += stringifyJson(record).length;
      if (size < PIECE) return;
      if (!isStarted) await files.truncate(path, 0);
      isStarted = true;
      await files.append(path, inMemory.map((each) => `${stringifyJson(each)}\n`).join(''));
      inMemory = [];
      size = 0;
    },
    async *records() {
      if (isStarted) yield* readExportedRecords(files, path);
      yield* inMemory;
    },
    async clear() {
      if (isStarted) await files.remove(path);
      isStarted = false;
      inMemory = [];
      size = 0;
      made.clear();
    },
  };
}

/** Combines several spools in order. If a record is in two spools, the later spool takes precedence. */
export function spoolsInOrder(spools: readonly Spool[]): Pick<Spool, 'made' | 'records' | 'clear'> {
  return {
    get made() {
      return new Map(spools.flatMap(({ made }) => [...made]));
    },
    async *records() {
      for (const spool of spools) yield* spool.records();
    },
    async clear() {
      for (const spool of spools) await spool.clear();
    },
  };
}
