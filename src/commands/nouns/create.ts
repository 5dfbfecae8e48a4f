import type { Resource } from '../../catalog/define.ts';
import { notesOf } from '../../catalog/rules.ts';
import { type CommandSpec, defineCommand, text } from '../../cli/spec.ts';
import { commandWords, summaryOf } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { BODY_OPTIONS, checkRequired, fieldOptions, readBody } from '../../records/body.ts';
import { collectionPath, parentArgs, placeOf } from '../../records/paths.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Context } from '../../session/context.ts';
import { printRecord, viewOf } from '../../session/print.ts';
import type { JsonValue } from '../../values/json.ts';
import { examplesOf } from './examples.ts';

/** `svc <noun> create`: exactly one POST. Hours are added rather than created. */
export function createCommand(resource: Resource): CommandSpec<Context> {
  const words = commandWords(resource, 'create');
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: resource.createAs?.name ?? 'create',
    summary: summaryOf(resource, 'create'),
    description: notesOf(resource, 'create').join(' ') || undefined,
    args: parentArgs(resource),
    options: {
      ...fieldOptions(resource, 'create'),
      ...BODY_OPTIONS,
      idempotencyKey: text('--idempotency-key <k>', 'Sent twice with one key, it is done once', { group: 'Request' }),
    },
    examples: examplesOf(resource, 'create'),
    async run(context: Context, { args, options }) {
      const path = collectionPath(resource, placeOf(resource, args).parent);
      const body = await readBody(context, resource, 'create', options);
      if (Object.keys(body).length === 0 && Object.values(resource.fields).some(({ write }) => write !== undefined))
        throw new UsageError('There is nothing to send.', { hint: `See: svc ${words} --help` });
      await addDefaults(context, resource, body);
      checkRequired(resource, body, words);
      const write = { method: 'POST', path, body, idempotencyKey: checkKey(options['idempotencyKey']) } as const;
      if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
      const response = await sendWrite(context, write);
      await printRecord(context, readRecord(response), viewOf(resource));
      if (response.headers['idempotency-replayed'] === 'true')
        await context.notice('It was there already: this is the answer to the first time.');
    },
  });
}

async function addDefaults(context: Context, resource: Resource, body: Record<string, JsonValue>): Promise<void> {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.default === undefined || body[name] !== undefined) continue;
    const { today } = await import('../../values/dates.ts');
    body[name] = today(await context.dates());
  }
}

/** At most 255 characters, of those that a header can carry (rule 6.11). */
export function checkKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new UsageError('--idempotency-key: a key has 1 to 255 characters, without blanks.', { hint: 'Use a UUID, for example.' });
}
