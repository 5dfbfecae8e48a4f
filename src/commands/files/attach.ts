import { defineCommand } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { type FindingRecords, namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { workItemId } from '../../records/work-items.ts';
import type { Needs } from '../../session/context.ts';
import { placeMember } from '../../transfer/plan-upload.ts';
import { FILE_OPTIONS, type SendingFiles, sendFiles } from './send-files.ts';

/** `svc work-items attach ABC-12 file…`: files at a work item. */
export const attachFiles = defineCommand({
  name: 'attach',
  summary: 'Attach files to a work item',
  showsGlobals: ['host', 'output', 'dryRun', 'again'],
  description:
    'svc uploads files to a work item. It follows the imported API spec of your organisation (svc schema import). Without an API spec svc cannot upload, and exits with 3. Uploading needs a personal access token; a browser sign-in can never upload. An upload may take any time while data moves. svc compares the size and SHA-256 that the service reports with the file. After a crash, run the same command again: svc resumes with the same ticket while the ticket is valid. --dry-run prints the requests, and sends no writes.',
  args: [
    { name: 'work-item', summary: 'The id or key of the work item' },
    { name: 'file', summary: 'Files; - is standard input, with --name', variadic: true },
  ],
  options: FILE_OPTIONS,
  examples: [
    { args: 'work-items attach ABC-12 screen.png', does: 'Attach one file' },
    { args: 'work-items attach ABC-12 *.log --type text/plain', does: 'Attach several files at once' },
    { args: 'work-items attach ABC-12 - --name dump.sql', does: 'Attach the output of another program' },
  ],
  async run(context: Needs<SendingFiles | FindingRecords>, { args, options }) {
    const [typed = '', ...files] = args;
    if (files.length === 0)
      throw new UsageError('"svc work-items attach" needs <file>.', { hint: 'For example: svc work-items attach ABC-12 screen.png' });
    const resource = await context.catalog.of('work-items');
    const id = await namedRecord(context, resource, typed);
    const path = itemPath(resource, id);
    const place = { noun: 'work-items', id: path.split('/').at(-1) ?? id } as const;
    await sendFiles(context, {
      place,
      // A body takes the number alone (rule 2.13).
      members: async () => ({ [placeMember(place)]: await workItemId(context, id) }),
      typed: files,
      options,
      where: id,
      collection: `${path}/attachments`,
    });
  },
});
