import type { Field, FieldKind, Resource } from '../../catalog/define.ts';
import { reachOf, relationOf, singularName, writableFields } from '../../catalog/rules.ts';
import { naming } from '../../cli/naming.ts';
import type { Options, TypedInput } from '../../cli/spec.ts';
import { commandWords } from '../../cli/words.ts';
import { ConflictError, SvcError, UsageError } from '../../errors.ts';
import { neutraliseLine } from '../../output/neutralise.ts';
import type { Naming } from '../../records/cached-names.ts';
import { clears, type ReadingValues, readBodyValue, TEXT_KINDS } from '../../records/kinds.ts';
import { namedPlace } from '../../records/named-place.ts';
import { namedRecordAt } from '../../records/named-rows.ts';
import { itemPath } from '../../records/paths.ts';
import { type CurrentRecord, isStale, recordNow } from '../../records/record-at.ts';
import { describeWrite, type WriteRequest } from '../../records/send-write.ts';
import { printRange, sendRangeWrite, type Typed } from '../../records/write-range.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import { printRecord } from '../../session/print.ts';
import { alignColumns } from '../../values/align-columns.ts';
import { isJsonObject, type JsonObject, type JsonValue, readYaml, scalarText, stringifyJson, YamlError } from '../../values/json.ts';
import { isStrongEtag } from '../../values/request-headers.ts';
import { together } from '../../values/together.ts';
import { editorCommand, editText, withDraftFile } from '../editor.ts';
import { confirmMarkdown } from './markdown-loss.ts';
import { type Confirming, printWritten, recordWritten, updatedLine } from './written.ts';

export async function editRecord(context: Context, resource: Resource, { args }: TypedInput<Options>): Promise<void> {
  const { parent, rest } = await namedPlace(context, resource, args);
  const path = itemPath(resource, rest[0] ?? '', parent);
  if (!context.interactive) {
    throw new UsageError('Editing needs a terminal.', { hint: `In a script: svc ${commandWords(resource, 'update')} --help` });
  }
  const editor = await editorCommand(context);
  const reading = recordNow(context, path);
  const [{ record, etag }, named] = await together(reading, nameReferences(context, resource, path, reading));
  context.seen.see({ path, record, etag });
  const before = editable(resource, record);
  const shown = await shownFields(resource, before, named);
  const id = rest[0] ?? '';
  const content = await draftOf(resource, id, shown);
  const draft = { name: `${resource.singular}-${id.replace(/[^\w-]/g, '')}`, extension: 'yaml', content };
  await withDraftFile(context, draft, async (file) => {
    const { fields, typed } = await readDraft(context, resource, await editText(context, editor, file), before, shown);
    const body = changes(before, fields);
    if (Object.keys(body).length === 0) return context.notice('svc changed nothing.');
    await printRange(context, resource, body, typed);
    const ifMatch = await strongEtag(context, etag);
    await send(context, resource, { method: 'PATCH', path, body, ifMatch }, before, typed);
  });
}

type Patch = WriteRequest & { readonly body: JsonObject };

async function send(
  context: Needs<Confirming | Asking | 'dates' | 'host'>,
  resource: Resource,
  patch: Patch,
  before: JsonObject,
  typed: Typed,
): Promise<void> {
  if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, patch));
  await confirmMarkdown(context, resource, patch.path, patch.body);
  try {
    const response = await sendRangeWrite(context, resource, patch, typed);
    const record = await recordWritten(context, resource, { body: patch.body, typed }, response);
    await printWritten(context, { resource, record, line: (old) => updatedLine(resource, record, typed, old) });
  } catch (error) {
    throw isStale(error) ? await withBothVersions(context, error, resource, patch, before) : error;
  }
}

/** Returns the ETag for the write. If the service sends no strong ETag, svc warns that svc cannot detect changes by others. */
async function strongEtag(context: Needs<'notice'>, etag: string | undefined): Promise<string | undefined> {
  if (etag !== undefined && isStrongEtag(etag)) return etag;
  await context.notice('The service gave no ETag for this record, so svc cannot detect a change by somebody else in the meantime.');
  return undefined;
}

/** Returns the fields that an update can set, as plain JSON values for the YAML in the editor. */
function editable(resource: Resource, record: JsonObject): JsonObject {
  const names = writableFields(resource, 'update').map(([name]) => name);
  return JSON.parse(stringifyJson(Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])))));
}

/**
 * Returns the record with the names of its related records. Returns an empty object if svc cannot read the names. The editor then shows
 * ids.
 */
async function nameReferences(
  context: Needs<Naming | 'signal'>,
  resource: Resource,
  path: string,
  reading: Promise<CurrentRecord>,
): Promise<JsonObject> {
  const references = writableFields(resource, 'update').flatMap(([field, { ref: noun }]) => {
    const relation = relationOf(resource, field);
    return relation === undefined ? [] : [{ field, relation, noun, includes: reachOf(resource, relation) === 'one' }];
  });
  if (references.length === 0) return {};
  try {
    return await namedRecordAt(context, { path, references }, async () => (await reading).record);
  } catch (error) {
    if (!(error instanceof SvcError) || context.signal.aborted) throw error;
    return {};
  }
}

interface Shown {
  readonly value: JsonValue;
  /** The comment after the value in the editor, such as the id of a named record. */
  readonly comment?: string;
  readonly form?: 'HTML' | 'Markdown';
}

type ShownFields = ReadonlyMap<string, Shown>;

async function shownFields(resource: Resource, before: JsonObject, named: JsonObject): Promise<ShownFields> {
  const { htmlToMarkdown } = await import('../../output/html-markdown.ts');
  const fields = Object.entries(before).map(([name, value]): [string, Shown] => {
    if (resource.fields[name]?.kind === 'html') {
      const markdown = typeof value === 'string' ? htmlToMarkdown(value) : value;
      return [name, markdown === undefined ? { value, form: 'HTML' } : { value: markdown, form: 'Markdown' }];
    }
    const relation = relationOf(resource, name);
    // The value and the name come from two requests. svc uses the name only if both answers have the same id.
    const isSame = relation !== undefined && stringifyJson(named[name] ?? null) === stringifyJson(value);
    return [name, isSame ? shownReference(resource.fields[name]?.kind, value, named[relation]) : { value }];
  });
  return new Map(fields);
}

/** Returns a name in the form that a flag accepts: for a work item, its key. Returns the id if the service shows no name. */
function shownReference(kind: FieldKind | undefined, id: JsonValue, name: JsonValue | undefined): Shown {
  if (id === null || typeof name !== 'string' || /^#\d+$/.test(name)) return { value: id };
  const line = neutraliseLine(name);
  if (kind !== 'work-item') return { value: line, comment: `id ${scalarText(id)}` };
  const [, key, title] = /^([A-Z][A-Z0-9]*-\d+) ?(.*)$/.exec(line) ?? [];
  return key === undefined ? { value: id, comment: line } : { value: key, comment: `${title}, id ${scalarText(id)}` };
}

const FORMS = {
  Markdown: '# Markdown:\n',
  HTML: '# HTML, because Markdown cannot express all of this text:\n',
} as const;

async function draftOf(resource: Resource, id: string, shown: ShownFields): Promise<string> {
  const { writeYaml } = await import('../../output/yaml-writer.ts');
  const lines = [...shown].map(([name, { value, comment, form }]) => {
    const line = writeYaml({ [name]: value });
    return (form === undefined ? '' : FORMS[form]) + (comment === undefined ? line : line.replace(/\n$/, `  # ${comment}\n`));
  });
  return `# ${singularName(resource)} ${id}. Save to send your changes; an empty file changes nothing.\n${lines.join('')}`;
}

/** Reads the fields of a record after the edit. `typed` has the texts that the user typed for the changed fields. */
async function readDraft(
  context: Needs<ReadingValues>,
  resource: Resource,
  text: string,
  before: JsonObject,
  shown: ShownFields,
): Promise<{ readonly fields: JsonObject; readonly typed: Typed }> {
  let typed: unknown;
  try {
    typed = await readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new UsageError(`svc cannot read the YAML: ${error.message}`, { hint: AGAIN });
  }
  if (typed === null || typed === undefined) return { fields: before, typed: new Map() };
  if (!isJsonObject(typed as JsonValue)) throw new UsageError('The file is not a list of fields.', { hint: AGAIN });
  checkComments(text, typed as JsonObject, before);
  return readTyped(context, resource, typed as JsonObject, before, shown);
}

const AGAIN = 'Edit the file again: a field is a name, a colon and a value.';

/**
 * Checks the fields for missing values.
 *
 * @throws UsageError for a field with only a comment, such as `project_id: #12`, because YAML would clear the field.
 */
function checkComments(text: string, draft: JsonObject, before: JsonObject): void {
  const isComment = (name: string) =>
    text.split('\n').some((line) => line.startsWith(`${name}:`) && /^\s*#/.test(line.slice(name.length + 1)));
  const cleared = Object.keys(before).find((name) => draft[name] === null && before[name] !== null && isComment(name));
  if (cleared === undefined) return;
  throw new UsageError(`${cleared}: YAML reads the text after # as a comment, so there is no value.`, {
    hint: 'Put a text that begins with # in quotes. To clear the field, type null.',
  });
}

async function readTyped(
  context: Needs<ReadingValues>,
  resource: Resource,
  draft: JsonObject,
  before: JsonObject,
  shown: ShownFields,
): Promise<{ readonly fields: JsonObject; readonly typed: Typed }> {
  const fields: Record<string, JsonValue> = { ...draft };
  const typed = new Map<string, string>();
  for (const [name, value] of Object.entries(draft)) {
    const field = resource.fields[name];
    const was = shown.get(name);
    if (was !== undefined && stringifyJson(value) === stringifyJson(was.value)) fields[name] = before[name] ?? null;
    else if (typeof value === 'string' && field !== undefined && value !== before[name]) {
      typed.set(name, value);
      fields[name] = await naming(name, () => readField(context, field, value, was));
    }
  }
  return { fields, typed };
}

async function readField(context: Needs<ReadingValues>, field: Field, text: string, was: Shown | undefined): Promise<JsonValue> {
  if (clears(text) && !TEXT_KINDS.has(field.kind)) return null;
  if (field.kind !== 'html') return readBodyValue(context, field, text);
  return (await import('../../records/rich-text.ts')).richText(context, text, was?.form === 'HTML');
}

/** Returns the fields whose value changed. A deleted line does not count as a change. */
function changes(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => stringifyJson(value) !== stringifyJson(before[name] ?? null)));
}

/** Makes the error for a 412 response, with both versions of each changed field. */
async function withBothVersions(
  context: Needs<'client'>,
  error: ConflictError,
  resource: Resource,
  { path, body }: Patch,
  before: JsonObject,
): Promise<ConflictError> {
  const theirs = editable(resource, (await recordNow(context, path)).record);
  const names = [...new Set([...Object.keys(changes(before, theirs)), ...Object.keys(body)])];
  const rows = names.map((name) => [name, theirs[name], Object.hasOwn(body, name) ? body[name] : before[name]].map(cell));
  return new ConflictError('Somebody else changed the record while you were editing, so svc sent nothing.', {
    hint: `Edit the record again, or send one field: svc ${commandWords(resource, 'update')} --help`,
    details: { ...error.details, lines: alignColumns([['field', 'theirs', 'yours'], ...rows]).map((line) => line.trimEnd()) },
    cause: error,
  });
}

function cell(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null);
}
