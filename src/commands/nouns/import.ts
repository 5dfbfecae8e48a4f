import { importRows } from '../../bulk/import/import-rows.ts';
import type { Translation } from '../../bulk/import/translation.ts';
import type { Resource } from '../../catalog/define.ts';
import { type CommandSpec, defineCommand, type Options, text, toggle } from '../../cli/spec.ts';
import { summaryOf } from '../../cli/words.ts';
import { namedParent } from '../../records/named-place.ts';
import { parentArgs } from '../../records/paths.ts';
import type { Context } from '../../session/context.ts';
import { examplesOf } from './examples.ts';

/** `svc <noun> import <file>`: creates a record a row; safe to run again after anything. */
export function importCommand(resource: Resource, translation?: Translation): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'import',
    summary: summaryOf(resource, 'import'),
    description: [
      'Reads CSV (the first line names the fields), NDJSON or a JSON array; - reads standard input. Every row is checked before the first is sent. svc remembers each row that this account has created from here, from whatever file: of one that has grown, was sorted or renamed, only what is new is sent, and running it again after anything creates nothing twice and finishes the rest. A row that has changed since is named with the command that corrects its record, and not created again; --update-changed corrects all of them, except where somebody else changed the record too. Rows that the service refuses go to a file of their own, ready to mend and import. With --dry-run nothing is sent: on a terminal a table shows what each row becomes, into a pipe go the requests.',
      ...(translation === undefined ? [] : [translation.description]),
    ].join('\n\n'),
    args: [...parentArgs(resource), { name: 'file', summary: 'A CSV, NDJSON or JSON file; - reads standard input' }],
    options: {
      encoding: text('--encoding <name>', 'How the file is written, where svc cannot tell: windows-1252, utf-16le …'),
      updateChanged: toggle('--update-changed', 'Correct the records of rows that have changed since they were created'),
    },
    ...(translation !== undefined && {
      catalogOptions: { ...(translation.existing !== undefined && EXISTING_OPTION), ...translation.options },
    }),
    examples: examplesOf(resource, 'import'),
    async run(context: Context, { args, given, options: { encoding, updateChanged = false } }) {
      const { parent, rest } = await namedParent(context, resource, args);
      await importRows(context, resource, {
        parent,
        file: rest[0] ?? '',
        encoding,
        translation: translation && { ...translation, given },
        updateChanged,
        checkExisting: given['checkExisting'] === true,
      });
    },
  });
}

const EXISTING_OPTION = {
  checkExisting: toggle('--check-existing', 'Ask first which of the rows the service has already on their days: for a second machine'),
} as const satisfies Options;
