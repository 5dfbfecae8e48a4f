import type { Field, Resource } from '../catalog/define.ts';
import { flagOf, thingOf, writableFields } from '../catalog/rules.ts';
import { naming } from '../cli/naming.ts';
import { type Options, repeated, text, toggle } from '../cli/spec.ts';
import { withArticle } from '../cli/words.ts';
import { UsageError } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { type Assignment, buildBody, parseRawField, parseTypedField } from '../values/assignment.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../values/json.ts';
import { readBodyValue } from './kinds.ts';

/** The flags for any field, known to the catalog or not. */
export const BODY_OPTIONS = {
  field: repeated('-F, --field <name=value>', 'Any field: true, null and numbers as JSON, @file reads it', {
    group: 'Fields',
  }),
  rawField: repeated('-f, --raw-field <name=value>', 'Any field, its value a text', { group: 'Fields' }),
  data: text('--data <json>', 'The whole body as JSON; @file or - reads it', { group: 'Fields', completes: 'at-file' }),
} as const satisfies Options;

/** A flag for each field that the catalog says can be written. */
export function fieldOptions(resource: Resource, operation: 'create' | 'update'): Options {
  const options: Record<string, Options[string]> = {};
  for (const [name, field] of writableFields(resource, operation)) {
    const flag = flagOf(name, field);
    const summary = helpOf(name, field, operation);
    if (field.kind === 'boolean') {
      options[name] = toggle(`--${flag}`, summary, { group: 'Fields' });
      options[`no_${name}`] = toggle(`--no-${flag}`, `The opposite of --${flag}`, { group: 'Fields', hidden: true });
    } else options[name] = text(`--${flag} <${placeholderOf(field)}>`, summary, { group: 'Fields' });
  }
  return options;
}

/**
 * The body that the flags of a create or update describe: `--data` first, then `-f` and `-F`, then the named flags, each
 * over the one before.
 *
 * @throws UsageError for a value that cannot be meant, naming its flag.
 */
export async function readBody(
  context: Context,
  resource: Resource,
  operation: 'create' | 'update',
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, JsonValue>> {
  const body: Record<string, JsonValue> = {
    ...(await readData(context, options['data'] as string | undefined)),
    ...(await readFields(context, options['rawField'] as Texts, options['field'] as Texts)),
  };
  for (const [name, field] of writableFields(resource, operation)) {
    const flag = `--${flagOf(name, field)}`;
    const given = options[name];
    if (given === undefined && options[`no_${name}`] === undefined) continue;
    body[name] = field.kind === 'boolean' ? given === true : await naming(flag, () => readField(context, field, String(given)));
  }
  return body;
}

type Texts = readonly string[] | undefined;

/** `-f` and `-F` as one object; `@file` is read here. Shared with `svc api`. */
export async function readFields(context: Context, raw: Texts, typed: Texts): Promise<JsonObject> {
  const assignments: readonly Assignment[] = [
    ...(await Promise.all((raw ?? []).map((text) => naming('-f', () => parseRawField(text))))),
    ...(await Promise.all((typed ?? []).map((text) => naming('-F', () => parseTypedField(text))))),
  ];
  const fields: { readonly path: Assignment['path']; readonly value: JsonValue }[] = [];
  for (const { path, value } of assignments) {
    fields.push({ path, value: value.kind === 'file' ? await context.readFileArgument(value.path) : value.value });
  }
  return buildBody(fields);
}

/** Rich text may come from a file, as with `-F`: `--description @notes.html`. */
async function readField(context: Context, field: Field, typed: string) {
  const rich = field.kind === 'html' || field.kind === 'markdown';
  return readBodyValue(context, field.kind, rich && typed.startsWith('@') ? await context.readFileArgument(typed.slice(1)) : typed);
}

async function readData(context: Context, given: string | undefined): Promise<JsonObject> {
  if (given === undefined) return {};
  const source = given === '-' || given.startsWith('@') ? await context.readFileArgument(given === '-' ? '-' : given.slice(1)) : given;
  try {
    const value = parseJson(source);
    if (isJsonObject(value)) return { ...value };
  } catch {
    // Falls through to the one message for both.
  }
  throw new UsageError('--data: this is not a JSON object.', { hint: `Give an object, such as '{"minutes": 90}', or @file.json.` });
}

/** The body lacks a field that the service is known to require. */
export function checkRequired(resource: Resource, body: JsonObject, command: string): void {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.required && field.assumed !== true && body[name] === undefined) {
      const thing = withArticle(thingOf(resource)).replace(/^a/, 'A');
      throw new UsageError(`${thing} needs --${flagOf(name, field)}.`, { hint: `See: svc ${command} --help` });
    }
  }
}

/** `Due date (such as …) (required)`. */
function helpOf(name: string, field: Field, operation: 'create' | 'update'): string {
  const words = name.replace(/^is_|_id$/g, '').replaceAll('_', ' ');
  const what = field.summary ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const values = field.values === undefined ? '' : `, such as ${field.values.join(', ')}`;
  return `${what}${values}${field.required && !field.assumed && operation === 'create' ? ' (required)' : ''}`;
}

/** What stands after a flag in help. */
export function placeholderOf(field: Pick<Field, 'kind'>): string {
  switch (field.kind) {
    case 'work-item':
      return 'id|key';
    case 'user':
      return 'id|me';
    case 'html':
      return 'html|@file';
    case 'markdown':
      return 'text|@file';
    case 'string':
      return 'text';
    case 'enum':
      return 'value';
    case 'percentage':
      return '0-100';
    case 'money':
      return 'amount';
    case 'decimal':
      return 'number';
    case 'coordinate':
      return 'degrees';
    case 'integer':
      return 'n';
    case 'time':
      return 'hh:mm';
    default:
      return field.kind;
  }
}
