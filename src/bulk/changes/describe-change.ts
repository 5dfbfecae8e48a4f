import type { Change } from '../../mirror/mirror.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../values/json.ts';

/**
 * A change as it is told. `id` names it for good: whoever gets it twice knows it by that. `kind` is as the mirror saw it: `created` is a
 * record that was not there at the look before, `deleted` one that is not there any more, for whatever reason the service has.
 *
 * @param mirror the word for the mirror that has it in its log.
 */
export function describeChange({ position, noun, id, before, after, seen_at }: Change, mirror: string): JsonObject {
  const [was, is] = [recordOf(before), recordOf(after)];
  return {
    id: changeId(mirror, position),
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
export function changeId(mirror: string, position: number): string {
  return `${mirror}-${position}`;
}

/** Names of the fields that one has otherwise than the other, or not at all. */
function differing(was: JsonObject, is: JsonObject): readonly string[] {
  const text = (value: JsonValue | undefined) => (value === undefined ? undefined : stringifyJson(value));
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => text(was[name]) !== text(is[name]));
}

function recordOf(text: string | undefined): JsonObject | null {
  const value = text === undefined ? undefined : parseJson(text);
  return isJsonObject(value) ? value : null;
}
