import { isJsonObject, type JsonObject, type JsonValue, ownEntry } from '../values/json.ts';

/** A tree of field names in the order of selection. For example, `['user.name', 'id']` has the branches `user → name` and `id`. */
export type Selection = ReadonlyMap<string, Selection | undefined>;

export function selectFields(names: readonly string[]): Selection {
  const root: MutableSelection = new Map();
  for (const name of names) select(root, name.split('.'));
  return root;
}

export function pickFields(record: JsonObject, selection: Selection): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of selection) {
    const value = ownEntry(record, name);
    if (value !== undefined) entries.push([name, inner === undefined ? value : narrow(value, inner)]);
  }
  return Object.fromEntries(entries);
}

export function fieldPicker(names: readonly string[] | undefined): (record: JsonObject) => JsonObject {
  if (names === undefined) return (record) => record;
  const selection = selectFields(names);
  return (record) => pickFields(record, selection);
}

/**
 * Returns the value of a field. For a name with a list in its path, returns the values of all objects in the list. Undefined if the field
 * is absent.
 */
export function fieldValue(record: JsonObject, name: string): JsonValue | undefined {
  return name.includes('.') ? follow(record, name.split('.')) : ownEntry(record, name);
}

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
