import type { Field, Resource } from '../catalog/define.ts';
import { flagOf, singularName, writableFields } from '../catalog/rules.ts';
import { naming } from '../cli/naming.ts';
import { commandWords, withArticle } from '../cli/words.ts';
import { UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Assignment, buildBody, parseRawField, parseTypedField } from '../values/assignment.ts';
import { assertNotTooDeep, type JsonObject, type JsonValue, jsonObjectIn, ownEntry } from '../values/json.ts';
import { together } from '../values/together.ts';
import type { BodyOptions } from './body-flags.ts';
import type { ReadingValues } from './kinds.ts';
import { clears, readBodyValue, TEXT_KINDS } from './kinds.ts';
import { printRange, type Typed } from './write-range.ts';

export interface ReadBody {
  readonly body: Record<string, JsonValue>;
  readonly typed: Typed;
}

/**
 * Reads the body of a write: first `--data`, then `-f` and `-F`, then the named flags. A later value replaces an earlier value.
 * @param given values of the flags from {@link fieldOptions}.
 * @throws UsageError for an invalid value. The message names the flag or the field.
 */
export async function readBody(
  context: Needs<ReadingValues | 'notice' | 'readFileArgument' | 'notifyOnce'>,
  resource: Resource,
  operation: 'create' | 'update',
  { data, rawField, field: typedField }: BodyOptions,
  given: Readonly<Record<string, unknown>> = {},
): Promise<ReadBody> {
  const typed = new Map<string, string>();
  const known: ReadKnown = (name, text) => {
    const field = ownEntry(resource.fields, name);
    if (field === undefined || (field.kind === 'json' && (field.items ?? 'json') === 'json')) return undefined;
    typed.set(name, text);
    return readField(context, name, field, text);
  };
  const body: Record<string, JsonValue> = {
    ...(await readData(context, data)),
    ...(await readFields(context, rawField, typedField, known)),
  };
  // svc looks up the ids of all named flags at the same time.
  const flags = writableFields(resource, operation).filter(
    ([name]) => ownEntry(given, name) !== undefined || given[`no_${name}`] !== undefined,
  );
  const values = flags.map(async ([name, field]): Promise<JsonValue> => {
    const value = ownEntry(given, name);
    if (field.kind === 'boolean') return value === true;
    typed.set(name, String(value));
    const read = (text: unknown) => readFlag(context, name, field, String(text), given['html'] === true);
    return naming(`--${flagOf(name, field)}`, async () =>
      Array.isArray(value) && value.length > 1 ? (await Promise.all(value.map(read))).flat() : read(value),
    );
  });
  for (const [index, value] of (await together(...values)).entries()) body[flags[index]?.[0] ?? ''] = value;
  await printRange(context, resource, body, typed);
  if (resource.described !== undefined)
    await (await import('../session/described-writes.ts')).checkBody(context, resource, operation, body);
  return { body, typed };
}

/** Reads the body of an update, as {@link readBody} does. @throws UsageError without a field, and for an invalid value. */
export async function readChanges(
  context: Parameters<typeof readBody>[0],
  resource: Resource,
  options: BodyOptions,
  given: Readonly<Record<string, unknown>>,
): Promise<ReadBody> {
  const read = await readBody(context, resource, 'update', options, given);
  if (given['html']) (await import('./rich-text.ts')).checkHtmlFlag(resource, 'update', read.body);
  if (Object.keys(read.body).length > 0) return read;
  throw new UsageError('There is nothing to change.', { hint: `See: svc ${commandWords(resource, 'update')} --help` });
}

type Texts = readonly string[] | undefined;

type ReadKnown = (name: string, text: string) => Promise<JsonValue> | undefined;

/**
 * Reads `-f` and `-F` as one object, including `@file`. @param known reads the value of a `-F` field, and returns undefined for a field
 * that the resource lacks. Default: reads no field. @throws UsageError for an invalid value, and for a field with two values.
 */
export async function readFields(
  context: Needs<'readFileArgument'>,
  raw: Texts,
  typed: Texts,
  known: ReadKnown = () => undefined,
): Promise<JsonObject> {
  const assignments: readonly Assignment[] = [
    ...(await Promise.all((raw ?? []).map((text) => naming('-f', () => parseRawField(text))))),
    ...(await Promise.all((typed ?? []).map((text) => naming('-F', () => parseTypedField(text))))),
  ];
  const literal = raw?.length ?? 0;
  const fields: { readonly path: Assignment['path']; readonly value: JsonValue }[] = [];
  for (const [index, { path, value }] of assignments.entries()) {
    const text = value.kind === 'file' ? await context.readFileArgument(value.path) : value.text;
    const [name] = path;
    const read = index < literal || path.length > 1 || typeof name !== 'string' ? undefined : known(name, text);
    const asTyped = value.kind === 'file' ? text : value.value;
    fields.push({ path, value: read === undefined ? asTyped : await naming(`-F ${String(name)}`, () => read) });
  }
  return buildBody(fields);
}

/**
 * Reads the text of a flag. Rich text may come from a file, as with `-F`: `--description @notes.md`. Rich text is Markdown, unless the text
 * is already HTML.
 */
async function readFlag(
  context: Needs<ReadingValues | 'notice' | 'readFileArgument' | 'notifyOnce'>,
  name: string,
  field: Field,
  typed: string,
  isHtml: boolean,
): Promise<JsonValue> {
  const rich = field.kind === 'html' || field.kind === 'markdown';
  const text = rich && typed.startsWith('@') ? await context.readFileArgument(typed.slice(1)) : typed;
  if (field.kind !== 'html' || clears(text)) return readField(context, name, field, text);
  return (await import('./rich-text.ts')).richText(context, text, isHtml);
}

/**
 * Reads the value of a field. `null` and `none` clear the field, unless the word is a value of the field. If the field takes any text, a
 * notice reports the cleared field.
 */
async function readField(context: Needs<ReadingValues | 'notice'>, name: string, field: Field, text: string): Promise<JsonValue> {
  if (!clears(text)) return readBodyValue(context, field, text);
  if (field.values?.includes(text)) return text;
  if (TEXT_KINDS.has(field.kind)) await context.notice(`Understood: ${name} is cleared. For the word itself: -f ${name}=${text}`);
  return null;
}

async function readData(context: Needs<'readFileArgument'>, given: string | undefined): Promise<JsonObject> {
  if (given === undefined) return {};
  const source = given === '-' || given.startsWith('@') ? await context.readFileArgument(given === '-' ? '-' : given.slice(1)) : given;
  assertNotTooDeep(source, '--data');
  const value = jsonObjectIn(source);
  if (value !== undefined) return value;
  throw new UsageError('--data is not a JSON object.', { hint: `Give an object, such as '{"minutes": 90}', or @file.json.` });
}

export function checkRequired(resource: Resource, body: JsonObject, command: string): void {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.required && field.assumed !== true && (body[name] ?? null) === null) {
      const singular = withArticle(singularName(resource)).replace(/^a/, 'A');
      throw new UsageError(`${singular} needs --${flagOf(name, field)}.`, { hint: `See: svc ${command} --help` });
    }
  }
}
