import type { StoredRecord } from '../auth/accounts.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { SignInError, SvcError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { environmentToken, tellEnvironmentToken } from '../session/environment.ts';
import type { Printing } from '../session/print.ts';
import { printRecord, printRecords } from '../session/print.ts';
import { refreshOrSignIn } from '../session/refresh-flow.ts';
import type { SigningIn } from '../session/sign-in-flow.ts';
import { askMe } from '../session/who-am-i.ts';
import { type Host, parseHost } from '../values/host.ts';
import type { JsonObject } from '../values/json.ts';
import { together } from '../values/together.ts';
import { utcSeconds } from '../values/utc-seconds.ts';

/** A refresh token lasts this long from the last refresh (rule 13.69). */
const IDLE_MS = 30 * 24 * 60 * 60 * 1000;

/** `svc auth status`. */
export const authStatus = defineCommand({
  name: 'status',
  summary: 'List your sign-ins: host, user, kind of token, expiry',
  description:
    'svc lists the sign-ins on this machine, for every organisation or for the one of --host. It exits with 4 if you are not signed in.',
  options: { check: toggle('--check', 'Check each sign-in with the service') },
  examples: [
    { args: 'auth status', does: 'List every sign-in' },
    { args: 'auth status --check --host acme.example.com', does: 'Check one sign-in' },
  ],
  async run(context: Needs<SigningIn | Printing | 'host'>, { options }) {
    const accounts = await context.accounts();
    const wanted = context.globals.host === undefined ? undefined : parseHost(context.globals.host).name;
    const hosts = (await accounts.hosts()).filter(({ host }) => wanted === undefined || host === wanted);
    const look = async (row: JsonObject, host: Host, token?: string): Promise<Looked> => {
      const failure = options.check ? await check(context, host, token) : undefined;
      return { row: options.check ? { ...row, check: failure?.message ?? 'ok' } : row, failure };
    };
    /** What each host is asked is asked at once; what is kept of them is read one after the other. */
    const looks: Promise<Looked>[] = [];
    const token = environmentToken(context.env);
    if (token !== undefined) {
      await tellEnvironmentToken(context);
      const host = await hostOfEnvironmentToken(context, hosts.length === 0);
      if (host !== undefined) looks.push(look(describeEnvironmentToken(host), host, token));
    }
    for (const { host, where } of hosts) {
      try {
        const found = await accounts.find(host);
        // What a sign-in that ended leaves is a client registration.
        if (found?.record.grant === undefined && found?.record.personal === undefined) continue;
        looks.push(look(await describe(context, found), { name: host, origin: found.record.origin }));
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        looks.push(Promise.resolve({ row: { host, kept_in: where, problem: error.message }, failure: error }));
      }
    }
    const looked = await together(...looks);
    const rows = looked.map(({ row }) => row);
    const failures = looked.flatMap(({ failure }) => failure ?? []);
    if (rows.length === 0) throw notSignedIn(wanted, hosts[0]?.host);
    await print(context, rows);
    if (context.env['SVC_TOKEN_STORE'] === undefined && hosts.some(({ kind }) => kind === 'file'))
      await context.notice('Tokens are kept in files only you can read, since no keychain could be used: see svc doctor.');
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  },
});

/** The state of a sign-in, as svc prints it. */
interface Looked {
  readonly row: JsonObject;
  readonly failure: SvcError | undefined;
}

const COLUMNS = ['host', 'default', 'user', 'scopes', 'access_token_expires', 'sign_in_goes_idle', 'personal_token', 'kept_in'];
/** What a person with several sign-ins asks after; what renews itself, and where it lies, are told of one. */
const COLUMNS_TO_READ = ['host', 'default', 'user', 'scopes', 'sign_in_goes_idle'];
const KINDS = { access_token_expires: 'date-time', sign_in_goes_idle: 'date-time' } as const;

/** A person with one sign-in sees it as a record; whatever reads the output sees a list always. */
async function print(context: Needs<Printing>, rows: readonly JsonObject[]): Promise<void> {
  const { isScreen, reader } = await context.presentation();
  const [only] = rows;
  if (isScreen && only !== undefined && rows.length === 1) return printRecord(context, only, { kinds: KINDS });
  const more = ['check', 'problem'].filter((name) => rows.some((row) => row[name] !== undefined));
  const columns = isScreen && reader === 'person' ? COLUMNS_TO_READ : COLUMNS;
  await printRecords(context, rows, [...columns, ...more], KINDS);
  if (columns === COLUMNS_TO_READ) await context.notice('All about one: svc auth status --host <host>');
}

function notSignedIn(wanted: string | undefined, known: string | undefined): SignInError {
  return new SignInError(wanted === undefined ? 'You are not signed in.' : `You are not signed in to ${wanted}.`, {
    hint: `Sign in: svc login ${wanted ?? known ?? '<host>'}`,
  });
}

/** The stored state of one host, without a secret. Times are UTC to the second. */
async function describe(context: Needs<'settings'>, { record, store }: StoredRecord): Promise<JsonObject> {
  const { grant, personal, account } = record;
  const { host: configured } = await context.settings();
  return {
    host: record.host,
    default: configured === record.host,
    user: account?.user_name ?? null,
    user_id: account?.user_id ?? null,
    scopes: grant === undefined ? null : grant.scope.join(' '),
    access_token_expires: grant === undefined ? null : utcSeconds(grant.expires_at),
    sign_in_goes_idle: grant === undefined ? null : utcSeconds(grant.issued_at + IDLE_MS),
    personal_token: personal !== undefined,
    personal_token_expires: personal?.expires ?? null,
    kept_in: store.where,
  };
}

/** Where `SVC_TOKEN` would be sent now. That this cannot be told matters only where there is nothing else to show. */
async function hostOfEnvironmentToken(context: Needs<'host'>, alone: boolean): Promise<Host | undefined> {
  return context.host().catch((error: unknown) => {
    if (alone || !(error instanceof SvcError)) throw error;
    return undefined;
  });
}

function describeEnvironmentToken({ name }: Host): JsonObject {
  return {
    host: name,
    default: false,
    user: null,
    user_id: null,
    scopes: null,
    access_token_expires: null,
    sign_in_goes_idle: null,
    personal_token: false,
    personal_token_expires: null,
    kept_in: 'SVC_TOKEN',
  };
}

/** Asks the service; undefined when it accepts the credential. */
async function check(context: Needs<SigningIn>, host: Host, token: string | undefined): Promise<SvcError | undefined> {
  const { createCredentialSource } = await import('../auth/credential-source.ts');
  const source = createCredentialSource({
    host,
    environmentToken: token,
    accounts: await context.accounts(),
    refresh: (target, stale) => refreshOrSignIn(context, target, stale),
    renewAhead: () => undefined,
    clock: context.clock,
  });
  try {
    await askMe(await context.clientFor(host, source));
    return undefined;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    // A narrowed token is signed in, and may not read this.
    return error.details.type === 'insufficient-token-scope' ? undefined : error;
  }
}
