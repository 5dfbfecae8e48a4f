import { isPlainObject } from '../values/json.ts';
import { type DescribedResource, isKind, type StoredImport, type StoredIndex } from './described.ts';
import { isSafeName, isSafePath, isSafeWord } from './names.ts';

/**
 * Checks a stored index. Somebody may have edited the file, or the disk may have lost a part of it. Returns undefined for an index in
 * another form. The check does not use zod, because loading zod takes longer than reading a resource.
 */
export function readIndex(value: unknown): StoredIndex | undefined {
  return isImport(value) && optional(value['previous'], isImport) ? (value as unknown as StoredIndex) : undefined;
}

/** Checks the stored file of a resource. Returns undefined for a file in another form. */
export function readDescribedResource(value: unknown): DescribedResource | undefined {
  return isResource(value, 0) ? (value as unknown as DescribedResource) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** The most levels of child resources in a stored file. svc treats a file with more levels as damaged. */
const MOST_LEVELS = 8;

function isImport(value: unknown): value is Fields & StoredImport {
  return (
    isPlainObject(value) &&
    value['form'] === 1 &&
    [value['title'], value['version'], value['openapi'], value['importedAt'], value['source']].every(isText) &&
    isDigits(value['digest'], 64) &&
    isDigits(value['generation'], 16) &&
    listOf(value['nouns'], (entry) => isPlainObject(entry) && isEntry(entry))
  );
}

function isEntry(value: Fields): boolean {
  return isWord(value['noun']) && isWord(value['singular']) && isText(value['summary']);
}

function isResource(value: unknown, level: number): boolean {
  return (
    level < MOST_LEVELS &&
    isPlainObject(value) &&
    isEntry(value) &&
    isPathOrNull(value['path']) &&
    isPathOrNull(value['itemPath']) &&
    optional(value['description'], isText) &&
    optional(value['schema'], isText) &&
    tableOf(value['fields'], isField) &&
    optional(value['list'], isList) &&
    optional(value['includes'], (includes) => tableOf(includes, isInclude)) &&
    optional(value['views'], isViews) &&
    listOf(value['operations'], isOperation) &&
    optional(value['nested'], (nested) => listOf(nested, (child) => isResource(child, level + 1)))
  );
}

function isField(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    isKind(value['kind']) &&
    optional(value['summary'], isText) &&
    (value['write'] === undefined || ['create', 'update', 'both'].includes(value['write'] as string)) &&
    optional(value['values'], isTexts) &&
    optional(value['ref'], isWord) &&
    optional(value['items'], isKind) &&
    ['minimum', 'maximum'].every((name) => optional(value[name], Number.isFinite)) &&
    ['required', 'nullable', 'extensible', 'writeOnly', 'deprecated'].every((name) => optional(value[name], isTrue))
  );
}

function isFilter(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    isKind(value['kind']) &&
    isTexts(value['operators']) &&
    optional(value['values'], isTexts) &&
    optional(value['ref'], isWord)
  );
}

function isList(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    tableOf(value['filters'], isFilter) &&
    optional(value['sorts'], isTexts) &&
    optional(value['defaultSort'], isText) &&
    typeof value['paged'] === 'boolean' &&
    typeof value['search'] === 'boolean' &&
    optional(value['trashed'], isTexts) &&
    optional(value['maxPerPage'], (most) => Number.isSafeInteger(most) && (most as number) > 0)
  );
}

function isInclude(value: unknown): boolean {
  return isPlainObject(value) && optional(value['many'], isTrue) && optional(value['ref'], isWord);
}

function isViews(value: unknown): boolean {
  return isPlainObject(value) && optional(value['summary'], isTexts) && optional(value['detail'], isTexts);
}

function isOperation(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    isWord(value['name']) &&
    typeof value['method'] === 'string' &&
    /^[A-Z]{3,10}$/.test(value['method']) &&
    typeof value['path'] === 'string' &&
    isSafePath(value['path']) &&
    optional(value['summary'], isText) &&
    optional(value['abilities'], isTexts) &&
    optional(value['permission'], isText) &&
    optional(value['body'], (body) => tableOf(body, isField)) &&
    optional(value['contentType'], isText) &&
    optional(value['query'], (query) => tableOf(query, isField)) &&
    ['wrapped', 'deprecated'].every((name) => optional(value[name], isTrue))
  );
}

const isTrue: Check = (value) => value === true;
const isText: Check = (value) => typeof value === 'string' && value.length <= 10_000;
const isTexts: Check = (value) => listOf(value, isText);
const isWord: Check = (value) => typeof value === 'string' && isSafeWord(value);
const isPathOrNull: Check = (value) => value === null || (typeof value === 'string' && isSafePath(value));

function isDigits(value: unknown, length: number): boolean {
  return typeof value === 'string' && value.length === length && /^[0-9a-f]+$/.test(value);
}

function optional(value: unknown, check: Check): boolean {
  return value === undefined || check(value);
}

function listOf(value: unknown, check: Check): boolean {
  return Array.isArray(value) && value.every(check);
}

function tableOf(value: unknown, check: Check): boolean {
  return isPlainObject(value) && Object.entries(value).every(([name, entry]) => isSafeName(name) && check(entry));
}
