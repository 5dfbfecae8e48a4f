import { naming } from '../../cli/naming.ts';
import { defineCommand, text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { readReference, type Understanding } from '../../records/kinds.ts';
import type { FindingRecords } from '../../records/named-place.ts';
import type { Needs } from '../../session/context.ts';
import { placeMember } from '../../transfer/plan-upload.ts';
import { FILE_OPTIONS, type SendingFiles, sendFiles } from './send-files.ts';

/** `svc drive-items upload <file…>`: files into a drive, or below one of its items. */
export const uploadFiles = defineCommand({
  name: 'upload',
  summary: 'Upload files to a drive',
  showsGlobals: ['host', 'output', 'dryRun', 'again'],
  description:
    'svc uploads files to the drive, or to one drive item (--item). It follows the imported API spec of your organisation (svc schema import). Without an API spec svc cannot upload, and exits with 3. Uploading needs a personal access token; a browser sign-in can never upload. An upload may take any time while data moves. svc compares the size and SHA-256 that the service reports with the file. After a crash, run the same command again: svc resumes with the same ticket while the ticket is valid. --dry-run prints the requests, and sends no writes.',
  args: [{ name: 'file', summary: 'Files; - is standard input, with --name', variadic: true }],
  options: {
    item: text('--item <id|name>', 'Add the files to this drive item', {
      type: 'id-or-name',
      completes: { records: 'drive-items' },
    }),
    folder: text('--folder <id|name>', 'Put the files into this folder', { type: 'id-or-name', completes: { records: 'drive-folders' } }),
    ...FILE_OPTIONS,
  },
  examples: [
    { args: 'drive-items upload offer.pdf --item 3', does: 'Add a file to drive item 3' },
    { args: 'drive-items upload *.pdf --folder 4', does: 'Upload several files into folder 4' },
    { args: 'drive-items upload offer.pdf --item 3 --dry-run', does: 'Print the requests first' },
  ],
  async run(context: Needs<SendingFiles | FindingRecords | Understanding>, { args, options }) {
    if (args.length === 0)
      throw new UsageError('"svc drive-items upload" needs <file>.', { hint: 'For example: svc drive-items upload offer.pdf --item 3' });
    const { item: typedItem, folder: typedFolder, ...more } = options;
    if (typedItem !== undefined && typedFolder !== undefined)
      throw new UsageError('--item and --folder cannot be used together.', { hint: 'An item lies in a folder already: give --item.' });
    const item = typedItem === undefined ? undefined : await naming('--item', () => readReference(context, 'drive-items', typedItem));
    const folder =
      typedFolder === undefined ? undefined : await naming('--folder', () => readReference(context, 'drive-folders', typedFolder));
    const place = { noun: 'drive-items', id: item === undefined ? undefined : String(item) } as const;
    await sendFiles(context, {
      place,
      members: async () => (item === undefined ? {} : { [placeMember(place)]: item }),
      typed: args,
      options: folder === undefined ? more : { ...more, field: [`folder_id=${folder}`, ...(more.field ?? [])] },
      where: item === undefined ? 'the drive' : `drive item ${item}`,
      collection: item === undefined ? undefined : `/drive-items/${item}/files`,
    });
  },
});
