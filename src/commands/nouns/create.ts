import type { Resource } from '../../catalog/define.ts';
import { notesOf } from '../../catalog/rules.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { commandWords, summaryOf } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { BODY_OPTIONS, checkRequired, fieldOptions, readBody } from '../../records/body.ts';
import type { Understanding } from '../../records/kinds.ts';
import { type FindingRecords, namedParent } from '../../records/named-place.ts';
import { collectionPath, parentArgs } from '../../records/paths.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite } from '../../records/send-write.ts';
import { sendSpanWrite } from '../../records/span.ts';
import type { Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRecord } from '../../session/print.ts';
import type { JsonValue } from '../../values/json.ts';
import { examplesOf } from './examples.ts';
import { KEY_OPTION, VIEW_OPTION, viewQuery } from './write-flags.ts';
import { createdLine, loggedLine, printWritten } from './written.ts';

/** The flags of a `create` beside those of its fields. */
export const CREATE_OPTIONS = { ...BODY_OPTIONS, ...VIEW_OPTION, ...KEY_OPTION } as const;

/** `svc <noun> create`: exactly one POST. Hours are added rather than created. */
export function createCommand(resource: Resource): CommandSpec<Context> {
  const words = commandWords(resource, 'create');
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: resource.createAs?.name ?? 'create',
    summary: summaryOf(resource, 'create'),
    description: notesOf(resource, 'create').join(' ') || undefined,
    args: parentArgs(resource),
    catalogOptions: fieldOptions(resource, 'create'),
    options: CREATE_OPTIONS,
    examples: examplesOf(resource, 'create'),
    async run(context: Needs<FindingRecords | Printing | Understanding | 'host' | 'readFileArgument'>, { args, options, given }) {
      const path = collectionPath(resource, (await namedParent(context, resource, args)).parent);
      const { body, typed } = await readBody(context, resource, 'create', options, given);
      if (Object.keys(body).length === 0 && Object.values(resource.fields).some(({ write }) => write !== undefined))
        throw new UsageError('There is nothing to send.', { hint: `See: svc ${words} --help` });
      checkRequired(resource, body, words);
      await addDefaults(context, resource, body);
      const write = { method: 'POST', path, query: viewQuery(options), body, idempotencyKey: options.idempotencyKey } as const;
      if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
      const response = await sendSpanWrite(context, resource, write, typed);
      const record = readRecord(response);
      const line = resource.createAs?.name === 'add' ? loggedLine(record, typed) : createdLine(resource, record);
      await printWritten(context, { resource, record, line });
      if (response.headers['idempotency-replayed'] === 'true')
        await context.notice('It was there already: this is the answer to the first time.');
    },
  });
}

async function addDefaults(context: Needs<'dates'>, resource: Resource, body: Record<string, JsonValue>): Promise<void> {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.default === undefined || body[name] !== undefined) continue;
    const { today } = await import('../../values/dates.ts');
    body[name] = today(await context.dates());
  }
}
