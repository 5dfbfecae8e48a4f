/** Writes man pages to man/ or the given directory: svc.1 and one page per resource. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { builtInCatalog } from '../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../src/cli/globals.ts';
import type { CommandSpec } from '../src/cli/spec.ts';
import { dates, environment, exitCodes, formats, glossary, names } from '../src/commands/help-topics.ts';
import { rootOf } from '../src/commands/root.ts';
import { SVC_VERSION } from '../src/version.ts';
import { type ManFacts, manPages } from './pages/man-pages.ts';

const ROOT = rootOf(builtInCatalog());

/** Returns a help topic as a section of a man page. */
function sectionOf({ name, rows = [] }: CommandSpec) {
  return { title: name, rows };
}

const FACTS: ManFacts = {
  version: SVC_VERSION,
  sections: [
    ...[dates, names].map(sectionOf),
    {
      title: 'Output',
      rows: [
        [
          'stdout',
          'Data and nothing else: a table at a terminal, JSON outside a terminal, or the format of --output. A list is one array.',
        ],
        ['stderr', 'Notices, questions, progress and errors. --error-format json makes an error one JSON object on one line.'],
      ],
    },
    sectionOf(formats),
    { ...sectionOf(exitCodes), title: 'Exit status' },
    sectionOf(environment),
    {
      title: 'Files',
      rows: [
        ['~/.config/svc/config.json', 'Settings.'],
        ['~/.config/svc/tokens', 'Sign-ins, on a machine without a keychain.'],
        ['~/.cache/svc', 'Cached answers of the service, and names for completion. You can delete this directory.'],
        ['.svc.json', 'Chooses one of your organisations for a directory and all directories in it.'],
      ],
    },
    sectionOf(glossary),
  ],
};

const directory = resolve(process.argv[2] ?? 'man');
await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
for (const [name, text] of await manPages(ROOT, GLOBAL_OPTIONS, FACTS)) await writeFile(join(directory, name), text);
