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

/** Finds the fields that some records lack and no record has. A record without a related record (null) shows nothing about its fields. */
export function trackMissing(names: readonly string[]): { see(record: JsonObject): void; readonly missing: readonly string[] } {
  const unseen = new Map(names.map((name) => [name, name.split('.')]));
  const lacking = new Set<string>();
  return {
    see(record) {
      for (const [name, path] of unseen) {
        const isThere = hasField(record, path);
        if (isThere === true) unseen.delete(name);
        if (isThere === false) lacking.add(name);
      }
    },
    get missing() {
      return [...unseen.keys()].filter((name) => lacking.has(name));
    },
  };
}

/** Returns true if a value has a field. Undefined if null or an empty list replaces the object with the field. */
function hasField(value: JsonValue | undefined, path: readonly string[]): boolean | undefined {
  const [first, ...rest] = path;
  if (value === undefined || first === undefined) return value !== undefined;
  if (value === null) return undefined;
  if (!Array.isArray(value)) return isJsonObject(value) && hasField(ownEntry(value, first), rest);
  const found = value.map((item: JsonValue) => hasField(item, path));
  return found.includes(true) || (found.includes(false) ? false : undefined);
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
