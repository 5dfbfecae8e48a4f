import { readsIds, readTargets, writeEach } from '../../bulk/bulk-ids.ts';
import type { Resource } from '../../catalog/define.ts';
import { hasRichText, notesOf } from '../../catalog/rules.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { commandWords, itsId, summaryOf } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { readBody } from '../../records/body.ts';
import { BODY_OPTIONS, fieldOptions } from '../../records/body-flags.ts';
import { namedPlace } from '../../records/named-place.ts';
import { itemPath, parentArgs } from '../../records/paths.ts';
import { readRecord, seenEtag, withEtag } from '../../records/record-at.ts';
import { describeWrite } from '../../records/send-write.ts';
import { sendSpanWrite } from '../../records/span.ts';
import type { Context } from '../../session/context.ts';
import { printRecord } from '../../session/print.ts';
import { examplesOf } from './examples.ts';
import { confirmMarkdown } from './markdown-loss.ts';
import { CONDITION_OPTIONS, checkConditions, SEEN_ETAG, VIEW_OPTION, viewQuery } from './write-flags.ts';
import { printWritten, updatedLine } from './written.ts';

export function updateCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'update',
    summary: summaryOf(resource, 'update'),
    description: notesOf(resource, 'update').join(' ') || undefined,
    args: [...parentArgs(resource), { name: 'id', summary: `${itsId(resource)}; - reads ids from standard input` }],
    catalogOptions: fieldOptions(resource, 'update'),
    options: { ...BODY_OPTIONS, ...VIEW_OPTION, ...CONDITION_OPTIONS },
    examples: examplesOf(resource, 'update'),
    async run(context: Context, { args, options, given }) {
      const { ifMatch: etag, ifUnchanged } = options;
      checkConditions(options);
      const query = viewQuery(options);
      const { parent, rest } = await namedPlace(context, resource, args);
      const fromStdin = readsIds(rest);
      const path = fromStdin ? '' : itemPath(resource, rest[0] ?? '', parent);
      const { body, typed } = await readBody(context, resource, 'update', options, given);
      if (given['html']) (await import('../../records/rich-text.ts')).checkHtmlFlag(resource, 'update', given, body);
      if (Object.keys(body).length === 0)
        throw new UsageError('There is nothing to change.', { hint: `See: svc ${commandWords(resource, 'update')} --help` });
      if (fromStdin) {
        if (etag !== undefined || ifUnchanged)
          throw new UsageError('--if-match and --if-unchanged are for one record.', { hint: 'Leave them out, or give one id.' });
        const write = { resource, parent, method: 'PATCH', query, body } as const;
        return writeEach(context, await readTargets(context, write), write);
      }
      if (context.globals.dryRun) {
        const ifMatch = ifUnchanged ? SEEN_ETAG : etag;
        return printRecord(context, await describeWrite(context, resource, { method: 'PATCH', path, query, body, ifMatch }));
      }
      const ifMatch = ifUnchanged ? await seenEtag(context, path, [...commandWords(resource, 'get').split(' '), ...args]) : etag;
      await confirmMarkdown(context, resource, path, body);
      const sending = sendSpanWrite(context, resource, { method: 'PATCH', path, query, body, ifMatch }, typed);
      const response = await sending.catch(async (error: unknown) => {
        throw await withEtag(context, error, path);
      });
      const record = readRecord(response);
      if (hasRichText(resource, body))
        await (await import('../../records/rich-text.ts')).tellTagsLost(context, resource, { body, typed }, record);
      await printWritten(context, { resource, record, line: (old) => updatedLine(resource, record, typed, old) });
    },
  });
}
