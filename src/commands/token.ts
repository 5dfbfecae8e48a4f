import { naming } from '../cli/naming.ts';
import { defineCommand, defineGroup, text } from '../cli/spec.ts';
import { SignInError, UsageError } from '../errors.ts';
import type { Context, Needs } from '../session/context.ts';
import { warnEnvironmentToken } from '../session/environment.ts';
import { type Printing, printRecord } from '../session/print.ts';
import { hostFlag } from '../session/printed-command.ts';
import { readSecret } from '../session/read-arguments.ts';
import { parseCalendarDate, today } from '../values/dates.ts';
import { homePath } from '../values/paths.ts';
import { DEFAULT_ACCOUNT, signInName } from '../values/sign-in-names.ts';
import { utcSeconds } from '../values/temporal.ts';

const set = defineCommand({
  name: 'set',
  summary: 'Store a personal access token',
  description:
    'svc asks for the token without showing your input, or reads the token from standard input. Never type a token as an argument. Make a token in the web app, under API tokens. To delete records, give the token the Delete scope. svc checks the token with the service, and stores the token with the sign-in.',
  options: {
    expires: text('--expires <date>', 'Record the expiry date that the web app shows, so that svc can warn you', { type: 'date' }),
  },
  examples: [
    { args: 'token set --expires 2026-12-31', does: 'Store the token that you type' },
    { args: 'token set < token.txt', does: 'Store the token from a file' },
  ],
  async run(context: Context, { options }) {
    const host = await context.host().catch((error: unknown) => {
      if (!(error instanceof SignInError)) throw error;
      throw new SignInError(error.message, { hint: 'Sign in first: svc login <host>. Or name the host: svc token set --host <host>' });
    });
    const expires = options.expires === undefined ? undefined : await readExpiry(context, options.expires);
    const token = await readSecret(context, `Personal access token for ${signInName(host)}:`, 'svc token set');
    const { storePersonalToken } = await import('../session/sign-in-flow.ts');
    const { account, store } = await storePersonalToken(context, host, token, { expires, alone: false });
    const where = context.stdio.stderr.isTTY ? homePath(store.where, context.system.home) : store.where;
    const owner = account?.user_name === undefined ? '' : ` of ${account.user_name}`;
    await context.notice(`The personal access token${owner} for ${signInName(host)} is kept in: ${where}`);
    if (expires === undefined) {
      const again = `svc token set --expires <date>${await hostFlag(context)}`;
      await context.notice(`svc does not know when the token expires. To record the date, store the token again: ${again}`);
    }
    await warnEnvironmentToken(context);
  },
});

async function readExpiry(context: Needs<'dates'>, typed: string): Promise<string> {
  const dates = await context.dates();
  const expires = await naming('--expires', () => parseCalendarDate(typed, dates));
  if (expires < today(dates))
    throw new UsageError(`--expires: ${expires} is in the past.`, { hint: 'Roll the token in the web app, and use its new date.' });
  return expires;
}

const status = defineCommand({
  name: 'status',
  summary: 'Show whether a token is stored, and when the token expires',
  examples: [{ args: 'token status', does: 'Show the token of the default organisation' }],
  async run(context: Needs<Printing | 'accounts' | 'host'>) {
    const host = await context.host();
    const found = await (await context.accounts()).find(signInName(host));
    const personal = found?.record.personal;
    if (found === undefined || personal === undefined) throw noToken(signInName(host));
    const { added_at, expires = null } = personal;
    await printRecord(context, {
      host: host.name,
      account: host.account ?? DEFAULT_ACCOUNT,
      added: utcSeconds(added_at),
      expires,
      kept_in: found.store.where,
    });
  },
});

const remove = defineCommand({
  name: 'remove',
  summary: 'Delete the personal access token from this machine',
  description: 'svc deletes the token from this machine. The token stays valid until you revoke the token in the web app.',
  examples: [{ args: 'token remove', does: 'Delete the token' }],
  async run(context: Needs<'accounts' | 'host' | 'notice'>) {
    const host = await context.host();
    const accounts = await context.accounts();
    let had = false;
    if ((await accounts.find(signInName(host))) !== undefined) {
      await accounts.update(signInName(host), (record) => {
        if (record === undefined) return undefined;
        const { personal, ...rest } = record;
        had = personal !== undefined;
        return rest.grant === undefined ? undefined : rest;
      });
    }
    if (!had) throw noToken(signInName(host));
    await context.notice(
      `The personal access token for ${signInName(host)} is no longer on this machine. The token stays valid until you revoke it in the web app.`,
    );
  },
});

function noToken(host: string): SignInError {
  return new SignInError(`There is no personal access token for ${host}.`, {
    hint: 'Make a token in the web app, under API tokens, then: svc token set',
  });
}

export const token = defineGroup<Context>({
  name: 'token',
  summary: 'Manage the personal access token, which deleting and uploading need',
  commands: [set, status, remove],
});
