import { endsSoon } from '../auth/expiry.ts';
import { refreshGrant } from '../auth/refresh.ts';
import { defineCommand } from '../cli/spec.ts';
import type { Needs } from '../session/context.ts';
import { RENEW } from '../session/identity.ts';

/** `svc __renew`: svc starts it in the background of a command whose access token is about to end, so that no command waits for its renewal. */
export const renew = defineCommand({
  name: RENEW,
  showsGlobals: ['host'],
  summary: 'Renew a sign-in that is about to end, for svc itself',
  description:
    'Renews the access token of a sign-in in the last minute of its life. Does nothing where it lives longer, or where another svc is at it.',
  examples: [{ args: RENEW, does: 'What svc starts in the background' }],
  async run(context: Needs<'accounts' | 'clock' | 'host' | 'interrupts' | 'network' | 'system'>) {
    const [host, accounts] = [await context.host(), await context.accounts()];
    const grant = (await accounts.find(host.name))?.record.grant;
    if (grant === undefined || !endsSoon(grant, context.clock.now())) return;
    await refreshGrant(host, grant.access_token, context, { accounts, early: true, userAgent: `svc/${context.system.version}` });
  },
});
