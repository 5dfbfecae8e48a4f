import { endsSoon } from '../auth/expiry.ts';
import { refreshGrant } from '../auth/refresh.ts';
import { defineCommand } from '../cli/spec.ts';
import type { Needs } from '../session/context.ts';
import { RENEW } from '../session/identity.ts';
import { signInName } from '../values/sign-in-names.ts';

export const renew = defineCommand({
  showsGlobals: ['host'],
  description: 'svc renews an access token that ends within a minute. svc leaves any other token unchanged, and waits for no other svc.',
  examples: [{ args: RENEW, does: 'Start the renewal, as svc does in the background' }],
  async run(context: Needs<'accounts' | 'clock' | 'host' | 'interrupts' | 'network' | 'system'>) {
    const [host, accounts] = [await context.host(), await context.accounts()];
    const grant = (await accounts.find(signInName(host)))?.record.grant;
    if (grant === undefined || !endsSoon(grant, context.clock.now())) return;
    await refreshGrant(host, grant.access_token, context, { accounts, early: true, userAgent: `svc/${context.system.version}` });
  },
});
