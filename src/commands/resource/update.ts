import type { Resource } from '../../catalog/define.ts';
import { ConflictError, UnavailableError, UsageError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { type CommandSpec, defineCommand, text, toggle } from '../define.ts';
import { printRecord, viewOf } from '../print.ts';
import { readRecord } from '../read-record.ts';
import { BODY_OPTIONS, fieldOptions, readBody } from './body.ts';
import { examplesOf } from './examples.ts';
import { itemPath } from './item-path.ts';
import { describeWrite, sendWrite } from './send-write.ts';

/** `svc <noun> update <id>`: a PATCH of the fields that were given. */
export function updateCommand(resource: Resource): CommandSpec {
  return defineCommand({
    showsGlobals: ['host', 'output', 'fields', 'jq', 'dryRun'],
    name: 'update',
    summary: `Change a ${resource.singular.replaceAll('-', ' ')}`,
    args: [{ name: 'id', summary: resource.keyed ? 'Its id or key' : 'Its id' }],
    options: {
      ...fieldOptions(resource, 'update'),
      ...BODY_OPTIONS,
      ifMatch: text('--if-match <etag>', 'Only if the record still has this ETag', { group: 'Request' }),
      ifUnchanged: toggle('--if-unchanged', 'Only if nobody changes it between reading and writing (one request more)', {
        group: 'Request',
      }),
    },
    examples: examplesOf(resource, 'update'),
    async run(context, { args: [id = ''], options }) {
      if (options['ifMatch'] !== undefined && options['ifUnchanged']) {
        throw new UsageError('--if-match and --if-unchanged cannot be used together.', { hint: 'Use one of them.' });
      }
      const path = itemPath(resource, id);
      const body = await readBody(context, resource, 'update', options);
      if (Object.keys(body).length === 0)
        throw new UsageError('There is nothing to change.', { hint: `See: svc ${resource.noun} update --help` });
      const given = options['ifMatch'] as string | undefined;
      if (context.globals.dryRun) {
        const ifMatch = options['ifUnchanged'] ? '<its ETag now>' : given;
        return printRecord(context, await describeWrite(context, resource, { method: 'PATCH', path, body, ifMatch }));
      }
      const ifMatch = options['ifUnchanged'] ? await currentEtag(context, path) : given;
      const response = await sendWrite(context, { method: 'PATCH', path, body, ifMatch });
      await printRecord(context, readRecord(response), viewOf(resource));
    },
  });
}

async function currentEtag(context: Context, path: string): Promise<string> {
  const client = await context.client();
  const { etag, requestId } = await client.send({ method: 'GET', path });
  if (etag !== undefined) return etag;
  throw new UnavailableError('The service gave no ETag for this record, so it cannot be kept from changing.', {
    hint: 'Leave out --if-unchanged.',
    details: { request_id: requestId },
  });
}

/** Whether a failure says that the record changed meanwhile (412). */
export function isStale(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.details.status === 412;
}
