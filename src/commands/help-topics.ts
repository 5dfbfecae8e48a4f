import { EXIT_CODES } from '../cli/exit-codes.ts';
import type { CommandSpec } from '../cli/spec.ts';
import { FORMATS } from '../output/format.ts';
import type { Context } from '../session/context.ts';

// What `svc help <topic>` prints, and the manual page has too.

export const dates: CommandSpec<Context> = {
  name: 'dates',
  summary: 'How days, times and durations are typed',
  description:
    'Days are those of your time zone: of your user record, else the setting timezone, else this machine. svc says what it made of a text where it could be meant otherwise.',
  rows: [
    ['2026-03-31', 'A day. Also today, yesterday, tomorrow.'],
    ['monday', 'The latest one, today included; so for every day of the week.'],
    ['-3d, +1w, -2m, +1y', 'Days, weeks, months or years from today.'],
    ['2026-03-31 14:00', 'A moment where you are; ISO 8601 with an offset means that moment wherever you are.'],
    ['a day as an end', 'The whole of that day: its last second in your time zone.'],
    ['monday..friday', 'Several days, where one says so: worklogs add --date.'],
    ['90, 90m, 1h30, 1h30m, 1.5h, 1:30', 'A duration, sent as whole minutes. 1h5 and 1:5 could be meant two ways, and are refused.'],
    ['12, 12.5, 12.50', 'An amount of money.'],
    ['null, none', 'Clears a field.'],
  ],
};

export const names: CommandSpec<Context> = {
  name: 'names',
  summary: 'How organisations, people, work items and other records are named',
  rows: [
    [
      '--host acme.example.com',
      'The organisation, or a part of the name of one that you are signed in to; over SVC_HOST, over the .svc.json of the directory, over the default: svc auth switch.',
    ],
    ['ABC-12, 4711', 'A work item by its key or its id, wherever one is asked for; a title works too.'],
    ['"Web shop", 2025-0023', 'Any other record by its whole name, key or number, in any letters. svc says what it found.'],
    ['7', 'Digits are an id, and nothing is looked for.'],
    ['me', 'Yourself, wherever a user is asked for; others by name, e-mail address or id.'],
    ['last', 'The record of that noun that you wrote last from here: worklogs update last --minutes 2h.'],
    ['"In progress"', 'A workflow status by its name or its id.'],
    ['project:3, "project:Web shop"', 'A project in the words of worklogs add and timers start.'],
    ['worklog, worklogs', 'A noun in the singular is the same noun.'],
    ['ls, show, new, rm', 'As other tools say list, get, create and delete.'],
  ],
};

export const formats: CommandSpec<Context> = {
  name: 'formats',
  summary: 'How results print',
  description:
    'At a terminal a list is a table and a record a page to read, longer than the screen in a pager (--no-pager); anywhere else JSON, unless --output or the setting output says otherwise. stdout has data and nothing else; notices, questions, progress and errors go to stderr.',
  rows: [
    ...Object.entries(FORMATS).map(([name, { summary }]) => [name, summary] as const),
    ['--output csv --raw', 'For other programs: cells exactly as they are, without that apostrophe.'],
    ['--output csv --bom', 'With a byte order mark, which Excel needs to read UTF-8.'],
    ['--fields a,b.c', 'Only these fields, in this order.'],
    ['--json a,b', 'The same, as JSON.'],
    ['--jq <expr>', 'What jq makes of the JSON; jq is built in.'],
    ['--error-format json', 'An error as one object on one line of stderr.'],
  ],
};

export const exitCodes: CommandSpec<Context> = {
  name: 'exit-codes',
  summary: 'What svc ends with',
  rows: Object.entries(EXIT_CODES),
};

export const environment: CommandSpec<Context> = {
  name: 'environment',
  summary: 'The variables that svc reads',
  description: 'A flag is stronger than a variable, and a variable than the settings.',
  rows: [
    ['SVC_HOST', 'The organisation to use, over the settings; --host is stronger.'],
    ['SVC_TOKEN', 'A token for every request, over anything stored.'],
    ['SVC_READ_ONLY', '1: nothing that could change anything is sent.'],
    ['SVC_OFFLINE', '1: as --offline; 0: not, whatever the settings say.'],
    ['SVC_PLAN', 'A file that writes are planned in, as --plan.'],
    ['SVC_PLAN_ONLY', '1: nothing is written but into a plan.'],
    ['SVC_CONFIG_DIR', 'Where settings, the file store and the cache are.'],
    ['SVC_TOKEN_STORE', 'keychain or file: where sign-ins are kept.'],
    ['SVC_BROWSER, BROWSER', 'A command that is given the address to open.'],
    ['SVC_PAGER, PAGER', 'A command that shows what is taller than the screen; cat, or empty: none. LESS counts, else FRX.'],
    ['SVC_EDITOR, VISUAL, EDITOR', 'A command that is given the file to edit; the first that is set.'],
    ['SVC_DEBUG', '1: as --debug.'],
    ['SVC_ERROR_FORMAT', 'json: as --error-format json.'],
    ['ACCESSIBLE', '1: for a screen reader, as the setting accessible; 0: not, whatever that says.'],
    ['NO_COLOR, FORCE_COLOR', 'No colours; colours in pipes too.'],
    ['HTTPS_PROXY, NO_PROXY', 'A proxy, and the hosts that are reached without one.'],
    ['NODE_EXTRA_CA_CERTS', 'A file with further certificate authorities.'],
  ],
};
