import type { Resource } from '../../catalog/define.ts';
import type { ImportRow } from '../../journal/import-row.ts';
import { requestDigest } from '../../journal/request-digest.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';

/** The fields that say when, in the order in which one is looked for. */
const DAYS = ['date', 'start', 'start_date'];
/** The fields that say what. */
const TEXTS = ['name', 'title', 'description', 'subject', 'label'];
/** The field that says whose. */
const USER = 'user_id';

/** Hexadecimal digits; 128 bits tell all rows apart that anybody will ever have. */
const DIGEST_LENGTH = 32;

/** How a row of a file is known again. */
export interface RowIdentifier {
  /** By what is sent of it, so that columns, their order and the kind of file count for nothing. */
  identify(said: JsonObject): ImportRow;
  /** Without what says nothing: fields that are empty, and oneself as the user. */
  plain(fields: JsonObject): JsonObject;
  /** The fields that stay when a row is corrected. */
  readonly lasting: readonly string[];
  /** Those that say what it belongs to. */
  readonly relations: readonly string[];
}

/**
 * @param path the collection that the rows go into.
 * @param own one's own id, as far as it is known: hours that name oneself are the same as those that name nobody.
 */
export function rowIdentifier(resource: Resource, path: string, own: number | undefined): RowIdentifier {
  const has = (name: string) => resource.fields[name] !== undefined;
  const [day] = DAYS.filter(has);
  const [text] = TEXTS.filter(has);
  const lasting = [day, text, ...(has(USER) ? [USER] : [])].filter((name) => name !== undefined);
  const relations = Object.entries(resource.fields).flatMap(([name, { kind }]) =>
    (kind === 'id' && name !== 'id') || kind === 'work-item' || kind === 'user' ? [name] : [],
  );
  const digestOf = (fields: JsonObject) => requestDigest('POST', path, Buffer.from(stringifyJson(fields))).slice(0, DIGEST_LENGTH);
  const plain = (fields: JsonObject) =>
    Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null && !isOwn(name, value, own)));
  return {
    plain,
    lasting,
    relations,
    identify(said) {
      const fields = plain(said);
      const digest = digestOf(fields);
      const date = scalarText(fields[day ?? ''] ?? null).slice(0, 10);
      const known = /^\d{4}-\d\d-\d\d$/.test(date) ? { day: date } : {};
      // Without any of them nothing says that two rows mean the same thing.
      if (![day, text].some((name) => fields[name ?? ''] !== undefined)) return { digest, likeness: digest, twin: digest, ...known };
      return { digest, likeness: digestOf(pick(fields, lasting)), twin: digestOf(pick(fields, [...lasting, ...relations])), ...known };
    },
  };
}

function isOwn(name: string, value: JsonValue, own: number | undefined): boolean {
  return name === USER && own !== undefined && scalarText(value) === String(own);
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
