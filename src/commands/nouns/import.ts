import { importRows } from '../../bulk/import/import-rows.ts';
import type { Translation } from '../../bulk/import/translation.ts';
import type { Resource } from '../../catalog/define.ts';
import { type CommandSpec, defineCommand, text } from '../../cli/spec.ts';
import { summaryOf } from '../../cli/words.ts';
import type { Understanding } from '../../records/kinds.ts';
import { type FindingRecords, namedParent } from '../../records/named-place.ts';
import { collectionPath, parentArgs } from '../../records/paths.ts';
import type { Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { examplesOf } from './examples.ts';

/** `svc <noun> import <file>`: creates a record a row; safe to run again after anything. */
export function importCommand(resource: Resource, translation?: Translation): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'import',
    summary: summaryOf(resource, 'import'),
    description: [
      'Reads CSV (the first line names the fields), NDJSON or a JSON array; - reads standard input. Every row is checked before the first is sent. What was created is noted in a journal beside the file, and each row has an idempotency key of its own, so running it again creates nothing twice and finishes the rest. Rows that the service refuses go to a file of their own, ready to mend and import. With --dry-run nothing is sent: on a terminal a table shows what each row becomes, into a pipe go the requests.',
      ...(translation === undefined ? [] : [translation.description]),
    ].join('\n\n'),
    args: [...parentArgs(resource), { name: 'file', summary: 'A CSV, NDJSON or JSON file; - reads standard input' }],
    options: {
      encoding: text('--encoding <name>', 'How the file is written, where svc cannot tell: windows-1252, utf-16le …'),
    },
    ...(translation !== undefined && { catalogOptions: translation.options }),
    examples: examplesOf(resource, 'import'),
    async run(
      context: Needs<
        | FindingRecords
        | Printing
        | Understanding
        | ShowingProgress
        | 'argv'
        | 'files'
        | 'host'
        | 'paths'
        | 'plan'
        | 'readBytesArgument'
        | 'settleWrites'
      >,
      { args, given, options: { encoding } },
    ) {
      const { parent, rest } = await namedParent(context, resource, args);
      const path = collectionPath(resource, parent);
      await importRows(context, resource, { path, file: rest[0] ?? '', encoding, translation: translation && { ...translation, given } });
    },
  });
}
