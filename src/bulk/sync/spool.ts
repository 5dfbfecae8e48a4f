import type { Files } from '../../deps.ts';
import { type JsonObject, stringifyJson } from '../../values/json.ts';
import { readExportedRecords } from '../export/lines.ts';

/** So many characters are held in memory; what comes then goes into the file. */
const PIECE = 256 * 1024;

/** Records on their way into a table: gathered first, however many, so that the table changes in one go. */
export interface Spool {
  /** The ids that were added, with when these records were made, as far as they say. */
  readonly made: ReadonlyMap<number, string | undefined>;
  add(id: number, record: JsonObject): Promise<void>;
  /** All of them, in the order they came. */
  records(): AsyncIterable<JsonObject>;
  /** Forgets them. */
  clear(): Promise<void>;
}

/** Makes a spool. @param path The file for records beyond the memory limit. svc overwrites the file of a killed svc. */
export function spoolAt(files: Files, path: string): Spool {
  const made = new Map<number, string | undefined>();
  let held: JsonObject[] = [];
  let size = 0;
  let isBegun = false;
  return {
    made,
    async add(id, record) {
      const stamp = record['created_at'];
      made.set(id, typeof stamp === 'string' ? stamp : undefined);
      held.push(record);
      size += stringifyJson(record).length;
      if (size < PIECE) return;
      if (!isBegun) await files.truncate(path, 0);
      isBegun = true;
      await files.append(path, held.map((each) => `${stringifyJson(each)}\n`).join(''));
      held = [];
      size = 0;
    },
    async *records() {
      if (isBegun) yield* readExportedRecords(files, path);
      yield* held;
    },
    async clear() {
      if (isBegun) await files.remove(path);
      isBegun = false;
      held = [];
      size = 0;
      made.clear();
    },
  };
}

/** Several spools, one after the other: of a record that comes twice, the last counts. */
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
