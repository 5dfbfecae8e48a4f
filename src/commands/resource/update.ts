import { readsIds, readTargets, writeEach } from '../../bulk/bulk-ids.ts';
import type { Resource } from '../../catalog/define.ts';
import type { TypedInput } from '../../cli/spec.ts';
import { commandWords } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { readChanges } from '../../records/body.ts';
import { namedPlace } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { withEtag } from '../../records/record-at.ts';
import { describeWrite } from '../../records/send-write.ts';
import { sendRangeWrite } from '../../records/write-range.ts';
import type { Context } from '../../session/context.ts';
import { printRecord } from '../../session/print.ts';
import { confirmMarkdown } from './markdown-loss.ts';
import { checkConditions, conditionOf, type UPDATE_OPTIONS, viewQuery } from './write-flags.ts';
import { printWritten, recordWritten, updatedLine } from './written.ts';

export async function updateRecord(
  context: Context,
  resource: Resource,
  { args, options, given }: TypedInput<typeof UPDATE_OPTIONS>,
): Promise<void> {
  checkConditions(options);
  if (given['maxChanges'] !== undefined)
    throw new UsageError('You can use --max-changes only with --where.', { hint: 'Leave out --max-changes.' });
  const command = commandWords(resource, 'update');
  if (args.length === 0)
    throw new UsageError(`"svc ${command}" needs <id>, or --where for many records.`, { hint: `See: svc ${command} --help` });
  const query = viewQuery(options);
  const { parent, rest } = await namedPlace(context, resource, args);
  const fromStdin = readsIds(rest);
  const path = fromStdin ? '' : itemPath(resource, rest[0] ?? '', parent);
  const { body, typed } = await readChanges(context, resource, options, given);
  if (fromStdin) {
    if (options.ifMatch !== undefined || options.ifUnchanged)
      throw new UsageError('You can use --if-match and --if-unchanged only for one record.', {
        hint: 'Leave out these flags, or name one id.',
      });
    const write = { resource, parent, method: 'PATCH', query, body } as const;
    return writeEach(context, await readTargets(context, write), write);
  }
  const ifMatch = await conditionOf(context, options, path, [...commandWords(resource, 'get').split(' '), ...args]);
  const write = { method: 'PATCH', path, query, body, ifMatch } as const;
  if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
  await confirmMarkdown(context, resource, path, body);
  const response = await sendRangeWrite(context, resource, write, typed).catch(async (error: unknown) => {
    throw await withEtag(context, error, path);
  });
  const record = await recordWritten(context, resource, { body, typed }, response);
  await printWritten(context, { resource, record, line: (old) => updatedLine(resource, record, typed, old) });
}
