import { resolve } from 'node:path';
import { defineCommand, type OptionValues, parsed, repeated, text, toggle } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import type { Sandbox, SandboxOptions, SandboxToken } from '../sandbox/start.ts';
import type { Needs } from '../session/context.ts';
import { printText } from '../session/print.ts';
import { parseInteger } from '../values/integer.ts';

const options = {
  port: parsed('--port <n>', 'The port to listen on; a free one if not given', (value) => parseInteger(value, { min: 0, max: 65535 }), {
    type: 'integer',
  }),
  data: text('--data <path>', 'A file to keep everything in, or a directory that svc export wrote, to start from', { completes: 'file' }),
  seed: parsed('--seed <n>', 'Another organisation; the same number makes the same one', parseInteger, { type: 'integer' }),
  approve: toggle('--approve', 'Approve every sign-in without a question, for scripts'),
  limits: text('--limits <real|off>', 'Keep to the service’s rate limits', { choices: ['real', 'off'] }),
  window: parsed('--window <seconds>', 'How long until a rate limit is full again (60)', (value) =>
    parseInteger(value, { min: 1, max: 3600 }),
  ),
  fault: repeated('--fault <text>', 'Something that goes wrong, like "GET /worklogs 503 x2"; may be given several times'),
  switch: repeated('--switch <name=on|off>', 'api, mcp, support-session, sprints or furlough; may be given several times'),
  knob: repeated('--knob <name=value>', 'How it answers where the service’s documentation leaves it open; may be given several times'),
} as const;

/** `svc sandbox`: the whole service on 127.0.0.1. */
export const sandbox = defineCommand({
  name: 'sandbox',
  showsGlobals: ['output'],
  summary: 'Run the service on this machine, to try things on',
  description:
    'A complete copy of the service on 127.0.0.1, with made-up data, until you press Ctrl-C. Open the address that it prints in a browser to see the tokens and the latest requests. What you change is gone when it stops, unless --data names a file to keep it in.\n\nA fault says which requests (a method, a path, a trailing * for all below), what happens to them (a status from 400, retry-after=<seconds>, delay=<500ms|2s>, drop=before, drop=after, truncate, garbage) and how often (x2, x* for always, skip=1 to let the first pass). Programs change faults, switches, knobs and the clock while it runs, at the control address that it prints. Its OpenAPI description is at /api/v2/openapi.json, for any token. docs/sandbox.md tells all of it.',
  options,
  examples: [
    { args: 'sandbox --port 4010', does: 'Start it; then: svc login 127.0.0.1:4010' },
    { args: 'sandbox --approve --limits off', does: 'For test scripts' },
    { args: 'sandbox --data sandbox.json', does: 'Go on where it stopped last time' },
    { args: "sandbox --fault 'GET /worklogs 503 x2' --fault '429 retry-after=3'", does: 'See what a script does when things go wrong' },
    { args: 'sandbox --approve --output json', does: 'Addresses and tokens as one line of JSON, for programs' },
  ],
  async run(context: Needs<'globals' | 'signal' | 'stdio' | 'system'>, { options: given }) {
    const server = await start(context, given);
    try {
      await printText(context, context.globals.output === 'json' ? inJson(server) : inWords(server));
      await new Promise<void>((stop) => {
        if (context.signal.aborted) stop();
        context.signal.addEventListener('abort', () => stop(), { once: true });
      });
    } finally {
      await server.close();
    }
  },
});

async function start(context: Needs<'system'>, given: OptionValues<typeof options>): Promise<Sandbox> {
  const { checkSwitch, parseFault, readKnobs, startSandbox } = await import('../sandbox/start.ts');
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
    ...(given.seed !== undefined && { seed: given.seed }),
    ...(given.approve && { approve: true }),
    ...(given.limits !== undefined && { limits: given.limits as 'real' | 'off' }),
    ...(given.window !== undefined && { windowSeconds: given.window }),
    ...(given.data !== undefined && { data: resolve(context.system.cwd, given.data) }),
    faults: read('--fault', () => (given.fault ?? []).map(parseFault)),
    knobs: read('--knob', () => readKnobs(Object.fromEntries((given.knob ?? []).map(pair)))),
    switches: read('--switch', () => Object.fromEntries((given.switch ?? []).map((typed) => onOrOff(typed, checkSwitch)))),
  };
  try {
    return await startSandbox(settings);
  } catch (error) {
    throw startFailure(error, given);
  }
}

/** Words for what kept it from starting; anything unexpected goes on as it is. */
function startFailure(error: unknown, { data, port }: OptionValues<typeof options>): unknown {
  if (error instanceof RangeError) {
    return new UsageError(`--data: ${error.message}`, {
      hint: 'Name a file that the sandbox wrote, a new one, or a directory that svc export wrote.',
    });
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') {
    return new UsageError(`The port ${port ?? 0} cannot be used: ${code}.`, {
      hint: 'Name another with --port, or leave it out to get a free one.',
    });
  }
  if (data !== undefined && code !== undefined) {
    return new UsageError(`--data: ${data} cannot be read and written: ${code}.`, { hint: 'Name a file in a directory that is yours.' });
  }
  return error;
}

/** @throws RangeError without an `=`. */
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

function inWords({ origin, startUrl, controlUrl, tokens }: Sandbox): string {
  return [
    `The sandbox runs at ${origin}`,
    '',
    `Sign in:   svc login ${new URL(origin).host}`,
    `Look:      ${startUrl}`,
    `Control:   ${controlUrl}`,
    '',
    'Personal access tokens, for svc token set:',
    ...tokens.flatMap((token) => tokenLines(token)),
    '',
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}

/** The secret on a line of its own, to be copied whole. */
function tokenLines({ name, user, role, value, abilities, expires }: SandboxToken): string[] {
  return [`  ${value}`, `    ${name}: ${user} (${role}), until ${expires.toISOString().slice(0, 10)}, ${abilities.join(', ')}`];
}

function inJson({ origin, baseUrl, startUrl, controlUrl, tokens }: Sandbox): string {
  return `${JSON.stringify({ origin, host: new URL(origin).host, base_url: baseUrl, start_url: startUrl, control_url: controlUrl, tokens })}\n`;
}
