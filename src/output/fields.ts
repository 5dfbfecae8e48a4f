import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { ownEntry } from '../values/own-entry.ts';

/** Fields to show, as a tree in the order they were named: `['user.name', 'id']` → `user → name`, `id`. */
export type Selection = ReadonlyMap<string, Selection | undefined>;

/** Makes a {@link Selection} of dotted names; a name that covers another (`user`, `user.name`) wins. */
export function selectFields(names: readonly string[]): Selection {
  const root: MutableSelection = new Map();
  for (const name of names) select(root, name.split('.'));
  return root;
}

/**
 * The record with only the selected fields, nested ones still nested: `{"user":{"name":…},"id":…}`. In a list of objects each is narrowed.
 * Absent fields stay absent.
 */
export function pickFields(record: JsonObject, selection: Selection): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of selection) {
    const value = ownEntry(record, name);
    if (value !== undefined) entries.push([name, inner === undefined ? value : narrow(value, inner)]);
  }
  return Object.fromEntries(entries);
}

/** The value at a dotted name; through a list, the list of what its objects have there. Undefined when it is absent. */
export function fieldValue(record: JsonObject, name: string): JsonValue | undefined {
  return name.includes('.') ? follow(record, name.split('.')) : ownEntry(record, name);
}

/** Tracks which of the named fields no record has had so far, for a notice when the list is done. Where there was none, nothing is known of them. */
export function trackMissing(names: readonly string[]): { see(record: JsonObject): void; readonly missing: readonly string[] } {
  const missing = new Set(names);
  let hasSeen = false;
  return {
    see(record) {
      hasSeen = true;
      if (missing.size > 0) for (const name of missing) if (fieldValue(record, name) !== undefined) missing.delete(name);
    },
    get missing() {
      return hasSeen ? [...missing] : [];
    },
  };
}

type MutableSelection = Map<string, MutableSelection | undefined>;

function select(selection: MutableSelection, [first = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    selection.set(first, undefined);
    return;
  }
  if (selection.has(first) && selection.get(first) === undefined) return;
  const inner = selection.get(first) ?? new Map();
  selection.set(first, inner);
  select(inner, rest);
}

function narrow(value: JsonValue, selection: Selection): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => narrow(item, selection));
  return isJsonObject(value) ? pickFields(value, selection) : value;
}

function follow(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  const [first, ...rest] = path;
  if (first === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => follow(item, path)).filter((item) => item !== undefined);
  const inner = isJsonObject(value) ? ownEntry(value, first) : undefined;
  return inner === undefined ? undefined : follow(inner, rest);
}
