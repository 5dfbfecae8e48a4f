import type { Field, FieldKind, Resource } from '../catalog/define.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, ownEntry } from '../values/json.ts';

/** A difference between records and their API spec. */
export interface Drift {
  readonly field: string;
  /**
   * - `unknown`: the API spec has no such field.
   * - `type`: a value does not have the type of the API spec.
   * - `value`: the API spec does not list a value of an enum.
   * - `null`: a value is null although the API spec does not allow null.
   * - `absent`: the view should have the field, but no record has it.
   */
  readonly kind: 'unknown' | 'type' | 'value' | 'null' | 'absent';
  /** The form in the API spec and the received form. Contains no value of a record, except the value of an enum. */
  readonly detail: string;
  /** The number of records on the page that have this difference. */
  readonly records: number;
}

/** Compares a page of records in the summary view with their API spec, and returns the differences. Has no side effects. */
export function findDrift(resource: Resource, records: readonly JsonObject[]): readonly Drift[] {
  const found = new Map<string, Drift>();
  const note = (field: string, kind: Drift['kind'], detail: string) => {
    const key = `${kind} ${field} ${detail}`;
    found.set(key, { field, kind, detail, records: (found.get(key)?.records ?? 0) + 1 });
  };
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const field = ownEntry(resource.fields, name);
      if (field === undefined) note(name, 'unknown', `the API spec has no such field; its value is ${typeOf(value)}`);
      else checkValue(field, value, (kind, detail) => note(name, kind, detail));
    }
  }
  const { summary = [] } = resource.described?.views ?? {};
  if (records.length > 0)
    for (const name of summary) {
      if (!records.some((record) => Object.hasOwn(record, name)))
        found.set(`absent ${name}`, { field: name, kind: 'absent', detail: 'no record has it', records: records.length });
    }
  return [...found.values()];
}

function checkValue(field: Field, value: JsonValue, note: (kind: Drift['kind'], detail: string) => void): void {
  if (value === null) {
    if (!field.nullable && field.kind !== 'json') note('null', `described as ${field.kind}, but is null`);
    return;
  }
  const isFitting = FITS[field.kind];
  if (!isFitting(value)) note('type', `described as ${field.kind}, but is ${typeOf(value)}`);
  if (!isFitting(value) || field.values === undefined || field.kind !== 'enum') return;
  // The value of an enum is not private data, so the message can contain it.
  const word = String(value);
  if (!field.values.includes(word))
    note(
      'value',
      `"${word.slice(0, 60)}" is not among ${field.values.join(', ')}${field.extensible ? ' (other values are possible)' : ''}`,
    );
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'number' || isRawNumber(value))
    return Number.isInteger(Number(isRawNumber(value) ? value.rawJSON : value)) ? 'an integer' : 'a number';
  return typeof value === 'boolean' ? 'a boolean' : 'a text';
}

type Fits = (value: JsonValue) => boolean;

const isInteger: Fits = (value) => typeOf(value) === 'an integer';
const isText: Fits = (value) => typeof value === 'string';
const isNumeral: Fits = (value) =>
  typeof value === 'string' ? /^-?\d+(?:\.\d+)?$/.test(value) : typeOf(value) === 'an integer' || typeOf(value) === 'a number';
const written =
  (form: RegExp): Fits =>
  (value) =>
    typeof value === 'string' && form.test(value);
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** The functions that test a value in an answer, by kind. A function returns true if the value has a type of the kind. */
const FITS: Readonly<Record<FieldKind, Fits>> = {
  id: (value) => isInteger(value) || isText(value),
  user: isInteger,
  'work-item': isInteger,
  integer: isInteger,
  duration: isInteger,
  percentage: isInteger,
  string: isText,
  html: isText,
  markdown: isText,
  date: written(/^\d{4}-\d{2}-\d{2}$/),
  'date-time': written(TIMESTAMP),
  'span-end': written(TIMESTAMP),
  time: written(/^\d{1,2}:\d{2}(?::\d{2})?$/),
  money: isNumeral,
  decimal: isNumeral,
  coordinate: isNumeral,
  number: isNumeral,
  boolean: (value) => typeof value === 'boolean',
  enum: (value) => isText(value) || isInteger(value),
  json: () => true,
};
