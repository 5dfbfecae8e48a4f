import type { Resource } from '../../catalog/define.ts';
import type { TypedInput } from '../../cli/spec.ts';
import { commandWords } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { checkRequired, readBody } from '../../records/body.ts';
import type { Understanding } from '../../records/kinds.ts';
import { type FindingRecords, namedParent } from '../../records/named-place.ts';
import { collectionPath } from '../../records/paths.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite } from '../../records/send-write.ts';
import { sendSpanWrite } from '../../records/span.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRecord, readByPerson } from '../../session/print.ts';
import type { JsonValue } from '../../values/json.ts';
import type { LookingAtToday } from '../time/day-so-far.ts';
import { type CREATE_OPTIONS, viewQuery } from './write-flags.ts';
import { createdLine, loggedLine, printWritten } from './written.ts';

/** Sends what the flags of a create describe: exactly one POST, and prints what was made. */
export async function sendCreate(
  context: Needs<FindingRecords | LookingAtToday | Printing | Understanding | 'host' | 'readFileArgument'>,
  resource: Resource,
  { args, options, given }: TypedInput<typeof CREATE_OPTIONS>,
): Promise<void> {
  const words = commandWords(resource, 'create');
  const path = collectionPath(resource, (await namedParent(context, resource, args)).parent);
  const { body, typed } = await readBody(context, resource, 'create', options, given);
  if (Object.keys(body).length === 0 && Object.values(resource.fields).some(({ write }) => write !== undefined))
    throw new UsageError('There is nothing to send.', { hint: `See: svc ${words} --help` });
  checkRequired(resource, body, words);
  await addDefaults(context, resource, body);
  const write = { method: 'POST', path, query: viewQuery(options), body, idempotencyKey: options.idempotencyKey } as const;
  if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
  const isHours = resource.createAs?.name === 'add';
  // Beside the write: nobody waits for it alone.
  const looking = isHours && (await readByPerson(context)) ? (await import('../time/day-so-far.ts')).lookAtToday(context, body) : undefined;
  const response = await sendSpanWrite(context, resource, write, typed);
  const record = readRecord(response);
  const line = isHours ? loggedLine(record, typed, undefined, await (await looking)?.(record)) : createdLine(resource, record);
  await printWritten(context, { resource, record, line });
  if (response.headers['idempotency-replayed'] === 'true')
    await context.notice('It was there already: this is the answer to the first time.');
}

async function addDefaults(context: Needs<'dates'>, resource: Resource, body: Record<string, JsonValue>): Promise<void> {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.default === undefined || body[name] !== undefined) continue;
    const { today } = await import('../../values/dates.ts');
    body[name] = today(await context.dates());
  }
}
