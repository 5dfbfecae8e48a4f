import type { Change } from '../../mirror/mirror.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../values/json.ts';

/**
 * Describes a change for output. Its `id` never changes, so a reader recognises a change that it gets twice. `kind` compares two checks of the
 * local database: a `created` record was not there at the check before, and a `deleted` one is no longer there.
 *
 * @param log The name of the log that has the change.
 */
export function describeChange({ position, noun, id, before, after, seen_at }: Change, log: string): JsonObject {
  const [was, is] = [recordOf(before), recordOf(after)];
  return {
    id: changeId(log, position),
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

/** `1f0c2a94b7d3-17`. */
function changeId(log: string, position: number): string {
  return `${log}-${position}`;
}

/** Returns the names of the fields that differ between two records, or that only one of them has. */
function differing(was: JsonObject, is: JsonObject): readonly string[] {
  const text = (value: JsonValue | undefined) => (value === undefined ? undefined : stringifyJson(value));
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => text(was[name]) !== text(is[name]));
}

function recordOf(text: string | undefined): JsonObject | null {
  const value = text === undefined ? undefined : parseJson(text);
  return isJsonObject(value) ? value : null;
}
