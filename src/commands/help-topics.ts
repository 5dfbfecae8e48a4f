import type { CommandSpec } from '../cli/spec.ts';
import { FORMATS } from '../output/format.ts';
import type { Context } from '../session/context.ts';

// The topics of `svc help <topic>` and of the manual page.

export const dates: CommandSpec<Context> = {
  name: 'dates',
  summary: 'Ways to type days, times and durations',
  description:
    'Days are days in your time zone: that of your user record, of the setting timezone, or of this machine. If a value has two meanings, svc prints the meaning that svc uses.',
  rows: [
    ['2026-03-31, 31-3-2026, 31.03.2026', 'A day. Also today, yesterday, tomorrow.'],
    ['monday', 'Today or the last Monday. For leave and due dates: today or the next Monday. You can type any weekday.'],
    ['-3d, +1w, -2m, +1y', 'Days, weeks, months or years from today.'],
    ['2026-03-31 14:00', 'A time in your time zone. ISO 8601 with an offset means the same time everywhere.'],
    ['a day as an end', 'The whole of that day, up to its last second in your time zone.'],
    ['last-week, this-month, 2026-Q3', 'A range of days, for flags such as --from. The range sets --to too, unless you type --to.'],
    ['monday..friday', 'Several days, for flags that take several: worklogs add --date.'],
    ['90, 90m, 1h30, 1h30m, 1.5h, 1,5h, 1:30', 'A duration, sent as whole minutes. svc refuses 1h5 and 1:5, which have two meanings.'],
    ['12, 12.5, 12.50', 'An amount of money.'],
    ['null, none', 'No value. svc clears the field.'],
  ],
};

export const names: CommandSpec<Context> = {
  name: 'names',
  summary: 'Ways to name organisations, people, work items and other records',
  rows: [
    [
      '--host acme.example.com',
      'The organisation, or a part of the name of a host with a sign-in. Precedence: --host, SVC_HOST, .svc.json, the default (svc auth switch).',
    ],
    ['ABC-12, 4711', 'A work item by its key, id or title, for every argument that takes a work item.'],
    ['"Web shop", 2025-0023', 'Any other record by its name, key or number, in any letter case. svc prints the record that it found.'],
    [
      'sanne',
      'A unique part of a name, of three characters or more. At a terminal, svc asks first. In a script, svc accepts only whole words, and for delete only the full name.',
    ],
    ['7', 'An id. svc does not search for a name.'],
    ['me', 'You, for every argument that takes a user. Name other people by name, e-mail address or id.'],
    [
      'last',
      'The record that you wrote last from this machine, among the records of the command’s resource: worklogs update last --minutes 2h.',
    ],
    ['"In progress"', 'A workflow status by its name or its id.'],
    ['project:3, "project:Web shop"', 'A project among the words of worklogs add and timers start.'],
    ['worklog, worklogs', 'The singular of a resource means the same resource.'],
    ['ls, show, new, rm', 'The names that other tools use for list, get, create and delete.'],
  ],
};

export const formats: CommandSpec<Context> = {
  name: 'formats',
  summary: 'Output formats',
  description:
    'At a terminal svc prints a list as a table, and a record as a detail view. A pager shows output that is longer than the screen (--no-pager). Outside a terminal svc prints JSON. --output and the setting output choose another format. Data goes to stdout; notices, questions, progress and errors go to stderr.',
  rows: [
    ...Object.entries(FORMATS).map(([name, { summary }]) => [name, summary] as const),
    ['--output csv --raw', 'For other programs: cells exactly as they are, without the apostrophe before formulas.'],
    ['--output csv --bom', 'For Excel: CSV with a byte order mark, which Excel needs to read UTF-8.'],
    ['--fields a,b.c', 'Only these fields, in this order.'],
    ['--include user --fields user.name', 'A name instead of an id: include the other record, then name its field.'],
    ['--json a,b', 'Only these fields, as JSON.'],
    ['--jq <expr>', 'The JSON after this jq expression. jq is built in.'],
    ['--error-format json', 'An error as one JSON object on one line of stderr.'],
  ],
};

/** The meaning of each exit code, as in docs/guides/scripts-and-ci.md. `exitCodeOf` in errors.ts chooses the exit code of an error. */
export const EXIT_CODES: Readonly<Record<string, string>> = {
  '0': 'done',
  '1': 'any other failure; you answered no; svc check or svc close --verify found something',
  '2': 'wrong use, or input that svc cannot send; svc sent nothing',
  '3': 'not found, or not enabled for this organisation',
  '4': 'a sign-in or a personal access token is needed, expired or refused',
  '5': 'not allowed: the token’s scope, your permission, or a policy',
  '6': 'conflict: somebody else changed the record, or the workflow does not allow the transition',
  '7': 'rate limited for longer than --max-wait',
  '8': 'the service or the network failed',
  '9': 'the service refused the input',
  '10': 'some writes succeeded, some failed',
  '130': 'interrupted (Ctrl-C)',
  '143': 'stopped by SIGTERM',
};

export const exitCodes: CommandSpec<Context> = {
  name: 'exit-codes',
  summary: 'Exit codes of svc',
  rows: Object.entries(EXIT_CODES),
};

export const environment: CommandSpec<Context> = {
  name: 'environment',
  summary: 'Environment variables that svc reads',
  description: 'Precedence: a flag, then a variable, then a setting.',
  rows: [
    ['SVC_HOST', 'The organisation to use. --host takes precedence.'],
    ['SVC_ACCOUNT', 'The sign-in to use on the host. --account takes precedence.'],
    ['SVC_TOKEN', 'A token for every request, instead of the stored tokens.'],
    ['SVC_READ_ONLY', '1: svc sends no writes.'],
    ['SVC_POLICY', 'A file with the writes that svc may send. See svc policy set --help.'],
    ['SVC_OFFLINE', '1: the same as --offline. 0: online, also if the setting offline is true.'],
    ['SVC_PLAN', 'A file for planned writes, the same as --plan.'],
    ['SVC_KEEP_BEFORE', '1: svc reads a record before each change, so that svc undo can restore the old values.'],
    ['SVC_PLAN_ONLY', '1: svc writes only into a plan.'],
    ['SVC_CONFIG_DIR', 'The directory of settings, stored tokens and cache.'],
    ['SVC_TOKEN_STORE', 'The place of the tokens: keychain or file.'],
    ['SVC_BROWSER, BROWSER', 'The command that opens an address.'],
    [
      'SVC_PAGER, PAGER',
      'The command for output that is longer than the screen; cat or empty for none. svc sets LESS=FRX if LESS is not set.',
    ],
    [
      'SVC_EDITOR, VISUAL, EDITOR',
      'The command that edits a file. svc uses the first variable that is set, then the setting editor, then vi (notepad on Windows).',
    ],
    ['SVC_DEBUG', '1: the same as --debug.'],
    ['SVC_ERROR_FORMAT', 'The format of errors: text or json, as --error-format.'],
    ['ACCESSIBLE', '1: output for a screen reader, the same as the setting accessible. 0: normal output, also if that setting is on.'],
    ['NO_COLOR, FORCE_COLOR', 'NO_COLOR: no colours. FORCE_COLOR: colours in pipes too.'],
    ['HTTPS_PROXY, NO_PROXY', 'A proxy, and the hosts that svc reaches without the proxy.'],
    ['NODE_EXTRA_CA_CERTS', 'A file with more certificate authorities.'],
  ],
};

/** The terms of the project. scripts/reference.ts writes docs/glossary.md from this list. */
export const glossary: CommandSpec<Context> = {
  name: 'glossary',
  summary: 'Definitions of the terms in help, messages and docs',
  rows: [
    ['access token', 'The token that svc sends with each request after svc login. The token is valid for one hour; svc renews the token.'],
    ['action', 'A change with a command of its own: transition or move of a work item, complete of a sprint.'],
    ['API spec', 'The description of an organisation’s API in OpenAPI. svc schema import reads an API spec.'],
    ['child records', 'Records that belong to another record, such as the comments of a work item or the rows of an invoice.'],
    [
      'checked at, complete at',
      'Two times of a table in the local database. Checked at: svc last compared the table with the service. Complete at: the table last had every row of the service, and no other row.',
    ],
    ['default host', 'The organisation that a command uses when neither --host nor SVC_HOST names one.'],
    [
      'detail view, summary view',
      'The two sets of fields that the service sends. A detail view has all fields of a record; a summary view has the most important fields. Lists send the summary view by default.',
    ],
    [
      'ETag',
      'The version of a record, as named by the service. svc sends the ETag with --if-match and --if-unchanged, so that no write overwrites a newer record.',
    ],
    ['host', 'The address of an organisation, such as acme.example.com. You sign in to the web app there too.'],
    ['Idempotency-Key', 'A key that svc sends with each POST. The service runs a request with the same key once.'],
    ['journal', 'The list of your writes on this machine. svc records each write before sending it, and the outcome afterwards.'],
    [
      'local database',
      'A SQLite file with the records that you have permission to see. svc sync fills the file. svc sql and --offline read the local database.',
    ],
    [
      'method',
      'The way in which svc checked that a table of the local database is complete. docs/explanation/local-database.md lists the methods.',
    ],
    ['organisation', 'A customer of the service, with a host, users and data of its own.'],
    ['outbox', 'The writes in the journal that wait or are unconfirmed. svc outbox lists these writes.'],
    [
      'personal access token',
      'A token that you make in the web app, with an expiry date. The service requires a personal access token for every delete.',
    ],
    ['plan', 'A file of writes that svc has prepared and not sent. svc apply sends exactly these writes.'],
    [
      'rate-limit unit',
      'The price of a request. Most requests cost one unit. A token can spend 600 units on reading and 120 on writing each minute.',
    ],
    ['record', 'One item of a resource: a worklog, a project, an absence.'],
    ['refresh token', 'The token with which svc gets a new access token. svc can use each refresh token once, within 30 days.'],
    ['resource', 'A kind of record, and the first word of a command: worklogs, work-items, sales-invoices.'],
    ['sandbox', 'The whole service on your own machine, with made-up data or your own records, to try commands on: svc sandbox.'],
    ['scope', 'The rights of a token: read, write or delete, for all resources or for some.'],
    ['sign-in', 'The result of svc login: an OAuth registration, an access token and a refresh token for one host.'],
    ['team database', 'The same tables as in the local database, in PostgreSQL, for everyone in a team.'],
    ['transition', 'The change of a work item from one workflow status to another. A workflow decides which transitions are allowed.'],
    ['unconfirmed', 'The state of a write that svc sent without getting an answer. The service has possibly run that write.'],
    ['work item key', 'The name of a work item that people use, such as ABC-12.'],
  ],
};
