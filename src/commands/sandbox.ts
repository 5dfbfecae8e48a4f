import { resolve } from 'node:path';
import { defineCommand, type OptionValues, parsed, repeated, text, toggle } from '../cli/spec.ts';
import { openSandboxOrigins } from '../config/sandbox-origins.ts';
import { UsageError } from '../errors.ts';
import { wrap } from '../output/wrap.ts';
import type { GivenRecords, Sandbox, SandboxOptions } from '../sandbox/start.ts';
import type { Needs } from '../session/context.ts';
import type { OpeningDatabase } from '../session/offline-client.ts';
import { printText } from '../session/print.ts';
import { parseInteger } from '../values/scalars.ts';
import { utcSeconds } from '../values/temporal.ts';
import type { RecordsReport } from './sandbox-from.ts';

const options = {
  port: parsed('--port <n>', 'Listen on this port (default: a free port)', (value) => parseInteger(value, { min: 0, max: 65535 }), {
    type: 'integer',
  }),
  data: text('--data <path>', 'Keep the data in this file, or start from this directory of svc export', { completes: 'file' }),
  from: text('--from <host>', 'Start with the records of your local database of this organisation (svc sync)', { completes: 'host' }),
  pseudonyms: toggle('--pseudonyms', 'With --from: replace names, texts and amounts by pseudonyms'),
  seed: parsed('--seed <n>', 'Make the data from this number; the same number makes the same organisation', parseInteger, {
    type: 'integer',
  }),
  approve: toggle('--approve', 'Approve every sign-in without a question, for scripts'),
  limits: text('--limits <real|off>', 'Apply the rate limits of the service, or none (default: real)', { choices: ['real', 'off'] }),
  window: parsed('--window <seconds>', 'Refill the rate limits after this many seconds (default: 60)', (value) =>
    parseInteger(value, { min: 1, max: 3600 }),
  ),
  fault: repeated('--fault <string>', 'Add a fault, such as "GET /worklogs 503 x2"'),
  switch: repeated('--switch <name=on|off>', 'Switch a feature on or off: api, mcp, support-session, sprints or furlough'),
  interpretation: repeated('--interpretation <name=value>', 'Set an option for a behaviour that the service does not document'),
} as const;

export const sandbox = defineCommand({
  showsGlobals: ['output'],
  description:
    'svc runs the complete service on 127.0.0.1, with made-up data, until you press Ctrl-C. Open the printed address in a browser to see the tokens and the latest requests. When the sandbox stops, svc deletes your changes, unless --data names a file for the changes.\n\nA fault has three parts: the requests, the failure and the count. Requests are a method, a path, or both; a trailing * means all longer paths. The failure is a status from 400, retry-after=<seconds>, delay=<500ms|2s>, drop=before, drop=after, truncate or garbage. The count is the number of failures, such as x2, or x* for all requests. With skip=1, the first request succeeds.\n\nWith --from, the sandbox has the records of your local database with the same ids, and no invented records. You sign in as the user whose records svc sync stored. Writes change only the sandbox. The sandbox does not offer a resource that the local database lacks.\n\nsvc prints an address (control_url in JSON) where programs can change faults, switches, options and the clock. The API spec is at /api/v2/openapi.json, for any token. docs/guides/sandbox.md explains every option.',
  options,
  examples: [
    { args: 'sandbox --port 4010', does: 'Start a sandbox; then run svc login 127.0.0.1:4010' },
    { args: 'sandbox --from acme.example.com', does: 'Try commands on the records of your organisation' },
    { args: 'sandbox --from acme.example.com --pseudonyms', does: 'Show these records to others, without names and amounts' },
    { args: 'sandbox --approve --limits off', does: 'Start a sandbox for test scripts' },
    { args: 'sandbox --data sandbox.json', does: 'Start with the data of the last run' },
    { args: "sandbox --fault 'GET /worklogs 503 x2' --fault '429 retry-after=3'", does: 'Test a script with failures' },
    { args: 'sandbox --approve --output json', does: 'Print addresses and tokens as one line of JSON' },
  ],
  async run(context: Needs<Running>, { options: given }) {
    const started = await start(context, given);
    const { server, report } = started;
    try {
      await keepOrigin(context, started);
      const about = report && (await import('./sandbox-from.ts')).reportLines(report, context.clock.now());
      const { columns } = context.stdio.stdout;
      await printText(context, context.globals.output === 'json' ? inJson(server, report) : inWords(server, columns, about));
      await new Promise<void>((stop) => {
        if (context.signal.aborted) stop();
        context.signal.addEventListener('abort', () => stop(), { once: true });
      });
    } finally {
      await server.close();
    }
  },
});

type Running = OpeningDatabase | 'accounts' | 'globals' | 'signal' | 'stdio';

interface Started {
  readonly server: Sandbox;
  /** The source of the records, and the highest id of each resource. Undefined without `--from`. */
  readonly report?: RecordsReport;
  readonly lastIds?: Record<string, number>;
}

async function start(context: Needs<Running>, given: OptionValues<typeof options>): Promise<Started> {
  const { checkSwitch, parseFault, readInterpretations, servedResourceOf, startSandbox, startWithRecords } = await import(
    '../sandbox/start.ts'
  );
  const read = <T>(flag: string, make: () => T): T => {
    try {
      return make();
    } catch (error) {
      if (error instanceof RangeError) throw new UsageError(`${flag}: ${error.message}`, { hint: 'See svc sandbox --help.' });
      throw error;
    }
  };
  const settings: SandboxOptions = {
    ...(given.port !== undefined && { port: given.port }),
    ...(given.approve && { approve: true }),
    ...(given.limits !== undefined && { limits: given.limits as 'real' | 'off' }),
    ...(given.window !== undefined && { windowSeconds: given.window }),
    faults: read('--fault', () => (given.fault ?? []).map(parseFault)),
    interpretations: read('--interpretation', () => readInterpretations(Object.fromEntries((given.interpretation ?? []).map(pair)))),
    switches: read('--switch', () => Object.fromEntries((given.switch ?? []).map((typed) => onOrOff(typed, checkSwitch)))),
  };
  const { data, from, pseudonyms = false, seed } = given;
  if (from === undefined && pseudonyms)
    throw new UsageError('--pseudonyms replaces the records of an organisation.', { hint: 'Add --from <host>.' });
  if (from !== undefined && (data !== undefined || seed !== undefined))
    throw new UsageError(`--from and ${data === undefined ? '--seed' : '--data'} each choose the data of the sandbox.`, {
      hint: 'Use one of the flags.',
    });
  const records =
    from === undefined
      ? undefined
      : await (await import('./sandbox-from.ts')).readLocalRecords(context, { from, pseudonyms, served: servedResourceOf });
  try {
    if (records !== undefined) return { ...records, server: await startWithRecords(records.given as GivenRecords, settings) };
    const chosen = { ...(seed !== undefined && { seed }), ...(data !== undefined && { data: resolve(context.system.cwd, data) }) };
    return { server: await startSandbox({ ...settings, ...chosen }) };
  } catch (error) {
    throw startFailure(error, given);
  }
}

/** Stores the organisation whose records are at the address of the sandbox. Without `--from`, forgets an earlier organisation. */
async function keepOrigin(
  { clock, files, paths }: Needs<Running>,
  { server: { origin: url }, report, lastIds = {} }: Started,
): Promise<void> {
  const origins = openSandboxOrigins(files, paths.state);
  if (report === undefined) return void (await origins.forget(url));
  const { host: from, pseudonyms, read_at } = report;
  await origins.keep({ url, from, pseudonyms, read_at, started_at: utcSeconds(clock.now()), last_ids: lastIds });
}

function startFailure(error: unknown, { data, port }: OptionValues<typeof options>): unknown {
  if (error instanceof RangeError) {
    return new UsageError(`--data: ${error.message}`, {
      hint: 'Name a file that the sandbox wrote, a new file, or a directory that svc export wrote.',
    });
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') {
    return new UsageError(`svc cannot use port ${port ?? 0}: ${code}.`, {
      hint: 'Use another --port, or leave out --port for a free port.',
    });
  }
  if (data !== undefined && code !== undefined) {
    return new UsageError(`--data: svc cannot read and write ${data}: ${code}.`, { hint: 'Name a file in a directory that is yours.' });
  }
  return error;
}

/** Splits `name=value`. @throws RangeError for text without a name or an `=`. */
function pair(typed: string): [string, string] {
  const at = typed.indexOf('=');
  if (at < 1) throw new RangeError(`"${typed}" is not name=value.`);
  return [typed.slice(0, at), typed.slice(at + 1)];
}

function onOrOff(typed: string, check: (name: string) => void): [string, boolean] {
  const [name, value] = pair(typed);
  check(name);
  if (value !== 'on' && value !== 'off') throw new RangeError(`${name} is on or off, not "${value}".`);
  return [name, value === 'on'];
}

function inWords({ origin, startUrl, controlUrl, tokens }: Sandbox, width: number | undefined, about: readonly string[] = []): string {
  const short = (line: string) => (width === undefined ? line : wrap(line, width - 4).replaceAll('\n', '\n    '));
  return [
    `The sandbox runs at ${origin}`,
    '',
    ...about,
    `Sign in:          svc login ${new URL(origin).host}`,
    `Start page:       ${startUrl}`,
    '',
    'Personal access tokens. To store one of them: svc token set',
    // Each token is on its own line, so that users can copy the token.
    ...tokens.flatMap(({ name, user, role, value, abilities, expires }) => [
      short(`  ${name}: ${user} (${role}), until ${expires.toISOString().slice(0, 10)}, ${abilities.join(', ')}`),
      `    ${value}`,
    ]),
    '',
    'To change how the sandbox answers, send requests to the control address:',
    `  ${controlUrl}`,
    '',
    'Stop the sandbox with Ctrl-C.',
    '',
  ].join('\n');
}

function inJson({ origin, baseUrl, startUrl, controlUrl, tokens }: Sandbox, from: RecordsReport | undefined): string {
  const addresses = { origin, host: new URL(origin).host, base_url: baseUrl, start_url: startUrl, control_url: controlUrl };
  return `${JSON.stringify({ ...addresses, tokens, from })}\n`;
}
