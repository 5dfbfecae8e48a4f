import { refreshGrant, type SignedInRecord } from '../auth/refresh.ts';
import { SignInError } from '../errors.ts';
import type { Host } from '../values/host.ts';
import type { Needs } from './context.ts';
import type { SigningIn } from './sign-in-flow.ts';
import { signInWithBrowser } from './sign-in-flow.ts';

/**
 * Renews the host's access token. A registration that the service deleted (rule 13.74) needs a new sign-in. At a terminal that happens at
 * once, and the command continues; elsewhere the error names the command to type.
 */
export async function refreshOrSignIn(context: Needs<SigningIn>, host: Host, stale: string): Promise<SignedInRecord> {
  const accounts = await context.accounts();
  const before = context.interactive ? (await accounts.find(host.name))?.record.grant?.scope : undefined;
  try {
    return await refreshGrant(host, stale, context, { accounts, userAgent: `svc/${context.system.version}` });
  } catch (error) {
    if (before === undefined || !(error instanceof SignInError) || error.details.code !== 'invalid_client') throw error;
    context.notify(error.message);
    return signInWithBrowser(context, host, { scopes: before, mode: 'browser' });
  }
}
