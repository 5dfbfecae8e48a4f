import type { Files } from '../../deps.ts';
import { type JsonObject, scalarText, stringifyJson } from '../../values/json.ts';
import { readRecords } from './lines.ts';

/** Lines that are written at once. */
const BATCH = 500;

/**
 * Puts the records of `changed` into those of `path`, each over the one with its id. Both are in the order of their ids, and
 * so is what comes out; neither is held in memory.
 */
export async function mergeById(files: Files, path: string, changed: string, target: string): Promise<void> {
  await files.truncate(target, 0);
  const older = readRecords(files, path);
  const newer = readRecords(files, changed);
  let lines: string[] = [];
  const write = async (record: JsonObject) => {
    lines.push(`${stringifyJson(record)}\n`);
    if (lines.length === BATCH) await files.append(target, lines.splice(0).join(''));
  };
  let old = await older.next();
  let fresh = await newer.next();
  while (!old.done || !fresh.done) {
    const order = old.done ? 1 : fresh.done ? -1 : idOf(old.value) - idOf(fresh.value);
    if (order < 0 && !old.done) {
      await write(old.value);
      old = await older.next();
    } else if (!fresh.done) {
      await write(fresh.value);
      if (order === 0) old = await older.next();
      fresh = await newer.next();
    }
  }
  if (lines.length > 0) await files.append(target, lines.join(''));
  lines = [];
}

function idOf(record: JsonObject): number {
  return Number(scalarText(record['id']));
}
