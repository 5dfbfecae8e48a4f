import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, jsonObjectIn, scalarText, stringifyJson } from '../values/json.ts';
import { idValue } from '../values/scalars.ts';
import { createsRecord } from './written-values.ts';

/** The parts of a planned write that can name records of earlier writes. */
interface Referring {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly before?: JsonObject | undefined;
  readonly takes?: readonly number[] | undefined;
}

const IN_PATH = /(?<=\/)\{\d+\}(?=[/?]|$)/g;

/** Returns the number of the write in a reference: 3 for `{3}`. Undefined for any other value. */
export function referredWrite(value: JsonValue | undefined): number | undefined {
  const [, number] = (typeof value === 'string' && /^\{([1-9]\d*)\}$/.exec(value)) || [];
  return number === undefined ? undefined : Number(number);
}

/** Replaces every string in the values of an object, at any depth. */
export function mapStrings(values: JsonObject, change: (text: string) => JsonValue): JsonObject {
  const changed = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(changed);
    return isJsonObject(value) && !isRawNumber(value) ? mapStrings(value, change) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, changed(value)]));
}

/**
 * Returns the write with ids instead of its references. The same ids always make the same bytes.
 * @param idOf returns the id of the record that a write created. Undefined keeps the reference.
 */
export function withIds<Write extends Referring>(write: Write, idOf: (write: number) => string | undefined): Write {
  const { path, body, before, takes = [] } = write;
  if (takes.length === 0) return write;
  const change = (text: string) => {
    const number = referredWrite(text) ?? 0;
    const id = takes.includes(number) ? idOf(number) : undefined;
    return id === undefined ? text : idValue(id);
  };
  return {
    ...write,
    path: path.replace(IN_PATH, (found) => scalarText(change(found))),
    ...(body !== undefined && { body: stringifyJson(mapStrings(jsonObjectIn(body) ?? {}, change)) }),
    ...(before !== undefined && { before: mapStrings(before, change) }),
  };
}

/** Returns true if the `takes` of a write are ascending numbers of earlier creates, each with a reference. True without `takes`. */
export function hasValidReferences(writes: readonly Referring[], index: number): boolean {
  const { takes, path = '', body, before = {} } = writes[index] ?? {};
  const members = body === undefined ? {} : jsonObjectIn(body);
  if (takes === undefined || members === undefined) return takes === undefined;
  const found = new Set((path.match(IN_PATH) ?? []).map(referredWrite));
  mapStrings({ members, before }, (text) => {
    found.add(referredWrite(text));
    return text;
  });
  const isCreate = (number: number) => writes.slice(number - 1, Math.min(number, index)).some(createsRecord);
  const isNext = (number: number, at: number) => number > (takes[at - 1] ?? 0);
  return takes.length > 0 && takes.every((number, at) => isNext(number, at) && found.has(number) && isCreate(number));
}
