import { hash } from 'node:crypto';
import type { Field, FieldKind, Resource } from '../catalog/define.ts';
import { isTimeZone } from '../values/dates.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, ownEntry } from '../values/json.ts';
import { formatAmount, readAmount } from '../values/money.ts';
import { isDay, isTimestamp } from './value-form.ts';

/**
 * Creates a function that replaces the names, texts and amounts of records by pseudonyms. The same value has the same pseudonym in every
 * field and resource. Ids, dates, times, minutes, percentages, quantities, booleans and the keys of enums stay. For a field in the catalog,
 * the kind of the field decides. In a field that the catalog lacks, the name of the field and the form of the value decide. In such a
 * field, every number is an amount, unless the name shows an id, a count or a duration. The result leaves out the links of a record.
 *
 * @param key the secret of the organisation. With another key, all pseudonyms differ.
 */
export function pseudonymiser(key: string): (record: JsonObject, resource: Pick<Resource, 'fields'> | undefined) => JsonObject {
  // The key has a fixed length, and svc uses a part of the digest. A keyed digest is therefore as safe as an HMAC, and faster.
  const digest = (purpose: string, text: string) => hash('sha256', `${key}${purpose}\0${text}`, 'buffer');
  // One secret factor from 0.3 to 0.9 keeps the proportions of all amounts.
  const factor = BigInt(Math.round((0.3 + (0.6 * digest('factor', '').readUInt32BE()) / 2 ** 32) * 1e9));

  const words = (text: string) => {
    const bytes = [...digest('text', text).subarray(0, 9)];
    const syllables = bytes.map((byte) => `${CONSONANTS[byte & 15]}${VOWELS[(byte >> 4) % VOWELS.length]}`);
    return [0, 3, 6].map((at) => syllables.slice(at, at + 3).join(''));
  };
  const letters = (text: string) => [...digest('key', text).subarray(0, 7)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('');
  const pseudonym = (text: string): string => {
    if (text === '') return text;
    const [first = '', ...rest] = words(text);
    if (/^[^\s@]+@[^\s@]+$/.test(text)) return `${[first, ...rest].join('.')}@example.org`;
    if (/^https?:\/\/\S+$/i.test(text)) return `https://${[first, ...rest].join('-')}.example.org/`;
    return [first, ...rest].map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ');
  };
  const scaled = (cents: bigint) => {
    const size = ((cents < 0n ? -cents : cents) * factor * 2n + 1_000_000_000n) / 2_000_000_000n;
    return cents < 0n ? -size : size;
  };
  const coordinate = (text: string, name: string) => {
    const most = name === 'latitude' ? 90 : 180;
    return ((digest('coordinate', text).readUInt32BE() / 2 ** 32) * 2 * most - most).toFixed(7);
  };

  function ofString(text: string, name: string, kind: FieldKind | undefined): string {
    const isKnownTime = kind === undefined || TIMES.has(kind);
    if (isKnownTime && (isDay(text) || isTimestamp(text) || /^\d\d:\d\d$/.test(text))) return text;
    if ((kind === 'enum' || (kind === undefined && ENUMS.test(name))) && /^[a-z][a-z0-9_-]{0,40}$/.test(text)) return text;
    if (kind === 'decimal' && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text)) return text;
    if (kind === 'coordinate') return coordinate(text, name);
    const cents = kind === 'money' || (kind === undefined && /^-?\d+\.\d\d$/.test(text)) ? readAmount(text) : undefined;
    if (cents !== undefined) return formatAmount(scaled(cents));
    if (ownEntry(FORMS, name)?.(text) === true) return text;
    const [, prefix, number] = /^([A-Z][A-Z0-9]*)(-\d+)?$/.exec(text) ?? [];
    const isKey = name === 'key_prefix' || (name === 'issue_key' && number !== undefined);
    return isKey && prefix !== undefined ? `${letters(prefix)}${number ?? ''}` : pseudonym(text);
  }

  const stays = (name: string, kind: FieldKind | undefined) => (kind === undefined ? COUNTERS.test(name) : NUMBERS.has(kind));
  function ofNumber(value: number, name: string, kind: FieldKind | undefined): number {
    if (kind === 'coordinate') return Number(coordinate(String(value), name));
    const amount = (value * Number(factor)) / 1e9;
    return Number.isInteger(value) ? Math.round(amount) : Number(amount.toPrecision(12));
  }

  function replaced(value: JsonValue, name: string, field: Pick<Field, 'kind' | 'items'> | undefined): JsonValue {
    const kind = field?.kind === 'json' ? undefined : field?.kind;
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'string') return ofString(value, name, kind);
    if (typeof value === 'number' || isRawNumber(value))
      return stays(name, kind) ? value : ofNumber(isRawNumber(value) ? Number(value.rawJSON) : value, name, kind);
    if (Array.isArray(value)) {
      const item = field?.items === undefined ? undefined : { kind: field.items };
      return (value as readonly JsonValue[]).map((each) => replaced(each, name, item));
    }
    return isJsonObject(value) ? ofObject(value, undefined) : null;
  }

  const names = new Map<string, string>();
  const nameOf = (name: string) => {
    const known = names.get(name) ?? (/^[a-z][a-z0-9_]*$/.test(name) ? name : pseudonym(name));
    names.set(name, known);
    return known;
  };
  function ofObject(record: JsonObject, fields: Resource['fields'] | undefined): JsonObject {
    const made: Record<string, JsonValue> = {};
    for (const [name, value] of Object.entries(record))
      made[nameOf(name)] = replaced(value, name, fields === undefined ? undefined : ownEntry(fields, name));
    return made;
  }

  return ({ links: _, ...record }, resource) => ofObject(record, resource?.fields);
}

const CONSONANTS = 'bdfghklmnprstvwz';
const VOWELS = 'aeiou';

const TIMES: ReadonlySet<FieldKind> = new Set(['date', 'date-time', 'span-end', 'time']);
const NUMBERS: ReadonlySet<FieldKind> = new Set(['id', 'user', 'work-item', 'integer', 'duration', 'percentage', 'decimal']);

/** Matches the name of a number in a field that the catalog lacks, if the number is no amount. */
const COUNTERS = /(?:^|_)(?:by|id|ids|count|minutes|hours|order|version)$/;

/** Matches the name of an enum in a field that the catalog lacks. */
const ENUMS = /(?:^|_)(?:category|interval|mood|priority|role|state|status|type)$/;

/** The forms of texts that identify nobody. A text of another form gets a pseudonym. */
const FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  timezone: isTimeZone,
  organization_timezone: isTimeZone,
  color: (text) => /^#[0-9a-f]{3,8}$/i.test(text),
  mime_type: (text) => /^[a-z]+\/[a-z0-9.+-]{1,80}$/.test(text),
};
