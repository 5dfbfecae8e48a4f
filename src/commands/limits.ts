import { defineCommand } from '../cli/spec.ts';
import { ForbiddenError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { Printing } from '../session/print.ts';
import { printRecords } from '../session/print.ts';
import { askMe } from '../session/who-am-i.ts';

/** `svc limits`: what the `RateLimit` headers of one small request say. */
export const limits = defineCommand({
  name: 'limits',
  summary: 'How much of the rate limit is left',
  description:
    'Asks for your own user record (1 unit) and prints what the answer says of the budget: units left, and seconds until it is full again. The service tells the tightest budget of the kind that was spent, so a read shows the one for reading; writes have their own, seen after a write.',
  examples: [
    { args: 'limits', does: 'What is left' },
    { args: "limits --jq '.[0].remaining'", does: 'The units left, for a script' },
  ],
  async run(context: Needs<Printing | 'client'>) {
    const client = await context.client();
    const { error } = await askMe(client, true);
    // A narrowed token may not read this, and its answer tells the budget all the same.
    if (error !== undefined && !(error instanceof ForbiddenError)) throw error;
    const buckets = client.limits();
    if (buckets.length === 0) await context.notice('The service said nothing about its rate limit.');
    await printRecords(
      context,
      buckets.map(({ kind, limit, remaining, reset, window }) => ({
        kind,
        limit: limit ?? null,
        remaining,
        reset,
        window: window ?? null,
      })),
      ['kind', 'limit', 'remaining', 'reset', 'window'],
    );
  },
});
