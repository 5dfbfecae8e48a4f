import { exportInto } from '../bulk/export/export-into.ts';
import type { Exporting } from '../bulk/export/run.ts';
import { defineCommand, text, toggle } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type AskingAlone, serviceAlone } from '../session/service-alone.ts';

const FORMATS = ['ndjson', 'csv', 'sqlite'] as const;

/** `svc export <dir> [noun…]`: everything the organisation has, or some of it, into files. */
export const exportCommand = defineCommand({
  name: 'export',
  showsGlobals: ['host', 'quiet', 'maxWait', 'parallel'],
  summary: 'Save every collection, or some, into files',
  description:
    'Writes each collection as NDJSON (a record a line, in the order of their ids) into a directory, and what lies below its records, such as comments, as <parent>.<nested>.ndjson, with a manifest: rows, time, query and SHA-256 of each, and what is left out and why. What it will cost is said before it begins. Stopped at any moment, the same command goes on where it was. With --since last, what an earlier export holds is brought up to date: only records that changed are read, where the service can tell; deleted ones stay, and what lies below records is read whole. With --format csv or sqlite, these are written beside the NDJSON.',
  args: [
    { name: 'dir', summary: 'The directory; made if it is missing' },
    { name: 'noun', summary: 'What to export; everything if not given', optional: true, variadic: true },
  ],
  options: {
    format: text('--format <format>', 'What to write', { choices: FORMATS }),
    since: text('--since <when>', 'Only what changed since the last export into this directory', { choices: ['last'] }),
    view: text('--view <view>', 'How much of each record: detail (3 units a page, the default) or summary (1)', {
      choices: ['summary', 'detail'],
    }),
    noNested: toggle('--no-children', 'Leave out child records, such as comments, which cost a request for each parent'),
    restart: toggle('--restart', 'Begin anew instead of going on with an unfinished export'),
  },
  examples: [
    { args: 'export backup', does: 'Everything' },
    { args: 'export hours worklogs projects --format sqlite', does: 'Hours and projects, ready for SQL' },
    { args: 'export backup --since last', does: 'Bring it up to date' },
  ],
  async run(context: Needs<Exporting | AskingAlone | 'catalog'>, { args: [dir = '', ...nouns], options }) {
    await serviceAlone(context, 'An export asks the service');
    if (context.globals.dryRun)
      throw new UsageError('--dry-run is for what changes something; an export only reads.', { hint: 'Leave it out.' });
    await exportInto(context, dir.replace(/(?<=.)[\\/]+$/, ''), nouns, options);
  },
});
