import type { Resource } from '../../catalog/define.ts';
import { ConflictError, SvcError, UsageError } from '../../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../values/json.ts';
import type { Context } from '../context.ts';
import { type CommandSpec, defineCommand } from '../define.ts';
import { printRecord, viewOf } from '../print.ts';
import { readRecord } from '../read-record.ts';
import { writableFields } from './body.ts';
import { itemPath } from './item-path.ts';
import { describeWrite, sendWrite } from './send-write.ts';
import { isStale } from './update.ts';

/** `svc <noun> edit <id>`: the writable fields in $EDITOR as YAML; only what was changed is sent, if nobody else was faster. */
export function editCommand(resource: Resource): CommandSpec {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'edit',
    summary: `Change a ${resource.singular.replaceAll('-', ' ')} in your editor`,
    description:
      'Opens the fields that can be changed in your editor (the setting editor, else VISUAL or EDITOR). Only what you change is sent, and only if nobody else changed the record meanwhile. An unchanged or empty file changes nothing.',
    args: [{ name: 'id', summary: resource.keyed ? 'Its id or key' : 'Its id' }],
    examples: [{ args: `${resource.noun} edit ${resource.keyed ? 'ABC-12' : '12'}`, does: 'Edit it' }],
    async run(context, { args: [id = ''] }) {
      const path = itemPath(resource, id);
      if (!context.interactive)
        throw new UsageError('Editing needs a terminal.', { hint: `In a script: svc ${resource.noun} update ${id} -F name=value` });
      const editor = await editorCommand(context);
      const client = await context.client();
      const response = await client.send({ method: 'GET', path });
      const record = readRecord(response);
      const before = editable(resource, record);
      const after = await editText(context, editor, resource, id, before);
      const body = changes(before, after);
      if (Object.keys(body).length === 0) return context.notice('Nothing was changed.');
      const write = { method: 'PATCH', path, body, ifMatch: response.etag } as const;
      if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
      try {
        await printRecord(context, readRecord(await sendWrite(context, write)), viewOf(resource));
      } catch (error) {
        throw isStale(error) ? await withBothVersions(context, error, resource, path, before, after) : error;
      }
    },
  });
}

async function editorCommand(context: Context): Promise<string> {
  const { env } = context.deps;
  const editor = env['VISUAL'] || env['EDITOR'] || (await context.settings()).editor;
  if (editor) return editor;
  throw new UsageError('No editor is set.', { hint: 'Set EDITOR, for example: export EDITOR=nano, or: svc config set editor nano' });
}

/** The fields that an update can set, as the record has them. */
function editable(resource: Resource, record: JsonObject): JsonObject {
  const names = writableFields(resource, 'update').map(([name]) => name);
  return Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));
}

/** Shows the fields in the editor until they can be read back. What was typed is never lost: a file that cannot be read stays. */
async function editText(context: Context, editor: string, resource: Resource, id: string, before: JsonObject): Promise<JsonObject> {
  const { files, programs, system } = context.deps;
  const { parse, stringify } = await import('yaml');
  const token = Buffer.from(system.randomBytes(6)).toString('hex');
  const file = `${context.paths.cache}/edit/${resource.singular}-${id}-${token}.yaml`;
  const intro = `# ${resource.singular} ${id}. Save to send what you change; an empty file changes nothing.\n`;
  await files.writeAtomic(file, intro + stringify(JSON.parse(stringifyJson(before))));
  const code = await programs.run(editor, [file]).catch((cause: unknown) => {
    throw new SvcError(`The editor could not be started: ${editor}`, { hint: 'Set EDITOR to a command that edits a file.', cause });
  });
  const text = (await files.readText(file)) ?? '';
  if (code !== 0) throw new SvcError(`The editor ended with ${code}, so nothing is sent.`, { hint: `What you typed is in ${file}` });
  let typed: unknown;
  try {
    typed = parse(text);
  } catch (error) {
    throw new UsageError(`This is no YAML any more: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`, {
      hint: `What you typed is in ${file}`,
    });
  }
  if (typed !== null && !isJsonObject(typed as JsonValue))
    throw new UsageError('This is no list of fields any more.', { hint: `What you typed is in ${file}` });
  await files.remove(file);
  return (typed as JsonObject | null) ?? before;
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
  path: string,
  before: JsonObject,
  mine: JsonObject,
): Promise<ConflictError> {
  const client = await context.client();
  const theirs = editable(resource, readRecord(await client.send({ method: 'GET', path })));
  const names = new Set([...Object.keys(changes(before, theirs)), ...Object.keys(changes(before, mine))]);
  const lines = [...names].map(
    (name) => `${name}: theirs ${stringifyJson(theirs[name] ?? null)}, yours ${stringifyJson(mine[name] ?? null)}`,
  );
  return new ConflictError('Somebody else changed it while you were editing; nothing of yours was sent.', {
    hint: `Edit it again, or send one field: svc ${resource.noun} update`,
    details: { ...error.details, lines },
    cause: error,
  });
}
