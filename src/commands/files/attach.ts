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
  summary: 'Put files at a work item',
  showsGlobals: ['host', 'output', 'dryRun', 'again'],
  description:
    'Sends files to a work item, in the way that the imported API spec of your organisation says (svc schema import). Without one svc cannot know how, and exits 3. It takes a personal access token: a browser sign-in cannot upload. Files are read while they are sent, and may take any time as long as they move. What the service says of the size and the SHA-256 of what arrived is held against the file. After a crash, the same command goes on with the ticket that it was given, while that is valid. --dry-run prints the requests, and sends none that writes.',
  args: [
    { name: 'work-item', summary: 'The work item, by id or key' },
    { name: 'file', summary: 'Files; - is standard input, with --name', variadic: true },
  ],
  options: FILE_OPTIONS,
  examples: [
    { args: 'work-items attach ABC-12 screen.png', does: 'One file' },
    { args: 'work-items attach ABC-12 *.log --type text/plain', does: 'Several, side by side' },
    { args: 'work-items attach ABC-12 - --name dump.sql', does: 'What another program prints' },
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
