import type { Resource } from '../../catalog/define.ts';
import { flagOf } from '../../catalog/rules.ts';
import type { TypedInput } from '../../cli/spec.ts';
import { commandWords } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { checkRequired, readBody } from '../../records/body.ts';
import { type FindingRecords, namedParent } from '../../records/named-place.ts';
import { collectionPath } from '../../records/paths.ts';
import { describeWrite } from '../../records/send-write.ts';
import { sendRangeWrite } from '../../records/write-range.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printRecord } from '../../session/print.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../values/json.ts';
import type { ReadingToday } from '../time/day-so-far.ts';
import type { AskingFields } from './ask-missing.ts';
import { type CREATE_OPTIONS, viewQuery } from './write-flags.ts';
import { type Confirming, createdLine, loggedLine, printWritten, recordWritten } from './written.ts';

export async function createRecord(
  context: Needs<FindingRecords | ReadingToday | Confirming | AskingFields | 'host' | 'readFileArgument' | 'notifyOnce'>,
  resource: Resource,
  { args, options, given }: TypedInput<typeof CREATE_OPTIONS>,
): Promise<void> {
  const words = commandWords(resource, 'create');
  const { parent } = await namedParent(context, resource, args);
  const path = collectionPath(resource, parent);
  const read = await readBody(context, resource, 'create', options, given);
  // svc asks no questions without a terminal, in a dry run, or if --data has the whole body.
  const asks = context.interactive && !context.globals.dryRun && options.data === undefined;
  const { draft, body, typed } = asks
    ? await (await import('./ask-missing.ts')).askMissing(context, resource, read, given['html'] === true)
    : { ...read, draft: undefined };
  try {
    if (given['html']) (await import('../../records/rich-text.ts')).checkHtmlFlag(resource, 'create', body);
    if (Object.keys(body).length === 0 && Object.values(resource.fields).some(({ write }) => write !== undefined))
      throw new UsageError('There is nothing to send.', { hint: `See: svc ${words} --help` });
    checkRequired(resource, body, words);
    await addDefaults(context, resource, body);
    const write = { method: 'POST', path, query: viewQuery(options), body, idempotencyKey: options.idempotencyKey } as const;
    if (context.globals.dryRun) return await printRecord(context, await describeWrite(context, resource, write));
    const isHours = resource.createAs?.name === 'add';
    // svc reads today’s hours while it sends the write.
    const reading =
      isHours && (await context.presentation()).isDefaultFormat
        ? (await import('../time/day-so-far.ts')).readToday(context, body)
        : undefined;
    const response = await sendRangeWrite(context, resource, write, typed);
    const record = await recordWritten(context, resource, { body, typed }, response);
    const line = isHours ? loggedLine(record, typed, undefined, await (await reading)?.(record)) : createdLine(resource, record, parent);
    await printWritten(context, { resource, record, line });
    await printUnset(context, resource, record);
    if (response.headers['idempotency-replayed'] === 'true')
      await context.notice('The service already had the record, and repeated the first answer.');
  } catch (error) {
    // The draft file keeps the text until svc has sent the text.
    throw draft === undefined ? error : (await import('../editor.ts')).withDraft(error, draft);
  }
  if (draft !== undefined) await context.files.remove(draft);
}

/** Prints the notice of the catalog for each field that is null in the answer. Skips fields that the service does not show. */
async function printUnset(context: Needs<Printing>, resource: Resource, record: JsonObject): Promise<void> {
  const lacking = Object.entries(resource.fields).filter(([name, { ifNone }]) => ifNone !== undefined && record[name] === null);
  const id = scalarText(record['id']);
  if (id === '' || lacking.length === 0 || !(await context.presentation()).isDefaultFormat) return;
  const { hostFlag } = await import('../../session/printed-command.ts');
  const host = await hostFlag(context);
  for (const [name, field] of lacking)
    await context.notice(`${field.ifNone} To set it: svc ${resource.noun} update ${id} --${flagOf(name, field)} <id|name>${host}`);
}

async function addDefaults(context: Needs<'dates'>, resource: Resource, body: Record<string, JsonValue>): Promise<void> {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.default === undefined || body[name] !== undefined) continue;
    const { today } = await import('../../values/dates.ts');
    body[name] = today(await context.dates());
  }
}
