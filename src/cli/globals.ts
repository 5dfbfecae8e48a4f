import { UsageError } from '../errors.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import { withoutPassword } from '../values/addresses.ts';
import { parseTimespan } from '../values/duration.ts';
import { parseInteger } from '../values/scalars.ts';
import { quote } from '../values/text.ts';
import { type Options, type OptionValues, parsed, text, toggle } from './spec.ts';

/** The most connections that svc opens to one host, and the default of `--parallel`. */
export const MOST_CONNECTIONS = 8;

export const GLOBAL_OPTIONS = {
  host: text('--host <host>', 'Use this organisation, by host or part of its host', { type: 'host', completes: 'host' }),
  account: text('--account <name>', 'Use this account on the host', { completes: 'account' }),
  output: text('-o, --output <format>', 'Print in this format', { choices: OUTPUT_FORMATS }),
  fields: text('--fields <a,b.c>', 'Show only these fields, in this order'),
  json: text('--json <a,b.c>', 'Print only these fields, as JSON'),
  raw: toggle('--raw', 'Print CSV cells unchanged, even cells that a spreadsheet would run as a formula'),
  bom: toggle('--bom', 'Begin CSV with a byte order mark, which Excel needs to read UTF-8'),
  jq: text('--jq <expr>', 'Filter the JSON with a jq expression'),
  noColor: toggle('--no-color', 'Print without colours'),
  noPager: toggle('--no-pager', 'Print long output without a pager'),
  quiet: toggle('-q, --quiet', 'Print only results and errors'),
  debug: toggle('--debug', 'Show each request and answer on stderr, without secrets'),
  noInput: toggle('--no-input', 'Fail instead of asking you a question'),
  maxWait: parsed('--max-wait <duration>', 'Wait at most this long for the rate limit or another sync (default: 5m)', parseTimespan, {
    type: 'duration',
  }),
  timeout: parsed('--timeout <duration>', 'Wait at most this long for the whole answer to a request (default: 30s)', parseTimespan, {
    type: 'duration',
  }),
  parallel: parsed(
    '--parallel <n>',
    'Open at most this many connections, 1 to 8 (default: 8)',
    (value) => parseInteger(value, { min: 1, max: MOST_CONNECTIONS }),
    { type: 'integer' },
  ),
  offline: toggle('--offline', 'Read from the local database (svc sync), and send nothing'),
  maxAge: parsed(
    '--max-age <duration>',
    'Read from the local database if its data is at most this old, else from the service',
    parseTimespan,
    {
      type: 'duration',
    },
  ),
  database: text('--database <address>', 'Read from this team database (svc sync --to), and send nothing', {
    type: 'file',
    completes: 'file',
    withheld: withoutPassword,
  }),
  dryRun: toggle('--dry-run', 'Print the request, and send nothing; the real run looks up names'),
  plan: parsed('--plan <file>', 'Add the writes to a plan for svc apply, and send nothing', (path) => parsePlanPath(path, '--plan '), {
    type: 'file',
    completes: 'file',
  }),
  again: toggle('--again', 'Create a new record even if an identical write is unconfirmed'),
  yes: toggle('-y, --yes', 'Agree to a delete or a proposed write without a question'),
  noCache: toggle('--no-cache', 'Read from the service, without the cache'),
  errorFormat: text('--error-format <format>', 'Print errors on stderr in this format', { choices: ['text', 'json'] }),
} as const satisfies Options;

/** The global flags in the help of a command that only reads records. The local database can answer such a command. */
export const READING_GLOBALS: readonly (keyof typeof GLOBAL_OPTIONS)[] = [
  'host',
  'output',
  'fields',
  'jq',
  'offline',
  'maxAge',
  'database',
];

export type Globals = OptionValues<typeof GLOBAL_OPTIONS>;

/**
 * Checks and returns the path of a plan. A user who types an id probably means a field of the same name, such as `plan_id`.
 *
 * @param name The flag or variable that has the path, with the character before its value.
 * @throws UsageError for an empty path, an id, a work item key, or a word such as `last`.
 */
export function parsePlanPath(path: string, name: '--plan ' | 'SVC_PLAN='): string {
  if (path !== '' && !/^(?:\d+|[A-Z][A-Z0-9]*-\d+|me|last|null|none)$/i.test(path)) return path;
  throw new UsageError(`${quote(path)} does not look like the file of a plan.`, {
    hint: `To use a file with this name: ${name}./${path || 'today.plan'}. To set a field such as plan_id, find its flag with --help.`,
  });
}

/**
 * Replaces `--json a,b`, a flag of gh, with `--output json --fields a,b`. With `--jq`, the output format stays unchanged.
 *
 * @throws UsageError for `--json` with `--fields`, or with an `--output` other than `json`.
 */
export function withJson(globals: Globals): Globals {
  const { json, output, fields, jq } = globals;
  if (json === undefined) return globals;
  if (fields !== undefined) throw new UsageError('--json and --fields both choose the fields.', { hint: 'Use one of the flags.' });
  if (output !== undefined && output !== 'json')
    throw new UsageError(`--json prints JSON, but --output is ${output}.`, { hint: 'Use --fields with --output.' });
  return { ...globals, fields: json, ...(jq === undefined && { output: 'json' }) };
}
