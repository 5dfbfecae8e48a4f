import type { PatientKeychain } from '../auth/stores/patient-keychain.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { SvcError } from '../errors.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import type { Context } from '../session/context.ts';
import { tokenInEnvironment } from '../session/environment.ts';
import { decidePresentation } from '../session/presentation.ts';
import { printRows, printText } from '../session/print.ts';
import { askMe } from '../session/who-am-i.ts';
import type { JsonObject } from '../values/json.ts';
import { readProxy } from '../values/proxy.ts';

/** One thing that was looked at. */
interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'note' | 'problem';
  readonly detail: string;
  /** The step that solves the problem. */
  readonly hint?: string | undefined;
}

/** `svc doctor`: looks at everything svc stands on, and goes on after each problem. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check that svc has everything it needs',
  description:
    'svc checks Node, the settings, the keychain, the proxy and the clock. It checks the connection to your organisation, its sign-in page, your sign-in and your personal access token. svc prints what to do about each problem, and exits with 1 if it found one. With --schema, svc compares the service with the imported API spec. That costs one rate-limit unit for each resource. A difference is not a problem.',
  options: {
    schema: toggle('--schema', 'Read a page of each resource, and list differences from the imported API spec'),
  },
  examples: [
    { args: 'doctor', does: 'Check everything' },
    { args: 'doctor --schema --output json', does: 'List differences from the imported API spec' },
  ],
  async run(context: Context, { options }) {
    if (options.schema) return (await import('./doctor-schema.ts')).checkSchema(context);
    const findings: Finding[] = [];
    await printAsFound(context, async function* () {
      for (const group of CHECKS) {
        const running = group.map(([name, check]) => inTime(name, check(context)));
        // What fails while another is waited for is seen in its turn.
        for (const found of running) found.catch(() => undefined);
        for (const found of running) {
          for (const finding of await found) {
            findings.push(finding);
            yield finding;
          }
        }
      }
    });
    const problems = findings.filter(({ status }) => status === 'problem');
    if (problems.length > 0) {
      throw new SvcError(
        `${problems.length === 1 ? 'There is a problem' : `There are ${problems.length} problems`}: ${problems.map(({ check }) => check).join(', ')}.`,
        {
          hint: problems[0]?.hint ?? 'See above.',
        },
      );
    }
  },
});

type Check = (context: Context) => Promise<readonly Finding[]>;

/** Each line as soon as it is known: what comes next may take a while. */
async function printAsFound(context: Context, find: () => AsyncGenerator<Finding>): Promise<void> {
  const readable = { ...context, settings: () => context.settings().catch(() => ({})) };
  const presentation = await decidePresentation(readable);
  const printing = { ...readable, presentation: async () => presentation };
  if (presentation.reader === 'person') {
    const draw = presentation.isSpoken ? spokenLine : lineOf;
    for await (const finding of find()) await printText(context, draw(finding));
    return;
  }
  await printRows(printing, rowsOf(find()), { columns: ['check', 'status', 'detail', 'what_to_do'].map((path) => ({ path })) });
}

async function* rowsOf(findings: AsyncIterable<Finding>): AsyncGenerator<JsonObject> {
  for await (const { check, status, detail, hint } of findings) yield { check, status, detail, what_to_do: hint ?? null };
}

/** `Organisation     problem  acme.example.com refused the connection.`, and what to do on a line below. */
function lineOf({ check, status, detail, hint }: Finding): string {
  const head = `${check.padEnd(CHECK_WIDTH)}${status.padEnd(STATUS_WIDTH)}`;
  return [head + neutraliseLine(detail), ...(hint === undefined ? [] : [' '.repeat(head.length) + neutraliseLine(hint)])]
    .map((line) => `${line}\n`)
    .join('');
}

/** The same for somebody who hears it: `Organisation: problem, acme.example.com refused the connection.` */
function spokenLine({ check, status, detail, hint }: Finding): string {
  return `${check}: ${status}, ${neutraliseLine(detail)}\n${hint === undefined ? '' : `What to do: ${neutraliseLine(hint)}\n`}`;
}

const CHECK_WIDTH = 'Sign-in service'.length + 2;
const STATUS_WIDTH = 'problem'.length + 2;

/** A check that takes longer is a problem of its own; what it still waits for ends with the command. */
const CHECK_MS = 20_000;

async function inTime(check: string, findings: Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const late = Promise.withResolvers<readonly Finding[]>();
  const timer = setTimeout(() => {
    const hint = 'Try again; --debug shows what is waited for.';
    late.resolve([{ check, status: 'problem', detail: `no answer within ${CHECK_MS / 1000} s`, hint }]);
  }, CHECK_MS);
  try {
    return await Promise.race([findings, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const node: Check = async ({ system }) => [
  { check: 'Node', status: 'ok', detail: `${system.nodeVersion}, svc ${system.version}, ${system.platform} ${system.arch}` },
];

const settings: Check = async (context) =>
  attempt('Settings', async () => {
    const set = Object.keys(await context.configFile.read());
    return `${context.configFile.path}${set.length === 0 ? ', nothing set' : `: ${set.join(', ')}`}`;
  });

/** Who else of this machine could change what svc goes by, or read the tokens. Looked at as it is: what is asked of the sign-in later mends it. */
const guarded: Check = async ({ files, paths }) => {
  const findings: Finding[] = [];
  for (const path of [`${paths.config}/config.json`, paths.state, paths.tokens]) {
    const weak = await files.weakness(path);
    if (weak === undefined) continue;
    const hint = weak.why.includes('write')
      ? `chmod go-w ${weak.path}`
      : `Take it over (chown), or keep svc’s files elsewhere: SVC_CONFIG_DIR`;
    findings.push({
      check: 'Own files',
      status: 'problem',
      detail: `${path} may be changed by others: of ${weak.path}, ${weak.why}`,
      hint,
    });
  }
  const tokens = paths.tokens.includes('\\') ? undefined : await files.stat(paths.tokens);
  if (tokens !== undefined && (tokens.mode & 0o077) !== 0) {
    const hint = `chmod 700 ${paths.tokens}; if that was not you, sign in again`;
    findings.push({ check: 'Own files', status: 'problem', detail: `others may enter ${paths.tokens}, where the tokens are`, hint });
  }
  return findings.length > 0 ? findings : [{ check: 'Own files', status: 'ok', detail: 'nobody else may change them' }];
};

const keychain: Check = async (context) => {
  const { env, keychain: open, paths, clock, signal, notify } = context;
  const forced = env['SVC_TOKEN_STORE'];
  if (forced === 'file') return [{ check: 'Keychain', status: 'note', detail: `SVC_TOKEN_STORE=file: tokens are kept in ${paths.tokens}` }];
  const { patientKeychain, SilentKeychainError } = await import('../auth/stores/patient-keychain.ts');
  const { tryOut } = await import('../auth/stores/keychain-store.ts');
  let opened: PatientKeychain;
  try {
    opened = patientKeychain(await open(), { clock, signal, attended: () => context.interactive, notify });
    await opened.get('svc', 'doctor');
  } catch (error) {
    const isSilent = error instanceof SilentKeychainError;
    return [
      {
        check: 'Keychain',
        // Files take its place, so it is a problem only for who insists on it; a sign-in it holds is a check of its own.
        status: forced === 'keychain' || isSilent ? 'problem' : 'note',
        detail: error instanceof Error ? error.message : String(error),
        hint: isSilent ? error.hint : `Without one, tokens are kept in ${paths.tokens}, in files only you can read.`,
      },
    ];
  }
  // As a sign-in does: one that can be read need not take what is written.
  return attempt('Keychain', async () => {
    await tryOut(opened.writing);
    return opened.name;
  });
};

const proxy: Check = async ({ env }) => {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy', 'NODE_EXTRA_CA_CERTS'];
  const set = names.filter((name) => env[name]);
  return attempt('Proxy', async () => {
    const shown = set.map((name) => `${name}=${withoutPassword(env[name] ?? '')}`).join(', ');
    if (readProxy(env) === undefined && set.some((name) => /^http_proxy$/i.test(name)))
      return `${shown}: not used, since HTTP_PROXY is for http; for https it is HTTPS_PROXY`;
    return shown || 'none';
  });
};

/** The way there: DNS, TLS, the discovery document, and by its Date header this machine's clock. */
const service: Check = async (context) => {
  const host = await context.host().catch((error: unknown) => error);
  if (!isHost(host)) return [{ check: 'Organisation', ...problemOf(host) }];
  const sentAt = context.clock.now();
  try {
    const response = await context.network.request({
      method: 'GET',
      url: `${host.origin}/.well-known/oauth-authorization-server`,
      headers: { accept: 'application/json' },
      // Settings that cannot be read have a finding of their own.
      timeoutMs: await context.requestTimeoutMs().catch(() => 30_000),
      signal: context.signal,
    });
    await response.discard();
    const reached: Finding = {
      check: 'Organisation',
      status: 'ok',
      detail: `${host.name} answers${host.origin.startsWith('https:') ? ', its certificate is trusted' : ''}`,
    };
    return [reached, discoveryFinding(host.name, response.status), ...clockFinding(response.headers['date'], sentAt, context.clock.now())];
  } catch (error) {
    return [{ check: 'Organisation', ...problemOf(error) }];
  }
};

function discoveryFinding(host: string, status: number): Finding {
  if (status === 200) return { check: 'Sign-in service', status: 'ok', detail: 'its OAuth metadata is there' };
  const hint = status === 404 ? 'The REST API is switched off for this organisation, or this is no such host.' : 'Try again later.';
  return { check: 'Sign-in service', status: 'problem', detail: `${host} answers ${status} for its OAuth metadata`, hint };
}

/** Half a minute off makes access tokens expire early or late; the request's own time is allowed for. */
function clockFinding(date: string | undefined, sentAt: number, receivedAt: number): Finding[] {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return [];
  const off = theirs < sentAt - 1000 ? sentAt - theirs : theirs > receivedAt + 1000 ? theirs - receivedAt : 0;
  if (off <= 30_000) return [{ check: 'Clock', status: 'ok', detail: 'agrees with the service' }];
  return [
    {
      check: 'Clock',
      status: 'problem',
      detail: `${Math.round(off / 1000)} s off the service’s`,
      hint: 'Set this machine’s clock, or let it be set over the network.',
    },
  ];
}

const signIn: Check = async (context) => {
  const host = await context.host().catch(() => undefined);
  if (host === undefined) return [];
  if (tokenInEnvironment(context.env) === undefined) {
    const found = await context
      .accounts()
      .then((accounts) => accounts.find(host.name))
      .catch((error: unknown) => error);
    if (found === undefined)
      return [{ check: 'Sign-in', status: 'problem', detail: `not signed in to ${host.name}`, hint: `Sign in: svc login ${host.name}` }];
    if (found instanceof Error) return [{ check: 'Sign-in', ...problemOf(found) }];
  }
  return attempt('Sign-in', async () => {
    await askMe(await context.client());
    const who = (await context.account())?.user_name;
    return `${host.name}${who === undefined ? '' : ` as ${who}`}${tokenInEnvironment(context.env) === undefined ? '' : ', with SVC_TOKEN'}`;
  });
};

/** So long before its end a personal token is worth a word. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;

const personalToken: Check = async (context) => {
  const host = await context.host().catch(() => undefined);
  if (host === undefined || tokenInEnvironment(context.env) !== undefined) return [];
  const found = await context
    .accounts()
    .then((accounts) => accounts.find(host.name))
    .catch(() => undefined);
  if (found === undefined) return [];
  const { personal } = found.record;
  if (personal === undefined)
    return [
      {
        check: 'Personal token',
        status: 'note',
        detail: 'none, so nothing can be deleted or uploaded',
        hint: `svc token set --host ${host.name}`,
      },
    ];
  const today = new Date(context.clock.now()).toISOString().slice(0, 10);
  if (personal.expires !== undefined && personal.expires < today) {
    return [
      {
        check: 'Personal token',
        status: 'problem',
        detail: `expired on ${personal.expires}`,
        hint: `Roll it in the web app, then: svc token set --host ${host.name}`,
      },
    ];
  }
  const soon = new Date(context.clock.now() + SOON_MS).toISOString().slice(0, 10);
  if (personal.expires !== undefined && personal.expires <= soon) {
    return [
      {
        check: 'Personal token',
        status: 'note',
        detail: `expires on ${personal.expires}`,
        hint: `Roll it in the web app, then: svc token set --host ${host.name}`,
      },
    ];
  }
  return [{ check: 'Personal token', status: 'ok', detail: personal.expires === undefined ? 'there' : `expires on ${personal.expires}` }];
};

/** One after the other, but those of a group at once: both ask the service, and neither needs the other's answer. */
const CHECKS: readonly (readonly (readonly [string, Check])[])[] = [
  [['Node', node]],
  [['Settings', settings]],
  [['Own files', guarded]],
  [['Keychain', keychain]],
  [['Proxy', proxy]],
  [
    ['Organisation', service],
    ['Sign-in', signIn],
  ],
  [['Personal token', personalToken]],
];

async function attempt(check: string, look: () => Promise<string>): Promise<readonly Finding[]> {
  try {
    return [{ check, status: 'ok', detail: await look() }];
  } catch (error) {
    return [{ check, ...problemOf(error) }];
  }
}

function problemOf(error: unknown): Omit<Finding, 'check'> {
  return {
    status: 'problem',
    detail: error instanceof Error ? error.message : String(error),
    hint: error instanceof SvcError ? error.hint : undefined,
  };
}

function isHost(value: unknown): value is { readonly name: string; readonly origin: string } {
  return typeof value === 'object' && value !== null && 'origin' in value;
}

function withoutPassword(address: string): string {
  return address.replace(/^([^/]*\/\/)?[^/]*@/, '$1***@');
}
