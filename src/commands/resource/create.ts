import type { Resource } from '../../catalog/define.ts';
import { UsageError } from '../../errors.ts';
import { type CommandSpec, defineCommand, text } from '../define.ts';
import { printRecord, viewOf } from '../print.ts';
import { readRecord } from '../read-record.ts';
import { BODY_OPTIONS, checkRequired, fieldOptions, readBody } from './body.ts';
import { examplesOf } from './examples.ts';
import { describeWrite, sendWrite } from './send-write.ts';

/** `svc <noun> create`: exactly one POST. `name` is `add` for worklogs, which people add rather than create. */
export function createCommand(resource: Resource, name: 'create' | 'add' = 'create'): CommandSpec {
  const what = resource.singular.replaceAll('-', ' ');
  return defineCommand({
    showsGlobals: ['host', 'output', 'fields', 'jq', 'dryRun'],
    name,
    summary: name === 'add' ? 'Log hours' : `Create a ${what}`,
    options: {
      ...fieldOptions(resource, 'create'),
      ...BODY_OPTIONS,
      idempotencyKey: text('--idempotency-key <k>', 'Sent twice with the same key, it is done once', { group: 'Request' }),
    },
    examples: examplesOf(resource, 'create').map((example) => ({ ...example, args: example.args.replace(' create ', ` ${name} `) })),
    async run(context, { options }) {
      const body = await readBody(context, resource, 'create', options);
      if (resource.noun === 'worklogs' && body['date'] === undefined) {
        const { today } = await import('../../values/dates.ts');
        body['date'] = today(await context.dates());
      }
      checkRequired(resource, body, `${resource.noun} ${name}`);
      if (Object.keys(body).length === 0)
        throw new UsageError('There is nothing to send.', { hint: `See: svc ${resource.noun} ${name} --help` });
      const write = { method: 'POST', path: resource.path, body, idempotencyKey: checkKey(options['idempotencyKey']) } as const;
      if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
      const response = await sendWrite(context, write);
      await printRecord(context, readRecord(response), viewOf(resource));
      if (response.headers['idempotency-replayed'] === 'true')
        await context.notice('It was there already: this is the answer to the first time.');
    },
  });
}

/** At most 255 characters, of those that a header can carry (rule 6.10). */
function checkKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new UsageError('--idempotency-key: a key has 1 to 255 characters, without blanks.', { hint: 'Use a UUID, for example.' });
}
