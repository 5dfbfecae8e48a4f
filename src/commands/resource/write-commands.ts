import type { Translation } from '../../bulk/import/check-rows.ts';
import type { Resource } from '../../catalog/define.ts';
import { notesOf } from '../../catalog/rules.ts';
import { defineCommand, type LoadedCommand, type Options, text, toggle } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import { fieldOptions } from '../../records/body-flags.ts';
import { parentArgs } from '../../records/paths.ts';
import type { Context } from '../../session/context.ts';
import { rateOption } from '../rate-option.ts';
import { examplesOf } from './examples.ts';
import { CONDITION_OPTIONS, CREATE_OPTIONS, UPDATE_OPTIONS, WHERE_OPTIONS } from './write-flags.ts';

// Help and completion need only these specs. Each command loads its other code when it runs.

export function createCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description: notesOf(resource, 'create').join(' ') || undefined,
    args: parentArgs(resource),
    catalogOptions: fieldOptions(resource, 'create'),
    options: CREATE_OPTIONS,
    examples: examplesOf(resource, 'create'),
    async run(context: Context, input) {
      await (await import('./create.ts')).createRecord(context, resource, input);
    },
  });
}

const WHERE =
  'With --where, svc updates every record that matches an SQL condition in the local database (svc sync). svc shows the changes, and asks. In a script, add --plan.';

export function updateCommand(resource: Resource): LoadedCommand<Context> {
  const takesWhere = resource.parent === undefined;
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description: [...notesOf(resource, 'update'), ...(takesWhere ? [WHERE] : [])].join('\n\n') || undefined,
    args: [
      ...parentArgs(resource),
      { name: 'id', summary: `${itsId(resource)}; - reads ids from standard input`, ...(takesWhere && { optional: true as const }) },
    ],
    catalogOptions: { ...fieldOptions(resource, 'update'), ...(takesWhere && WHERE_OPTIONS) },
    options: UPDATE_OPTIONS,
    examples: examplesOf(resource, 'update'),
    async run(context: Context, input) {
      if (input.given['where'] !== undefined) return (await import('./update-where.ts')).updateWhere(context, resource, input);
      await (await import('./update.ts')).updateRecord(context, resource, input);
    },
  });
}

export function deleteCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun', 'yes'],
    description: [
      'Deleting needs a personal access token with the Delete scope; a browser sign-in can never delete. See svc token set --help.',
      ...notesOf(resource, 'delete'),
    ].join(' '),
    args: [
      ...parentArgs(resource),
      {
        name: 'id',
        summary: `${itsId(resource)}; svc deletes several records one by one; - reads ids from standard input`,
        variadic: true,
      },
    ],
    options: CONDITION_OPTIONS,
    examples: examplesOf(resource, 'delete'),
    async run(context: Context, input) {
      await (await import('./delete.ts')).deleteRecords(context, resource, input);
    },
  });
}

export function editCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description:
      'svc opens the fields that you can change in your editor: SVC_EDITOR, VISUAL, EDITOR, or the setting editor. svc sends only the fields that you change. If somebody else changed the record in the meantime, svc sends nothing. An unchanged or empty file changes nothing. Type values as with the flags: 1h30, tomorrow. The editor shows related records by name if the service sends the name. Type a name or an id. Rich text is Markdown, or HTML if Markdown cannot express all of it.',
    args: [...parentArgs(resource), { name: 'id', summary: itsId(resource) }],
    examples: examplesOf(resource, 'edit'),
    async run(context: Context, input) {
      await (await import('./edit.ts')).editRecord(context, resource, input);
    },
  });
}

export function importCommand(resource: Resource, translation?: Translation): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description: [
      'svc reads CSV (the first line names the fields), NDJSON or a JSON array; - reads standard input. svc checks every row before it sends the first row. svc writes refused rows to a separate file, which you can fix and import.\n\nRun the same command again at any time: svc creates the missing records, and no record twice. svc records each row that this account created from this machine. You can extend, sort or rename the file. svc does not create a record again if its row has changed. svc prints the command that corrects the record; --update-changed corrects all such records. svc never overwrites a record that somebody else changed.\n\nWith --dry-run, svc sends nothing. At a terminal, svc shows the outcome of each row. In a pipe, svc prints the requests.',
      ...(translation === undefined ? [] : [translation.description]),
    ].join('\n\n'),
    args: [...parentArgs(resource), { name: 'file', summary: 'A CSV, NDJSON or JSON file; - reads standard input' }],
    options: {
      encoding: text('--encoding <name>', 'Read the file in this encoding (default: svc detects UTF-8, UTF-16 and Windows-1252)'),
      rate: rateOption,
      updateChanged: toggle('--update-changed', 'Update the record of each row that changed since its import'),
    },
    ...(translation !== undefined && {
      catalogOptions: { ...(translation.existing !== undefined && EXISTING_OPTION), ...translation.options },
    }),
    examples: examplesOf(resource, 'import'),
    async run(context: Context, { args, given, options: { encoding, rate, updateChanged = false } }) {
      const [{ importRows }, { namedParent }] = await Promise.all([
        import('../../bulk/import/import-rows.ts'),
        import('../../records/named-place.ts'),
      ]);
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
