import { exportInto } from '../bulk/export/export-into.ts';
import type { Exporting } from '../bulk/export/run.ts';
import { defineCommand, text, toggle } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { requireService, type UsingServiceOnly } from '../session/offline.ts';
import { rateOption } from './rate-option.ts';

const FORMATS = ['ndjson', 'csv', 'sqlite'] as const;

export const exportCommand = defineCommand({
  showsGlobals: ['host', 'quiet', 'maxWait', 'parallel'],
  description:
    'svc writes each resource as NDJSON into a directory: one line for each record, ordered by id. Child records, such as comments, go to <parent>.<child>.ndjson. A manifest lists the rows, time, query and SHA-256 of each file, and the data that is left out. svc prints the cost first. If you stop svc, run the same command again to resume.\n\nWith --since last, svc reads only records that changed, if the service can show changes. Deleted records stay in the export. svc reads all child records again. With --format csv or sqlite, svc writes these files in addition to the NDJSON.',
  args: [
    { name: 'dir', summary: 'The directory; svc creates the directory if it is missing' },
    { name: 'resource', summary: 'The resources to export (default: all)', optional: true, variadic: true },
  ],
  options: {
    format: text('--format <format>', 'Write this format', { choices: FORMATS }),
    since: text('--since <when>', 'Export only changes since the last export into this directory', { choices: ['last'] }),
    view: text('--view <view>', 'Read this view (default: detail). A page of detail costs 3 rate-limit units, of summary 1', {
      choices: ['summary', 'detail'],
    }),
    noChildren: toggle('--no-children', 'Leave out child records, such as comments, which cost a request for each parent'),
    rate: rateOption,
    restart: toggle('--restart', 'Start again instead of resuming an unfinished export'),
  },
  examples: [
    { args: 'export backup', does: 'Export all resources' },
    { args: 'export hours worklogs projects --format sqlite', does: 'Export hours and projects for SQL' },
    { args: 'export backup --since last', does: 'Update an export' },
  ],
  async run(context: Needs<Exporting | UsingServiceOnly | 'catalog'>, { args: [dir = '', ...nouns], options }) {
    await requireService(context, 'svc export reads from the service');
    if (context.globals.dryRun)
      throw new UsageError('You can use --dry-run only with writes, and svc export only reads.', { hint: 'Leave out --dry-run.' });
    await exportInto(context, dir.replace(/(?<=.)[\\/]+$/, ''), nouns, options);
  },
});
