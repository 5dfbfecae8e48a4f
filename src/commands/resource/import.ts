import type { Translation } from '../../bulk/import/check-rows.ts';
import { importRows } from '../../bulk/import/import-rows.ts';
import type { Resource } from '../../catalog/define.ts';
import { defineCommand, type LoadedCommand, type Options, text, toggle } from '../../cli/spec.ts';
import { namedParent } from '../../records/named-place.ts';
import { parentArgs } from '../../records/paths.ts';
import type { Context } from '../../session/context.ts';
import { rateOption } from '../rate-option.ts';
import { examplesOf } from './examples.ts';

export function importCommand(resource: Resource, translation?: Translation): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description: [
      'svc reads CSV (the first line names the fields), NDJSON or a JSON array; - reads standard input. svc checks every row before it sends the first row. svc writes refused rows to a separate file, which you can fix and import.\n\nRun the same command again at any time: svc finishes the other rows, and creates no record twice. svc remembers each row that this account created from this machine. You can therefore extend, sort or rename the file. svc does not create a record again if its row has changed. svc prints the command that corrects the record; --update-changed corrects all such records. svc never overwrites a record that somebody else changed.\n\nWith --dry-run svc sends nothing. At a terminal svc shows the outcome of each row, in a pipe the requests.',
      ...(translation === undefined ? [] : [translation.description]),
    ].join('\n\n'),
    args: [...parentArgs(resource), { name: 'file', summary: 'A CSV, NDJSON or JSON file; - reads standard input' }],
    options: {
      encoding: text('--encoding <name>', 'Read the file in this encoding if svc cannot detect it: windows-1252, utf-16le …'),
      rate: rateOption,
      updateChanged: toggle('--update-changed', 'Update the records of rows that changed after svc created them'),
    },
    ...(translation !== undefined && {
      catalogOptions: { ...(translation.existing !== undefined && EXISTING_OPTION), ...translation.options },
    }),
    examples: examplesOf(resource, 'import'),
    async run(context: Context, { args, given, options: { encoding, rate, updateChanged = false } }) {
      const { parent, rest } = await namedParent(context, resource, args);
      await importRows(context, resource, {
        parent,
        file: rest[0] ?? '',
        encoding,
        rate,
        translation: translation && { ...translation, given },
        updateChanged,
        checkExisting: given['checkExisting'] === true,
      });
    },
  });
}

const EXISTING_OPTION = {
  checkExisting: toggle('--check-existing', 'Look for the rows in the service first, for an import from a second machine'),
} as const satisfies Options;
