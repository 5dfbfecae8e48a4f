import { ConflictError, withMore } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { UndoRequest } from '../journal/undo-plan.ts';
import type { Needs } from '../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../values/json.ts';
import { readRecord } from './read-record.ts';
import { isStale, recordAt } from './record-at.ts';
import { sendUndo } from './send-entry.ts';

/**
 * Undoes a write, unless its record was changed since. Returns the record as it is now, or that it is deleted.
 *
 * @throws ConflictError that names the fields that differ from the written values.
 */
export async function takeBack(context: Needs<'client'>, request: UndoRequest): Promise<JsonObject> {
  const { entry, method, path, ifMatch } = request;
  const item = path.replace(/\/actions\/[^/]+$/, '');
  // Without an ETag of the write, svc compares its fields.
  if (ifMatch === undefined) {
    const lines = await differences(context, item, entry);
    if (lines.length > 0) throw touched(entry, undefined, lines);
  }
  try {
    const response = await sendUndo(context, request);
    return method === 'DELETE' ? { id: entry.recordId ?? null, deleted: true } : readRecord(response);
  } catch (error) {
    throw isStale(error) ? touched(entry, error, await differences(context, item, entry)) : error;
  }
}

function touched(entry: JournalEntry, error: ConflictError | undefined, lines: readonly string[]): ConflictError {
  const message = `What entry ${entry.number} wrote was changed since, so it is left as it is.`;
  const hint =
    lines.length === 0 ? 'Other fields than those it wrote differ; look at the record.' : 'See what differs, and change it by hand.';
  const conflict = new ConflictError(message, { hint, cause: error, details: error?.details });
  return withMore(conflict, { lines });
}

/** The fields that do not have the written values. */
async function differences(context: Needs<'client'>, path: string, entry: JournalEntry): Promise<string[]> {
  const { record } = await recordAt(context, path);
  return Object.entries(written(entry)).flatMap(([name, value]) => {
    const now = record[name];
    return now === undefined || stringifyJson(now) === stringifyJson(value)
      ? []
      : [`${name}: you wrote ${shown(value)}, now it is ${shown(now)}`];
  });
}

function written({ body }: JournalEntry): JsonObject {
  const value = body === undefined ? undefined : parseJson(new TextDecoder().decode(body));
  return isJsonObject(value) ? value : {};
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
