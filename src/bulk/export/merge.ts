import type { Files } from '../../deps.ts';
import { type JsonObject, scalarText, stringifyJson } from '../../values/json.ts';
import { readRecords } from './lines.ts';

/** Lines that are written at once. */
const BATCH = 500;

/** A file whose records do not stand in the order of their ids, each once: nothing can be merged into it. */
export class DisorderedError extends Error {
  override readonly name = 'DisorderedError';
}

/**
 * Puts the records of `changed` into those of `path`, each over the one with its id. Both are in the order of their ids, and
 * so is what comes out; neither is held in memory.
 *
 * @throws DisorderedError where the older ones are not, though the file is as its manifest says: two exports may have written it at once.
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
  const following = async (before: JsonObject) => {
    const next = await older.next();
    if (!next.done && idOf(next.value) <= idOf(before)) throw new DisorderedError(`${path}: ${idOf(next.value)} after ${idOf(before)}`);
    return next;
  };
  let old = await older.next();
  let fresh = await newer.next();
  while (!old.done || !fresh.done) {
    const order = old.done ? 1 : fresh.done ? -1 : idOf(old.value) - idOf(fresh.value);
    if (order < 0 && !old.done) {
      await write(old.value);
      old = await following(old.value);
    } else if (!fresh.done) {
      await write(fresh.value);
      if (order === 0 && !old.done) old = await following(old.value);
      fresh = await newer.next();
    }
  }
  if (lines.length > 0) await files.append(target, lines.join(''));
  lines = [];
}

function idOf(record: JsonObject): number {
  return Number(scalarText(record['id']));
}
