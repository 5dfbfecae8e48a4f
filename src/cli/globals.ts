import { UsageError } from '../errors.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import { parseInteger } from '../values/integer.ts';
import { parseTimespan } from '../values/timespan.ts';
import { type Options, type OptionValues, parsed, text, toggle } from './spec.ts';

/** So many connections to one host at most, and as many as svc uses where nobody says otherwise. */
export const MOST_CONNECTIONS = 8;

/** Flags that mean the same everywhere. They may stand before the command, between its words, or after it. */
export const GLOBAL_OPTIONS = {
  host: text('--host <host>', 'The organisation to use', { type: 'host', completes: 'host' }),
  output: text('-o, --output <format>', 'How to print', { choices: OUTPUT_FORMATS }),
  fields: text('--fields <a,b.c>', 'The fields to show, in this order'),
  json: text('--json <a,b.c>', 'The same as JSON, as gh has it: --output json --fields'),
  raw: toggle('--raw', 'CSV for programs: cells exactly as they are, also those that a spreadsheet would run'),
  bom: toggle('--bom', 'CSV for spreadsheets that take UTF-8 only behind a byte order mark, as Excel does'),
  jq: text('--jq <expr>', 'Filter the JSON with a jq expression'),
  noColor: toggle('--no-color', 'No colours'),
  noPager: toggle('--no-pager', 'No pager, however long it is'),
  quiet: toggle('-q, --quiet', 'No notices and no progress; errors still print'),
  debug: toggle('--debug', 'Show each request and answer on stderr, never a secret'),
  noInput: toggle('--no-input', 'Never ask; fail instead'),
  maxWait: parsed('--max-wait <duration>', 'Longest wait for the rate limit (5m)', parseTimespan, { type: 'duration' }),
  timeout: parsed('--timeout <duration>', 'Longest wait for the whole answer to one request (30s)', parseTimespan, { type: 'duration' }),
  parallel: parsed('--parallel <n>', 'Connections at once (8)', (value) => parseInteger(value, { min: 1, max: MOST_CONNECTIONS }), {
    type: 'integer',
  }),
  offline: toggle('--offline', 'Answer from your copy (svc sync), and send nothing'),
  maxAge: parsed('--max-age <duration>', 'Read from the local database if it is at most this old, else from the service', parseTimespan, {
    type: 'duration',
  }),
  dryRun: toggle('--dry-run', 'Print the request that would be sent, and send nothing'),
  plan: text('--plan <file>', 'Add what would be sent to a plan, for svc apply, and send nothing', { type: 'file', completes: 'file' }),
  again: toggle('--again', 'A second write, not the same one again whose outcome is unknown'),
  yes: toggle('-y, --yes', 'Do not ask: delete, or send what is proposed'),
  noCache: toggle('--no-cache', 'Ask the service anew what svc was allowed to keep'),
  errorFormat: text('--error-format <format>', 'How errors print on stderr', { choices: ['text', 'json'] }),
} as const satisfies Options;

/** Those that help shows of a command which only reads records: a copy can answer it. */
export const READING_GLOBALS: readonly (keyof typeof GLOBAL_OPTIONS)[] = ['host', 'output', 'fields', 'jq', 'offline', 'maxAge'];

export type Globals = OptionValues<typeof GLOBAL_OPTIONS>;

/**
 * `--json a,b`, as gh has it, is `--output json --fields a,b`.
 *
 * @throws UsageError where the line says something else besides.
 */
export function withJson(globals: Globals): Globals {
  const { json, output, fields, jq } = globals;
  if (json === undefined) return globals;
  if (fields !== undefined) throw new UsageError('--json and --fields both choose the fields.', { hint: 'Use one of them.' });
  if (output !== undefined && output !== 'json')
    throw new UsageError(`--json prints JSON, and --output says ${output}.`, { hint: 'Use --fields with --output.' });
  return { ...globals, fields: json, ...(jq === undefined && { output: 'json' }) };
}
