import { isPlainObject } from '../values/json.ts';
import { eachOf, type FormCheck, optional, shape } from '../values/shape.ts';
import { type DescribedResource, isKind, type StoredIndex } from './described.ts';
import { isSafeName, isSafePath, isSafeWord } from './names.ts';

/**
 * Checks a stored index. Somebody may have edited the file, or the disk may have lost a part of it. Returns undefined for an index in
 * another form. The check does not use zod, because loading zod takes longer than reading a resource.
 */
export function readIndex(value: unknown): StoredIndex | undefined {
  return isIndex(value) ? (value as StoredIndex) : undefined;
}

/** Checks the stored file of a resource. Returns undefined for a file in another form. */
export function readDescribedResource(value: unknown): DescribedResource | undefined {
  return isResource(0)(value) ? (value as DescribedResource) : undefined;
}

/** The most levels of child resources in a stored file. svc treats a file with more levels as damaged. */
const MOST_LEVELS = 8;

const isText: FormCheck = (value) => typeof value === 'string' && value.length <= 10_000;
const isTexts = eachOf(isText);
const isWord: FormCheck = (value) => typeof value === 'string' && isSafeWord(value);
const isPath: FormCheck = (value) => typeof value === 'string' && isSafePath(value);
const isPathOrNull: FormCheck = (value) => value === null || isPath(value);
const isBoolean: FormCheck = (value) => typeof value === 'boolean';
const mayBeTrue = optional((value) => value === true);
const mayBeText = optional(isText);
const mayBeTexts = optional(isTexts);
const mayBeWord = optional(isWord);
const mayBeNumber = optional(Number.isFinite);

function written(form: RegExp): FormCheck {
  return (value) => typeof value === 'string' && form.test(value);
}

function tableOf(check: FormCheck): FormCheck {
  return (value) => isPlainObject(value) && Object.entries(value).every(([name, entry]) => isSafeName(name) && check(entry));
}

const entry = { noun: isWord, singular: isWord, summary: isText };
const stored = {
  form: (value: unknown) => value === 1,
  ...{ title: isText, version: isText, openapi: isText, importedAt: isText, source: isText },
  digest: written(/^[0-9a-f]{64}$/),
  generation: written(/^[0-9a-f]{16}$/),
  nouns: eachOf(shape(entry)),
};
const isIndex = shape({ ...stored, previous: optional(shape(stored)) });

const isFields = tableOf(
  shape({
    kind: isKind,
    summary: mayBeText,
    write: optional((value) => ['create', 'update', 'both'].includes(value as string)),
    values: mayBeTexts,
    ref: mayBeWord,
    items: optional(isKind),
    ...{ minimum: mayBeNumber, maximum: mayBeNumber },
    ...{ required: mayBeTrue, nullable: mayBeTrue, extensible: mayBeTrue, writeOnly: mayBeTrue, deprecated: mayBeTrue },
  }),
);

const isList = shape({
  filters: tableOf(shape({ kind: isKind, operators: isTexts, values: mayBeTexts, ref: mayBeWord })),
  sorts: mayBeTexts,
  defaultSort: mayBeText,
  paged: isBoolean,
  search: isBoolean,
  trashed: mayBeTexts,
  maxPerPage: optional((most) => Number.isSafeInteger(most) && (most as number) > 0),
});

const isOperation = shape({
  name: isWord,
  method: written(/^[A-Z]{3,10}$/),
  path: isPath,
  summary: mayBeText,
  abilities: mayBeTexts,
  permission: mayBeText,
  body: optional(isFields),
  contentType: mayBeText,
  query: optional(isFields),
  ...{ wrapped: mayBeTrue, deprecated: mayBeTrue },
});

const resource = {
  ...entry,
  ...{ path: isPathOrNull, itemPath: isPathOrNull },
  description: mayBeText,
  schema: mayBeText,
  fields: isFields,
  list: optional(isList),
  includes: optional(tableOf(shape({ many: mayBeTrue, ref: mayBeWord }))),
  views: optional(shape({ summary: mayBeTexts, detail: mayBeTexts })),
  operations: eachOf(isOperation),
};

function isResource(level: number): FormCheck {
  return (value) => level < MOST_LEVELS && shape({ ...resource, nested: optional(eachOf(isResource(level + 1))) })(value);
}
