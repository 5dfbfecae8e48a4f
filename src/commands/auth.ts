import type { StoredRecord } from '../auth/accounts.ts';
import { refreshGrant } from '../auth/refresh.ts';
import { SignInError, SvcError } from '../errors.ts';
import { parseHost } from '../values/host.ts';
import type { JsonObject } from '../values/json.ts';
import { type Context, tokenInEnvironment } from './context.ts';
import { defineCommand, defineGroup, entryOf, toggle } from './define.ts';
import { printRecord, printRecords, printText } from './print.ts';
import { refreshOrSignIn } from './refresh-flow.ts';

const GROUP = 'Commands';
/** A refresh token lasts this long from the last refresh (rule 13.69). */
const IDLE_MS = 30 * 24 * 60 * 60 * 1000;

const status = defineCommand({
  name: 'status',
  summary: 'Where you are signed in, as whom, with what, until when',
  description:
    'Reads what is kept on this machine, for every organisation, or for the one given with --host. Exits with 4 when you are not signed in.',
  options: { check: toggle('--check', 'Ask the service whether each sign-in works') },
  examples: [
    { args: 'auth status', does: 'Every sign-in' },
    { args: 'auth status --check --host acme.example.com', does: 'Whether this one still works' },
  ],
  async run(context, { options }) {
    if (tokenInEnvironment(context.deps.env) !== undefined)
      await context.notice('SVC_TOKEN is set, and is used for every request instead of what follows.');
    const accounts = await context.accounts();
    const wanted = context.globals.host === undefined ? undefined : parseHost(context.globals.host).name;
    const hosts = (await accounts.hosts()).filter(({ host }) => wanted === undefined || host === wanted);
    if (hosts.length === 0) {
      throw new SignInError(wanted === undefined ? 'You are not signed in.' : `You are not signed in to ${wanted}.`, {
        hint: `Sign in: svc login ${wanted ?? '<host>'}`,
      });
    }
    const rows: JsonObject[] = [];
    const failures: SvcError[] = [];
    for (const { host, where } of hosts) {
      try {
        const found = await accounts.find(host);
        if (found === undefined) continue;
        const row = await describe(context, found);
        rows.push(options.check ? { ...row, check: await check(context, found) } : row);
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        rows.push({ host, kept_in: where, problem: error.message });
        failures.push(error);
      }
    }
    const [only] = rows;
    if (rows.length === 1 && only !== undefined && context.globals.output === undefined && context.deps.stdio.stdout.isTTY)
      await printRecord(context, only);
    else
      await printRecords(context, rows, [
        'host',
        'default',
        'user',
        'scopes',
        'access_token_expires',
        'sign_in_goes_idle',
        'personal_token',
        'kept_in',
      ]);
    const broken = failures[0] ?? rows.find((row) => row['check'] !== undefined && row['check'] !== 'ok');
    if (broken instanceof SvcError) throw broken;
    if (broken !== undefined)
      throw new SignInError(`${broken['host']}: ${broken['check']}`, { hint: `Sign in again: svc login ${broken['host']}` });
  },
});

/** What is kept of one host, without a secret. Times are UTC to the second. */
async function describe(context: Context, { record, store }: StoredRecord): Promise<JsonObject> {
  const { grant, personal, account } = record;
  const { host: configured } = await context.settings();
  return {
    host: record.host,
    default: configured === record.host,
    user: account?.user_name ?? null,
    user_id: account?.user_id ?? null,
    scopes: grant === undefined ? null : grant.scope.join(' '),
    access_token_expires: grant === undefined ? null : utc(grant.expires_at),
    sign_in_goes_idle: grant === undefined ? null : utc(grant.issued_at + IDLE_MS),
    personal_token: personal !== undefined,
    personal_token_expires: personal?.expires ?? null,
    kept_in: store.where,
  };
}

/** `ok`, or what the service said. */
async function check(context: Context, { record }: StoredRecord): Promise<string> {
  const { createCredentialSource } = await import('../auth/credential-source.ts');
  const host = { name: record.host, origin: record.origin };
  const source = createCredentialSource({
    host,
    accounts: await context.accounts(),
    refresh: (target, stale) => refreshOrSignIn(context, target, stale),
    clock: context.deps.clock,
  });
  try {
    const client = await context.clientFor(host, source);
    await client.send({ method: 'GET', path: '/me' });
    return 'ok';
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    // A narrowed token is signed in, and may not read this.
    return error.details.status === 403 ? 'ok' : error.message;
  }
}

const switchHost = defineCommand({
  name: 'switch',
  summary: 'Make a host the default',
  args: [{ name: 'host', summary: 'A host you are signed in to' }],
  examples: [{ args: 'auth switch acme.example.com', does: 'Use this organisation from now on' }],
  async run(context, { args }) {
    const { name } = parseHost(args[0] ?? '');
    const known = (await (await context.accounts()).hosts()).map(({ host }) => host);
    if (!known.includes(name)) {
      throw new SignInError(`You are not signed in to ${name}.`, {
        hint: `Sign in: svc login ${name}${known.length === 0 ? '' : `. Signed in: ${known.join(', ')}`}`,
      });
    }
    await context.configFile.set('host', name);
    await context.notice(`${name} is now the default.`);
  },
});

const refresh = defineCommand({
  name: 'refresh',
  summary: 'Renew the access token now',
  examples: [{ args: 'auth refresh', does: 'Renew it, and start its 30 days anew' }],
  async run(context) {
    const host = await context.host();
    const accounts = await context.accounts();
    const stale = (await accounts.find(host.name))?.record.grant?.access_token ?? '';
    const { grant } = await refreshGrant(host, stale, context.deps, { accounts, userAgent: `svc/${context.deps.system.version}` });
    await context.notice(`The access token for ${host.name} is new, and lives until ${utc(grant.expires_at)}.`);
  },
});

const printToken = defineCommand({
  name: 'print-token',
  summary: 'Print a live access token, for other HTTP tools',
  description: 'Prints the secret itself. It works for an hour at most; keep it out of logs and shell history.',
  examples: [{ args: 'auth print-token', does: 'For example: curl -H "Authorization: Bearer $(svc auth print-token)" …' }],
  async run(context) {
    const credentials = await context.credentials();
    const { token } = await credentials({ method: 'GET', upload: false, signal: context.signal });
    await printText(context, `${token}\n`);
  },
});

function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** `svc auth status|switch|refresh|print-token`. */
export const auth = defineGroup({
  name: 'auth',
  summary: 'Sign-ins: status, switch, refresh, print a token',
  commands: [entryOf(status, GROUP), entryOf(switchHost, GROUP), entryOf(refresh, GROUP), entryOf(printToken, GROUP)],
});
