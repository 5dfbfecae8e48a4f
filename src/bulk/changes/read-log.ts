import type { ChangeReader } from '../../database/change-log.ts';
import type { Change } from '../../database/local-database.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../values/json.ts';

interface LogRead {
  /** The name of the log, which is the first part of each change’s id. */
  readonly name: string;
  readonly after: number;
  /** The most changes in a batch. */
  readonly size: number;
  readonly isAbout: (noun: string) => boolean;
}

/**
 * Yields the changes after a position in batches, oldest first. Each change has the form that svc prints.
 *
 * @param done receives the position of each batch when the caller requests the next batch. At the end, `done` receives the last position,
 * which can belong to a change of another resource.
 */
export async function* readLog(
  log: Pick<ChangeReader, 'changes'>,
  { name, after, size, isAbout }: LogRead,
  done: (position: number) => Promise<void>,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  let piece: JsonObject[] = [];
  let last = after;
  for await (const change of log.changes(last)) {
    last = change.position;
    if (isAbout(change.noun)) piece.push(describeChange(change, name));
    if (piece.length < size) continue;
    yield piece;
    await done(last);
    piece = [];
  }
  if (piece.length > 0) yield piece;
  await done(last);
}

/** Returns the record that svc prints for a change. The `id` is the same in every run, so a reader recognises a repeated change. */
function describeChange({ position, noun, id, before, after, seen_at }: Change, log: string): JsonObject {
  const [was, is] = [recordOf(before), recordOf(after)];
  return {
    id: `${log}-${position}`,
    position,
    kind: was === null ? 'created' : is === null ? 'deleted' : 'updated',
    noun,
    record_id: id,
    seen_at,
    changed: was === null || is === null ? [] : differing(was, is),
    before: was,
    after: is,
  };
}

function differing(was: JsonObject, is: JsonObject): readonly string[] {
  const text = (value: JsonValue | undefined) => (value === undefined ? undefined : stringifyJson(value));
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => text(was[name]) !== text(is[name]));
}

function recordOf(text: string | undefined): JsonObject | null {
  const value = text === undefined ? undefined : parseJson(text);
  return isJsonObject(value) ? value : null;
}
