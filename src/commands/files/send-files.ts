import { AT_ONCE, inOrder } from '../../bulk/in-order.ts';
import { defineCommand, type OptionValues, recordFlag, repeated, text } from '../../cli/spec.ts';
import { ConflictError, RefusedError, SvcError, UsageError } from '../../errors.ts';
import { readFields } from '../../records/body.ts';
import { describedOperations, type KnowingOperations, unknownWay } from '../../records/drive-files.ts';
import { readReferenceFlag } from '../../records/kinds.ts';
import { type LocalFile, openLocalFile } from '../../records/local-file.ts';
import { namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { describeUpload, type Upload, uploadFile, uploadMembers } from '../../records/upload-file.ts';
import { workItemId } from '../../records/work-items.ts';
import type { Context, Needs } from '../../session/context.ts';
import { printLine, printOneOrMany, printRecords } from '../../session/print.ts';
import { formatBytes, startTransfer } from '../../session/progress.ts';
import { type FilePlace, placeMember, planUpload } from '../../transfer/plan-upload.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted, were } from '../../values/text.ts';
import { throwFailures } from '../throw-failures.ts';

export const FILE_OPTIONS = {
  name: text('--name <name>', 'Give the file this name (default: its own name)'),
  type: text('--type <type>', 'Send this media type, such as application/pdf (default: by extension)'),
  field: repeated('-F, --field <name=value>', 'Send any other field with the file; @file reads a file', { group: 'Fields' }),
  rawField: repeated('-f, --raw-field <name=value>', 'Send any other field as this string, without conversion', {
    group: 'Fields',
  }),
} as const;

export interface FileSending {
  readonly place: FilePlace;
  /** Returns the fields that name the record of the files. svc calls this function only if the request body needs such fields. */
  readonly members: () => Promise<JsonObject>;
  readonly typed: readonly string[];
  readonly options: OptionValues<typeof FILE_OPTIONS>;
  /** The name of the record that gets the files, for messages: `ABC-12`. */
  readonly where: string;
  readonly collection: string | undefined;
}

/** Sends files to the service, and prints the outcome for each file. If svc sends only some of the files, svc exits with 10. */
export async function sendFiles(context: Context, sending: FileSending): Promise<void> {
  checkSending(context, sending);
  const { way, operations } = await findWay(context, sending.place);
  const given = await readFields(context, sending.options.rawField, sending.options.field);
  const place = way.isBelow ? {} : await sending.members();
  // svc checks for a token for uploads before svc reads the files.
  if (!context.globals.dryRun) await (await context.credentials())({ method: 'POST', upload: true, signal: context.signal });
  const files: LocalFile[] = [];
  try {
    const { name, type: mediaType } = sending.options;
    // With standard input among several files, --name names only standard input.
    const isNamed = (typed: string) => typed === '-' || !sending.typed.includes('-');
    for (const typed of sending.typed)
      files.push(await openLocalFile(context, typed, { name: isNamed(typed) ? name : undefined, mediaType }));
    const progress = startTransfer(context, files.length === 1 ? (files[0]?.name ?? '') : counted(files.length, 'file'));
    for (const { size } of files) progress.expect(size);
    const { collection } = sending;
    const uploads = files.map(
      (file): Upload => ({ way, operations, file, place, given, collection, onBytes: (count) => progress.add(count) }),
    );
    for (const upload of uploads) uploadMembers(upload);
    if (context.globals.dryRun) {
      const steps = (await Promise.all(uploads.map((upload) => describeUpload(context, upload)))).flat();
      return await printOneOrMany(context, steps, steps.length > 1);
    }
    await sendEachFile(context, uploads, sending.where).finally(() => progress.end());
  } finally {
    for (const file of files) await file.close();
  }
}

function checkSending({ plan }: Needs<'plan'>, { typed, options }: FileSending): void {
  if (plan !== undefined) throw new UsageError('A plan cannot contain a file.', { hint: 'Leave out --plan and SVC_PLAN.' });
  if (options.name !== undefined && typed.length > 1 && !typed.includes('-'))
    throw new UsageError('--name is the name of one file.', { hint: 'Leave out --name, or send one file.' });
  if (typed.filter((one) => one === '-').length > 1)
    throw new UsageError('svc can send standard input only once.', { hint: 'Write - once.' });
  if (options.type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\x20-\x7e]*)?$/.test(options.type))
    throw new UsageError(`--type: "${options.type}" is not a media type.`, { hint: 'Write the type like application/pdf.' });
}

/**
 * Finds the requests by which the service accepts a file for a record.
 *
 * @throws NotFoundError without an imported API spec, or if the API spec shows no such request.
 */
async function findWay(context: Needs<KnowingOperations>, place: FilePlace) {
  const operations = await describedOperations(context, place.noun);
  const way = planUpload(operations ?? [], place);
  if (way !== undefined && operations !== undefined) return { way, operations };
  const byHand = 'svc api <path> --form -F file=@<file>';
  throw await unknownWay(context, { what: 'takes files', byHand, isImported: operations !== undefined });
}

interface Outcome {
  readonly record: JsonObject;
  readonly line?: string;
  readonly failure?: SvcError;
}

async function sendEachFile(context: Context, uploads: readonly Upload[], where: string): Promise<void> {
  let worked = false;
  let stopped = false;
  const attempt = async (upload: Upload): Promise<Outcome> => {
    const { name, size, typed } = upload.file;
    if (stopped) return { record: { file_name: name, error: 'Not tried.' } };
    try {
      const record = await uploadFile(context, upload);
      worked = true;
      return { record, line: `Sent ${name} to ${where} · ${formatBytes(size)}` };
    } catch (error) {
      if (!(error instanceof SvcError) || uploads.length === 1 || context.signal.aborted) throw error;
      // These three errors concern one file. Any other failure, such as a missing permission, would repeat for every file.
      stopped ||= ![RefusedError, ConflictError, UsageError].some((type) => error instanceof type);
      await context.notice(`Not sent: ${typed}. ${error.message}`);
      return { record: { file_name: name, error: error.message }, failure: error };
    }
  };
  const asLines = (await context.presentation()).isDefaultFormat;
  const outcomes: Outcome[] = [];
  // Until a file succeeds, svc sends one file at a time. A failure that would repeat then stops svc before the next file.
  for await (const outcome of inOrder(uploads, () => (worked ? AT_ONCE : 1), attempt)) {
    outcomes.push(outcome);
    if (asLines && outcome.line !== undefined) await printLine(context, outcome.line);
  }
  if (!asLines) {
    const columns = ['id', 'file_name', 'mime_type', 'size', 'error'];
    const records = outcomes.map(({ record }) => record);
    if (uploads.length === 1) await printOneOrMany(context, records, false);
    else await printRecords(context, records, columns);
  }
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  const done = outcomes.filter(({ line }) => line !== undefined).length;
  const message = `${done} of ${uploads.length} files ${were(done)} sent.`;
  throwFailures(failures, done, message, 'svc printed the result of each file above.');
}

export const attachFiles = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'again'],
  description:
    'svc uploads files to a work item. svc follows the imported API spec of your organisation (svc schema import). Without an API spec svc cannot upload, and exits with 3. Uploading needs a personal access token; a browser sign-in can never upload. An upload has no time limit while data moves. svc compares the file with the size and SHA-256 that the service reports. After a crash, run the same command again: svc resumes with the same ticket while the ticket is valid. --dry-run prints the requests, and sends no writes.',
  args: [
    { name: 'work-item', summary: 'The id or key of the work item' },
    { name: 'file', summary: 'The files; - reads standard input, with --name', variadic: true },
  ],
  options: FILE_OPTIONS,
  examples: [
    { args: 'work-items attach ABC-12 screen.png', does: 'Attach one file' },
    { args: 'work-items attach ABC-12 *.log --type text/plain', does: 'Attach several files at once' },
    { args: 'work-items attach ABC-12 - --name dump.sql', does: 'Attach the output of another program' },
  ],
  async run(context: Context, { args, options }) {
    const [typed = '', ...files] = args;
    const resource = await context.catalog.of('work-items');
    const id = await namedRecord(context, resource, typed);
    const path = itemPath(resource, id);
    const place = { noun: 'work-items', id: path.split('/').at(-1) ?? id } as const;
    await sendFiles(context, {
      place,
      // The body accepts the id of a work item, but not its key (rule 2.13).
      members: async () => ({ [placeMember(place)]: await workItemId(context, id) }),
      typed: files,
      options,
      where: id,
      collection: `${path}/attachments`,
    });
  },
});

export const uploadFiles = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'again'],
  description:
    'svc uploads files to the drive, or to one drive item (--item). svc follows the imported API spec of your organisation (svc schema import). Without an API spec svc cannot upload, and exits with 3. Uploading needs a personal access token; a browser sign-in can never upload. An upload has no time limit while data moves. svc compares the file with the size and SHA-256 that the service reports. After a crash, run the same command again: svc resumes with the same ticket while the ticket is valid. --dry-run prints the requests, and sends no writes.',
  args: [{ name: 'file', summary: 'The files; - reads standard input, with --name', variadic: true }],
  options: {
    item: recordFlag('--item', 'Add the files to this drive item', 'drive-items'),
    folder: recordFlag('--folder', 'Put the files into this folder', 'drive-folders'),
    ...FILE_OPTIONS,
  },
  examples: [
    { args: 'drive-items upload offer.pdf --item 3', does: 'Add a file to drive item 3' },
    { args: 'drive-items upload *.pdf --folder 4', does: 'Upload several files into folder 4' },
    { args: 'drive-items upload offer.pdf --item 3 --dry-run', does: 'Print the requests first' },
  ],
  async run(context: Context, { args, options }) {
    const { item: typedItem, folder: typedFolder, ...more } = options;
    if (typedItem !== undefined && typedFolder !== undefined)
      throw new UsageError('You cannot use --item and --folder together.', { hint: 'A drive item is in a folder already: use --item.' });
    const item = await readReferenceFlag(context, '--item', 'drive-items', typedItem);
    const folder = await readReferenceFlag(context, '--folder', 'drive-folders', typedFolder);
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
