import { UsageError } from '../errors.ts';
import { type JsonObject, type JsonValue, parseJson } from './json.ts';
import { quote } from './text.ts';

/** Reads one `--filter`: `field=value`, or `field.operator=value`. The first `=` ends the name. @throws UsageError for any other text. */
export function parseFilterExpression(text: string): { readonly field: string; readonly operator?: string; readonly value: string } {
  const [, field, operator, value] = /^\s*([a-z]\w*)(?:\.([a-z]\w*))?\s*=(.*)$/is.exec(text) ?? [];
  if (field === undefined || value === undefined) {
    const why = text.includes('=')
      ? `${quote(text.slice(0, text.indexOf('=')))} is not a field to filter by.`
      : `${quote(text)} has no "=".`;
    throw new UsageError(`Filter: ${why}`, {
      hint: 'Write <field>=<value> or <field>.<operator>=<value>, for example start.gte=2025-01-01 or user_id=me.',
    });
  }
  return operator === undefined ? { field, value } : { field, operator, value };
}

export interface Assignment {
  /** The segments of the name: `a[b][]` becomes `['a', 'b', APPEND]`. */
  readonly path: readonly Segment[];
  readonly value: AssignedValue;
}

type AssignedValue =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly text: string }
  | { readonly kind: 'file'; readonly path: string };

/** A key of an object, or the end of a list (written `[]`). */
export type Segment = string | typeof APPEND;

export const APPEND: unique symbol = Symbol('append');

/** Reads `-f name=value`. The value is always a string. @throws UsageError without an `=`, or for a malformed name. */
export function parseRawField(text: string): Assignment {
  const { path, value } = split(text);
  return { path, value: { kind: 'value', value, text: value } };
}

/**
 * Reads `-F name=value` by the rules of `gh api`.
 * - `true`, `false`, `null` and integers keep their type.
 * - `@file` and `@-` name the file with the value.
 * - Anything else is a string. A decimal is a string too, because it might be money (rule 2.26).
 * @throws UsageError without an `=`, for a malformed name, or for an `@` without a file.
 */
export function parseTypedField(text: string): Assignment {
  const { path, value } = split(text);
  if (!value.startsWith('@')) return { path, value: { kind: 'value', value: TYPED.test(value) ? parseJson(value) : value, text: value } };
  if (value === '@') throw new UsageError(`${quote(text)} names no file.`, { hint: 'Write name=@file, or name=@- for standard input.' });
  return { path, value: { kind: 'file', path: value.slice(1) } };
}

/**
 * Builds a body from values: `a[b]=1` → `{"a":{"b":1}}`, `a[]=1` `a[]=2` → `{"a":[1,2]}`, `a[][b]=1` `a[][c]=2` `a[][b]=3` →
 * `{"a":[{"b":1,"c":2},{"b":3}]}`. A key that the last object of a list already has starts the next object.
 * @throws UsageError if two values exclude each other (`a=1` and `a[b]=2`, or `a=1` twice).
 */
export function buildBody(fields: readonly { readonly path: readonly Segment[]; readonly value: JsonValue }[]): JsonObject {
  const root: Branch = new Map();
  for (const { path, value } of fields) assign(root, path, value, path);
  return plainObject(root);
}

export function writePath(path: readonly Segment[]): string {
  return path.map((segment, index) => (segment === APPEND ? '[]' : index === 0 ? segment : `[${segment}]`)).join('');
}

const HINT = 'Write name=value, parent[child]=value, or list[]=value.';
const TYPED = /^(?:true|false|null|-?(?:0|[1-9]\d*))$/;

function split(text: string): { readonly path: readonly Segment[]; readonly value: string } {
  const equals = text.indexOf('=');
  if (equals < 0) throw new UsageError(`${quote(text)} has no "=".`, { hint: HINT });
  const name = text.slice(0, equals).trim();
  if (!/^[^[\]]+(?:\[[^[\]]*\])*$/.test(name)) throw new UsageError(`${quote(name)} is not a field name.`, { hint: HINT });
  const [first = '', ...rest] = name.split('[');
  return { path: [first, ...rest.map((part) => (part === ']' ? APPEND : part.slice(0, -1)))], value: text.slice(equals + 1) };
}

type Branch = Map<string, Tree>;
type Tree = Branch | Tree[] | Leaf;
interface Leaf {
  readonly leaf: JsonValue;
}

function assign(branch: Branch, path: readonly Segment[], value: JsonValue, whole: readonly Segment[]): void {
  const [segment, ...rest] = path;
  if (typeof segment !== 'string') throw conflict(whole);
  const existing = branch.get(segment);
  if (rest.length === 0) {
    if (existing !== undefined) throw conflict(whole);
    branch.set(segment, { leaf: value });
  } else if (rest[0] === APPEND) {
    const list = existing ?? [];
    if (!Array.isArray(list)) throw conflict(whole);
    branch.set(segment, list);
    append(list, rest.slice(1), value, whole);
  } else {
    const child = existing ?? new Map<string, Tree>();
    if (!(child instanceof Map)) throw conflict(whole);
    branch.set(segment, child);
    assign(child, rest, value, whole);
  }
}

function append(list: Tree[], path: readonly Segment[], value: JsonValue, whole: readonly Segment[]): void {
  const last = list.at(-1);
  if (path.length === 0) {
    list.push({ leaf: value });
  } else if (path[0] === APPEND) {
    const inner: Tree[] = [];
    list.push(inner);
    append(inner, path.slice(1), value, whole);
  } else if (last instanceof Map && !has(last, path)) {
    assign(last, path, value, whole);
  } else {
    const item: Branch = new Map();
    list.push(item);
    assign(item, path, value, whole);
  }
}

/** Returns true if `path` already has a value. A list always accepts another value. */
function has(branch: Branch, path: readonly Segment[]): boolean {
  let tree: Tree | undefined = branch;
  for (const segment of path) {
    if (segment === APPEND) return false;
    if (!(tree instanceof Map)) return tree !== undefined;
    tree = tree.get(segment);
  }
  return tree !== undefined;
}

function plainObject(branch: Branch): JsonObject {
  // fromEntries defines properties, so a field named __proto__ becomes a normal field.
  return Object.fromEntries([...branch].map(([key, tree]) => [key, plain(tree)]));
}

function plain(tree: Tree): JsonValue {
  if (Array.isArray(tree)) return tree.map(plain);
  return tree instanceof Map ? plainObject(tree) : tree.leaf;
}

function conflict(path: readonly Segment[]): UsageError {
  return new UsageError(`The field ${quote(writePath(path))} has two values, or has both a value and child fields.`, {
    hint: `Give each field once. ${HINT}`,
  });
}
