import { defineCommand } from '../cli/spec.ts';
import { type Query, requestCost } from '../client/cost.ts';
import { ForbiddenError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { Printing } from '../session/print.ts';
import { printRecords } from '../session/print.ts';
import { type AskingAlone, serviceAlone } from '../session/service-alone.ts';
import { askMe } from '../session/who-am-i.ts';
import { MOST_NAMES } from './nouns/table-view.ts';

/** `svc limits`: what the `RateLimit` headers of one small request say. */
export const limits = defineCommand({
  name: 'limits',
  summary: 'Show how much of the rate limit is left',
  description:
    'svc reads your own user record (1 rate-limit unit), and prints the budget in the answer: remaining units, and seconds until the budget is full. The service reports the tightest budget of the kind that a request used. A read therefore shows the budget for reading. Names in tables cost units too: one for each relation of a page, at most three.',
  examples: [
    { args: 'limits', does: 'Show the remaining budget' },
    { args: "limits --jq '.[0].remaining'", does: 'Print the remaining units, for a script' },
  ],
  async run(context: Needs<Printing | AskingAlone | 'client'>) {
    await serviceAlone(context, 'The limits are in what the service answers');
    const client = await context.client();
    const { error } = await askMe(client, true);
    // A narrowed token may not read this, and its answer tells the budget all the same.
    if (error !== undefined && !(error instanceof ForbiddenError)) throw error;
    const buckets = client.limits();
    const reading = buckets.find(({ kind }) => kind === 'read');
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
    if (reading !== undefined && (await context.presentation()).isUnasked) await context.notice(pagesFor(reading.remaining));
  },
});

/** What reading costs, with names and without (rules 15.16, 15.19), and how far the units that are left go. */
function pagesFor(left: number): string {
  const pages = (relations: readonly string[]) => {
    const query: Query = relations.length === 0 ? [] : [['include', relations.join(',')]];
    const cost = requestCost({ method: 'GET', query, toMany: new Set() });
    return { cost, count: Math.floor(left / cost) };
  };
  const [plain, named] = [pages([]), pages(['a', 'b', 'c'].slice(0, MOST_NAMES))];
  return `A page of a list costs ${plain.cost} unit, and with names, as a table has them, up to ${named.cost}: ${named.count} to ${plain.count} pages of 100 rows are left. Without names: --columns ids; what a list would cost: --dry-run`;
}
