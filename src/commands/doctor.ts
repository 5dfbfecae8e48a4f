import type { PatientKeychain } from '../auth/stores/patient-keychain.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { SvcError } from '../errors.ts';
import { renderReport } from '../output/create-writer.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import type { Report } from '../output/report.ts';
import type { Context } from '../session/context.ts';
import { tokenInEnvironment } from '../session/environment.ts';
import { requestMe } from '../session/own-record.ts';
import { decidePresentation } from '../session/presentation.ts';
import { printRows } from '../session/print.ts';
import { type Host, readProxy } from '../values/addresses.ts';
import { signInName } from '../values/sign-in-names.ts';

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'note' | 'problem';
  readonly detail: string;
  readonly hint?: string | undefined;
}

export const doctor = defineCommand({
  description:
    'svc checks Node, the settings, the keychain, the proxy and the clock. svc checks the connection to your organisation, its sign-in page, your sign-in and your personal access token. svc prints what to do about each problem. If svc found a problem, svc exits with 1. With --schema, svc compares the service with the imported API spec. The comparison costs one rate-limit unit for each resource. A difference does not change the exit code.',
  options: {
    schema: toggle('--schema', 'Read a page of each resource, and list differences from the imported API spec'),
  },
  examples: [
    { args: 'doctor', does: 'Check svc, your sign-in and the connection' },
    { args: 'doctor --schema --output json', does: 'List differences from the imported API spec' },
  ],
  async run(context: Context, { options }) {
    if (options.schema) return (await import('./doctor-schema.ts')).checkSchema(context);
    const findings: Finding[] = [];
    await printFindings(context, async function* () {
      for (const group of CHECKS) {
        const running = group.map(([name, check]) => withTimeout(name, check(context)));
        // The checks of a group run at the same time. An early failure must not end the process before svc awaits that check.
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
    if (problems.length === 0) return;
    const count = problems.length === 1 ? 'There is a problem' : `There are ${problems.length} problems`;
    throw new SvcError(`${count}: ${problems.map(({ check }) => check).join(', ')}.`, {
      hint: problems[0]?.hint ?? 'See the problems above.',
    });
  },
});

type Check = (context: Context) => Promise<readonly Finding[]>;

/** Prints each finding at once, because the next check can take seconds. In Markdown, all findings form one table. */
async function printFindings(context: Context, find: () => AsyncGenerator<Finding>): Promise<void> {
  const readable = { ...context, settings: () => context.settings().catch(() => ({})) };
  const presentation = await decidePresentation(readable);
  const columns = ['check', 'status', 'detail', 'what_to_do'].map((path) => ({ path }));
  if (presentation.reader === 'program') {
    const records = async function* () {
      for await (const { check, status, detail, hint } of find()) yield { check, status, detail, what_to_do: hint ?? null };
    };
    await printRows({ ...readable, presentation: async () => presentation }, records(), { columns });
    return;
  }
  const print = async (findings: readonly Finding[]) => context.stdio.stdout.write(await renderReport(reportOf(findings), presentation));
  if (presentation.format === 'md') return print(await Array.fromAsync(find()));
  for await (const finding of find()) await print([finding]);
}

function reportOf(findings: readonly Finding[]): Report {
  return {
    parts: [
      { kind: 'drawing', text: () => findings.map(lineOf).join('') },
      {
        kind: 'notes',
        only: ['spoken'],
        lines: findings.flatMap(({ check, status, detail, hint }) => [
          `${check}: ${status}, ${detail}`,
          ...(hint === undefined ? [] : [`Next step: ${hint}`]),
        ]),
      },
      {
        kind: 'table',
        only: ['markdown'],
        name: 'Checks',
        levels: ['Check'],
        columns: ['Status', 'Detail', 'Next step'].map((label) => ({ label, align: 'left' })),
        rows: findings.map(({ check, status, detail, hint = '' }) => ({ label: check, cells: [status, detail, hint] })),
      },
    ],
  };
}

/** Returns a finding as a line: `Organisation problem acme.example.com refused the connection.` The next step gets a line of its own. */
function lineOf({ check, status, detail, hint }: Finding): string {
  const head = `${check.padEnd(CHECK_WIDTH)}${status.padEnd(STATUS_WIDTH)}`;
  return `${head}${neutraliseLine(detail)}\n${hint === undefined ? '' : `${' '.repeat(head.length)}${neutraliseLine(hint)}\n`}`;
}

const CHECK_WIDTH = 'Personal access token'.length + 2;
const STATUS_WIDTH = 'problem'.length + 2;

/** The time limit of one check, in milliseconds. After this time, svc reports a problem and continues. */
const CHECK_MS = 20_000;

async function withTimeout(check: string, findings: Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const late = Promise.withResolvers<readonly Finding[]>();
  const timer = setTimeout(() => {
    const hint = 'Try again; --debug shows each request.';
    late.resolve([{ check, status: 'problem', detail: `no answer within ${CHECK_MS / 1000} s`, hint }]);
  }, CHECK_MS);
  return Promise.race([findings, late.promise]).finally(() => clearTimeout(timer));
}

const node: Check = async ({ system: { nodeVersion, version, platform, arch } }) =>
  attempt('Node', async () => `${nodeVersion}, svc ${version}, ${platform} ${arch}`);

const settings: Check = async (context) =>
  attempt('Settings', async () => {
    const set = Object.keys(await context.configFile.read());
    return `${context.configFile.path}${set.length === 0 ? ', nothing set' : `: ${set.join(', ')}`}`;
  });

/**
 * Checks that only the user can change svc’s own files, and that only the user can open the tokens. This check runs before the sign-in
 * check, because the sign-in check corrects some file modes.
 */
const ownFiles: Check = async ({ files, paths }) => {
  const findings: Finding[] = [];
  for (const path of [`${paths.config}/config.json`, paths.state, paths.tokens]) {
    const weak = await files.weakness(path);
    if (weak === undefined) continue;
    const hint = weak.why.includes('write') ? `chmod go-w ${weak.path}` : 'Make yourself the owner (chown), or set SVC_CONFIG_DIR.';
    findings.push({ check: 'Own files', status: 'problem', detail: `other users can change ${path}: ${weak.path}: ${weak.why}`, hint });
  }
  const tokens = paths.tokens.includes('\\') ? undefined : await files.stat(paths.tokens);
  if (tokens !== undefined && (tokens.mode & 0o077) !== 0) {
    const hint = `chmod 700 ${paths.tokens}; if you did not change the mode, sign in again`;
    findings.push({ check: 'Own files', status: 'problem', detail: `other users can open ${paths.tokens}, which has your tokens`, hint });
  }
  return findings.length > 0 ? findings : [{ check: 'Own files', status: 'ok', detail: 'nobody else can change your files' }];
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
        // Without a keychain svc stores tokens in files. A missing keychain is therefore only a problem with SVC_TOKEN_STORE=keychain.
        status: forced === 'keychain' || isSilent ? 'problem' : 'note',
        detail: error instanceof Error ? error.message : String(error),
        hint: isSilent ? error.hint : `Without a keychain, svc keeps tokens in ${paths.tokens}, in files that only you can read.`,
      },
    ];
  }
  // A readable keychain can still refuse a write.
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
      return `${shown}: not used, because HTTP_PROXY is for http. For https, set HTTPS_PROXY`;
    return shown || 'none';
  });
};

/** Checks DNS, TLS and the OAuth metadata. Also compares this machine’s clock with the Date header of the response. */
const service: Check = async (context) => {
  let host: Host;
  const sentAt = context.clock.now();
  try {
    host = await context.host();
    const response = await context.network.request({
      method: 'GET',
      url: `${host.origin}/.well-known/oauth-authorization-server`,
      headers: { accept: 'application/json' },
      // Another check reports unreadable settings.
      timeoutMs: await context.requestTimeoutMs().catch(() => 30_000),
      signal: context.signal,
    });
    await response.discard();
    const detail = `${host.name} answers${host.origin.startsWith('https:') ? ' with a trusted certificate' : ''}`;
    return [
      { check: 'Organisation', status: 'ok', detail },
      discoveryFinding(host.name, response.status),
      ...clockFinding(response.headers['date'], sentAt, context.clock.now()),
    ];
  } catch (error) {
    return [{ check: 'Organisation', ...problemOf(error) }];
  }
};

function discoveryFinding(host: string, status: number): Finding {
  if (status === 200) return { check: 'Sign-in service', status: 'ok', detail: 'the host has OAuth metadata' };
  const hint = status === 404 ? 'The REST API is switched off for this organisation, or the host is wrong.' : 'Try again later.';
  return { check: 'Sign-in service', status: 'problem', detail: `${host} answers ${status} for its OAuth metadata`, hint };
}

/**
 * Reports a clock that differs by more than 30 s, because access tokens would expire early or late. The duration of the request does not
 * count as a difference.
 */
function clockFinding(date: string | undefined, sentAt: number, receivedAt: number): Finding[] {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return [];
  const off = theirs < sentAt - 1000 ? sentAt - theirs : theirs > receivedAt + 1000 ? theirs - receivedAt : 0;
  if (off <= 30_000) return [{ check: 'Clock', status: 'ok', detail: 'agrees with the service' }];
  const hint = 'Set this machine’s clock, or turn on network time.';
  return [{ check: 'Clock', status: 'problem', detail: `${Math.round(off / 1000)} s different from the service`, hint }];
}

const signIn: Check = async (context) => {
  const host = await context.host().catch(() => undefined);
  if (host === undefined) return [];
  if (tokenInEnvironment(context.env) === undefined) {
    const found = await context
      .accounts()
      .then((accounts) => accounts.find(signInName(host)))
      .catch((error: unknown) => error);
    if (found === undefined)
      return [
        { check: 'Sign-in', status: 'problem', detail: `not signed in to ${signInName(host)}`, hint: `Sign in: svc login ${host.name}` },
      ];
    if (found instanceof Error) return [{ check: 'Sign-in', ...problemOf(found) }];
  }
  return attempt('Sign-in', async () => {
    await requestMe(await context.client());
    const who = (await context.account())?.user_name;
    return `${signInName(host)}${who === undefined ? '' : ` as ${who}`}${tokenInEnvironment(context.env) === undefined ? '' : ', with SVC_TOKEN'}`;
  });
};

/** The time in milliseconds before the expiry of a token at which doctor warns. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;

const personalToken: Check = async (context) => {
  const host = await context.host().catch(() => undefined);
  if (host === undefined || tokenInEnvironment(context.env) !== undefined) return [];
  const found = await context
    .accounts()
    .then((accounts) => accounts.find(signInName(host)))
    .catch(() => undefined);
  if (found === undefined) return [];
  const check = 'Personal access token';
  const { personal } = found.record;
  const set = `svc token set --host ${host.name}`;
  if (personal === undefined) return [{ check, status: 'note', detail: 'none, so you cannot delete or upload', hint: set }];
  const { expires } = personal;
  const dayAfter = (ms: number) => new Date(context.clock.now() + ms).toISOString().slice(0, 10);
  const hint = `Roll the token in the web app, then: ${set}`;
  if (expires === undefined) return [{ check, status: 'ok', detail: 'there' }];
  if (expires < dayAfter(0)) return [{ check, status: 'problem', detail: `expired on ${expires}`, hint }];
  if (expires <= dayAfter(SOON_MS)) return [{ check, status: 'note', detail: `expires on ${expires}`, hint }];
  return [{ check, status: 'ok', detail: `expires on ${expires}` }];
};

/** The checks in groups. svc runs the groups one after the other, and the checks of a group at the same time. */
const CHECKS: readonly (readonly (readonly [string, Check])[])[] = [
  [['Node', node]],
  [['Settings', settings]],
  [['Own files', ownFiles]],
  [['Keychain', keychain]],
  [['Proxy', proxy]],
  [
    ['Organisation', service],
    ['Sign-in', signIn],
  ],
  [['Personal access token', personalToken]],
];

async function attempt(check: string, inspect: () => Promise<string>): Promise<readonly Finding[]> {
  try {
    return [{ check, status: 'ok', detail: await inspect() }];
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

function withoutPassword(address: string): string {
  return address.replace(/^([^/]*\/\/)?[^/]*@/, '$1***@');
}
