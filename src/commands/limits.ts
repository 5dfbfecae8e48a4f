import { defineCommand } from '../cli/spec.ts';
import { ForbiddenError } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { printRecords } from '../session/print.ts';

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
  async run(context: Context) {
    const client = await context.client();
    const { error } = await client.send({ method: 'GET', path: '/me', keepProblem: true });
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
