import type { Change } from '../../mirror/mirror.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../values/json.ts';

/** The `id` never differs between runs, so a reader recognises a repeated change. @param log the name of the log with the change. */
export function describeChange({ position, noun, id, before, after, seen_at }: Change, log: string): JsonObject {
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
