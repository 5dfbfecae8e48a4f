/** Writes man/ (or the directory given): svc.1 and a page for each resource, from the commands. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EXIT_CODES } from '../src/cli/exit-codes.ts';
import { GLOBAL_OPTIONS } from '../src/cli/globals.ts';
import { type ManFacts, manPages } from '../src/cli/man-pages.ts';
import { ROOT } from '../src/commands/root.ts';
import { SVC_VERSION } from '../src/version.ts';

const FACTS: ManFacts = {
  version: SVC_VERSION,
  sections: [
    {
      title: 'Values',
      rows: [
        ['duration', 'Minutes, or 90m, 1h30, 1.5h, 1:30.'],
        ['date', '2026-03-31, today, yesterday, monday (the latest), -3d, +1w; in your time zone.'],
        ['date-time', 'A date, 2026-03-31 14:00, or ISO 8601 with an offset.'],
        ['amount', '12, 12.5 or 12.50.'],
        ['id|key', 'A work item by its id or its key, such as ABC-12.'],
        ['id|me', 'A user by id, or yourself.'],
      ],
    },
    {
      title: 'Output',
      rows: [
        [
          'stdout',
          'Data and nothing else: a table at a terminal, JSON anywhere else, or what --output says. The output of list is one array.',
        ],
        ['stderr', 'Notices, questions, progress and errors. --error-format json makes an error one JSON object on one line.'],
      ],
    },
    { title: 'Exit status', rows: Object.entries(EXIT_CODES).map(([code, meaning]) => [code, meaning]) },
    {
      title: 'Environment',
      rows: [
        ['SVC_HOST', 'The organisation to use, over the settings; --host is stronger.'],
        ['SVC_TOKEN', 'A token for every request, over anything stored.'],
        ['SVC_READ_ONLY', '1: nothing that could change anything is sent.'],
        ['SVC_CONFIG_DIR', 'Where settings, the file store and the cache are.'],
        ['SVC_TOKEN_STORE', 'keychain or file: where sign-ins are kept.'],
        ['SVC_BROWSER, BROWSER', 'A command that is given the address to open.'],
        ['SVC_PAGER, PAGER', 'A command that long tables are shown with.'],
        ['EDITOR', 'A command that is given the file to edit.'],
        ['SVC_DEBUG', '1: as --debug.'],
        ['SVC_ERROR_FORMAT', 'json: as --error-format json.'],
        ['NO_COLOR, FORCE_COLOR', 'No colours; colours in pipes too.'],
        ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'A proxy, and the hosts that are reached without one.'],
        ['NODE_EXTRA_CA_CERTS', 'A file with further certificate authorities.'],
      ],
    },
    {
      title: 'Files',
      rows: [
        ['~/.config/svc/config.json', 'Settings.'],
        ['~/.config/svc/tokens', 'Sign-ins, where there is no keychain.'],
        ['~/.cache/svc', 'What the service allows to be kept, and names for completion. May be deleted.'],
        ['.svc.json', 'Chooses, for a directory and all below it, among the organisations you are signed in to.'],
      ],
    },
  ],
};

const directory = resolve(process.argv[2] ?? 'man');
await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
for (const [name, text] of await manPages(ROOT, GLOBAL_OPTIONS, FACTS)) await writeFile(join(directory, name), text);
