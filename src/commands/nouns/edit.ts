import type { Resource } from '../../catalog/define.ts';
import { thingOf, writableFields } from '../../catalog/rules.ts';
import { naming } from '../../cli/naming.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { commandWords, summaryOf } from '../../cli/words.ts';
import { ConflictError, SvcError, UsageError, withMore } from '../../errors.ts';
import { readBodyValue } from '../../records/kinds.ts';
import { itemPath, parentArgs, placeOf } from '../../records/paths.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Context } from '../../session/context.ts';
import { printRecord, viewOf } from '../../session/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../values/json.ts';
import { examplesOf } from './examples.ts';
import { confirmMarkdown } from './markdown-loss.ts';
import { isStale } from './update.ts';

/** `svc <noun> edit <id>`: the writable fields in $EDITOR as YAML; only what was changed is sent, if nobody else was faster. */
export function editCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'edit',
    summary: summaryOf(resource, 'edit'),
    description:
      'Opens the fields that can be changed in your editor: VISUAL or EDITOR, else the setting editor. Only what you change is sent, and only if nobody else changed the record meanwhile. An unchanged or empty file changes nothing. Values may be typed as with the flags: 1h30, tomorrow.',
    args: [...parentArgs(resource), { name: 'id', summary: `Its id${resource.keyed ? ' or key' : ''}` }],
    examples: examplesOf(resource, 'edit'),
    async run(context: Context, { args }) {
      const { parent, rest } = placeOf(resource, args);
      const path = itemPath(resource, rest[0] ?? '', parent);
      if (!context.interactive) {
        throw new UsageError('Editing needs a terminal.', { hint: `In a script: svc ${commandWords(resource, 'update')} --help` });
      }
      const editor = await editorCommand(context);
      const client = await context.client();
      const response = await client.send({ method: 'GET', path });
      const before = editable(resource, readRecord(response));
      const file = await writeDraft(context, resource, rest[0] ?? '', before);
      try {
        const after = await editDraft(context, editor, resource, file, before);
        const body = changes(before, after);
        if (Object.keys(body).length === 0) await context.notice('Nothing was changed.');
        else await send(context, resource, { method: 'PATCH', path, body, ifMatch: response.etag }, before);
      } catch (error) {
        // What was typed is never lost: the file stays until it has been sent.
        throw withDraft(error, file);
      }
      await context.files.remove(file);
    },
  });
}

interface Patch {
  readonly method: 'PATCH';
  readonly path: string;
  readonly body: JsonObject;
  readonly ifMatch: string | undefined;
}

async function send(context: Context, resource: Resource, patch: Patch, before: JsonObject): Promise<void> {
  if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, patch));
  await confirmMarkdown(context, resource, patch.path, patch.body);
  try {
    await printRecord(context, readRecord(await sendWrite(context, patch)), viewOf(resource));
  } catch (error) {
    throw isStale(error) ? await withBothVersions(context, error, resource, patch, before) : error;
  }
}

/** The command that edits a file: VISUAL, EDITOR, else the setting. @throws UsageError when none is set. */
export async function editorCommand(context: Context): Promise<string> {
  const { env } = context;
  const editor = env['VISUAL'] || env['EDITOR'] || (await context.settings()).editor;
  if (editor) return editor;
  throw new UsageError('No editor is set.', { hint: 'Set EDITOR, for example: export EDITOR=nano, or: svc config set editor nano' });
}

/** The fields that an update can set, as the record has them, with plain numbers as an editor gives them back. */
function editable(resource: Resource, record: JsonObject): JsonObject {
  const names = writableFields(resource, 'update').map(([name]) => name);
  return JSON.parse(stringifyJson(Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])))));
}

async function writeDraft(context: Context, resource: Resource, id: string, before: JsonObject): Promise<string> {
  const { stringify } = await import('yaml');
  const token = Buffer.from(context.system.randomBytes(6)).toString('hex');
  const file = `${context.paths.cache}/edit/${resource.singular}-${id.replace(/[^\w-]/g, '')}-${token}.yaml`;
  const intro = `# ${thingOf(resource)} ${id}. Save to send what you change; an empty file changes nothing.\n`;
  await context.files.writeAtomic(file, intro + stringify(before));
  return file;
}

/** What the person made of the fields. */
async function editDraft(context: Context, editor: string, resource: Resource, file: string, before: JsonObject): Promise<JsonObject> {
  const code = await context.programs.run(editor, [file]).catch((cause: unknown) => {
    throw new SvcError(`The editor could not be started: ${editor}`, { hint: 'Set EDITOR to a command that edits a file.', cause });
  });
  if (code !== 0)
    throw new SvcError(`The editor ended with ${code}, so nothing is sent.`, { hint: 'Save and leave it without a failure.' });
  const { parse } = await import('yaml');
  let typed: unknown;
  try {
    typed = parse((await context.files.readText(file)) ?? '');
  } catch (error) {
    throw new UsageError(`This is no YAML any more: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`, { hint: AGAIN });
  }
  if (typed === null || typed === undefined) return before;
  if (!isJsonObject(typed as JsonValue)) throw new UsageError('This is no list of fields any more.', { hint: AGAIN });
  return readTyped(context, resource, typed as JsonObject, before);
}

const AGAIN = 'Edit it again: a field is a name, a colon and a value.';

/** What was changed is read as the flags read it. */
async function readTyped(context: Context, resource: Resource, typed: JsonObject, before: JsonObject): Promise<JsonObject> {
  const read: Record<string, JsonValue> = { ...typed };
  for (const [name, value] of Object.entries(typed)) {
    const kind = resource.fields[name]?.kind;
    if (typeof value === 'string' && kind !== undefined && value !== before[name])
      read[name] = await naming(name, () => readBodyValue(context, kind, value));
  }
  return read;
}

/** Fields whose value differs; a line that was deleted is no change. */
function changes(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => stringifyJson(value) !== stringifyJson(before[name] ?? null)));
}

/** A 412: what somebody else did meanwhile beside what was typed, so that neither is lost. */
async function withBothVersions(
  context: Context,
  error: ConflictError,
  resource: Resource,
  { path, body }: Patch,
  before: JsonObject,
): Promise<ConflictError> {
  const client = await context.client();
  const theirs = editable(resource, readRecord(await client.send({ method: 'GET', path })));
  const names = [...new Set([...Object.keys(changes(before, theirs)), ...Object.keys(body)])];
  const rows = names.map((name) => [name, theirs[name], Object.hasOwn(body, name) ? body[name] : before[name]].map(cell));
  return new ConflictError('Somebody else changed it while you were editing; nothing of yours was sent.', {
    hint: `Edit it again, or send one field: svc ${commandWords(resource, 'update')} --help`,
    details: { ...error.details, lines: sideBySide([['field', 'theirs', 'yours'], ...rows]) },
    cause: error,
  });
}

function cell(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null);
}

function sideBySide(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The same failure, with where the draft is. */
export function withDraft(error: unknown, file: string): unknown {
  if (!(error instanceof SvcError)) return error;
  return withMore(error, { lines: [`What you typed is in ${file}`] });
}
