import { readsIds, readTargets, writeEach } from '../../bulk/bulk-ids.ts';
import type { Resource } from '../../catalog/define.ts';
import { notesOf } from '../../catalog/rules.ts';
import { type CommandSpec, defineCommand, text, toggle } from '../../cli/spec.ts';
import { commandWords, summaryOf } from '../../cli/words.ts';
import { ConflictError, UnavailableError, UsageError } from '../../errors.ts';
import { BODY_OPTIONS, fieldOptions, readBody } from '../../records/body.ts';
import { itemPath, parentArgs, placeOf } from '../../records/paths.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Context } from '../../session/context.ts';
import { printRecord, viewOf } from '../../session/print.ts';
import { examplesOf } from './examples.ts';
import { confirmMarkdown } from './markdown-loss.ts';

/** `svc <noun> update <id>`: a PATCH of the fields that were given. */
export function updateCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'update',
    summary: summaryOf(resource, 'update'),
    description: notesOf(resource, 'update').join(' ') || undefined,
    args: [...parentArgs(resource), { name: 'id', summary: `Its id${resource.keyed ? ' or key' : ''}; - reads many from standard input` }],
    options: { ...fieldOptions(resource, 'update'), ...BODY_OPTIONS, ...CONDITION_OPTIONS },
    examples: examplesOf(resource, 'update'),
    async run(context: Context, { args, options }) {
      const { ifMatch: etag, ifUnchanged } = options as Conditions;
      checkConditions({ ifMatch: etag, ifUnchanged });
      const { parent, rest } = placeOf(resource, args);
      const fromStdin = readsIds(rest);
      const path = fromStdin ? '' : itemPath(resource, rest[0] ?? '', parent);
      const body = await readBody(context, resource, 'update', options);
      if (Object.keys(body).length === 0)
        throw new UsageError('There is nothing to change.', { hint: `See: svc ${commandWords(resource, 'update')} --help` });
      if (fromStdin) {
        if (etag !== undefined || ifUnchanged)
          throw new UsageError('--if-match and --if-unchanged are for one record.', { hint: 'Leave them out, or give one id.' });
        const write = { resource, parent, method: 'PATCH', body } as const;
        return writeEach(context, await readTargets(context, write), write);
      }
      if (context.globals.dryRun) {
        const ifMatch = ifUnchanged ? '<its ETag now>' : etag;
        return printRecord(context, await describeWrite(context, resource, { method: 'PATCH', path, body, ifMatch }));
      }
      const ifMatch = ifUnchanged ? await currentEtag(context, path) : etag;
      await confirmMarkdown(context, resource, path, body);
      const response = await sendWrite(context, { method: 'PATCH', path, body, ifMatch });
      await printRecord(context, readRecord(response), viewOf(resource));
    },
  });
}

/** The flags that make a write depend on the record being as it was (rules 6.8, 6.9). */
export const CONDITION_OPTIONS = {
  ifMatch: text('--if-match <etag>', 'Only if it still has this ETag', { group: 'Request' }),
  ifUnchanged: toggle('--if-unchanged', 'Only if nobody changes it meanwhile (reads it first)', { group: 'Request' }),
} as const;

/** What {@link CONDITION_OPTIONS} said. */
export interface Conditions {
  readonly ifMatch: string | undefined;
  readonly ifUnchanged: true | undefined;
}

/** @throws UsageError when both are given. */
export function checkConditions({ ifMatch, ifUnchanged }: Conditions): void {
  if (ifMatch !== undefined && ifUnchanged)
    throw new UsageError('--if-match and --if-unchanged cannot be used together.', { hint: 'Use one of them.' });
}

/** The ETag that a record has now. @throws UnavailableError when the service gives none. */
export async function currentEtag(context: Context, path: string): Promise<string> {
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
