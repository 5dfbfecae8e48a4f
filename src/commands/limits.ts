import { defineCommand } from '../cli/spec.ts';
import { type Query, requestCost } from '../client/cost.ts';
import type { SeenBucket } from '../client/pace.ts';
import { isOrganisations } from '../client/rate-book.ts';
import { ForbiddenError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { requireService, type UsingServiceOnly } from '../session/offline.ts';
import { requestMe } from '../session/own-record.ts';
import { type Printing, printRecords } from '../session/print.ts';
import type { JsonObject } from '../values/json.ts';
import { MOST_NAMES } from './resource/table-view.ts';

export const limits = defineCommand({
  description:
    'svc reads your own user record (1 rate-limit unit), and prints the limit in the answer. The limit has the remaining rate-limit units, and the seconds until the limit is full. The answer to a read shows the read limit with the fewest rate-limit units left. svc shows the limit of your token, or of the organisation if the organisation has fewer rate-limit units left. A limit that the answer does not show is unknown. used counts the rate-limit units that everybody spent in this window. used_by_bulk counts the rate-limit units of bulk commands on this machine, such as sync. used_by_others counts all other rate-limit units. Names in tables cost rate-limit units too: one for each relation of a page, at most three.',
  examples: [
    { args: 'limits', does: 'Show the remaining rate-limit units' },
    { args: "limits --jq '.[0].remaining'", does: 'Print the remaining rate-limit units, for a script' },
  ],
  async run(context: Needs<Printing | UsingServiceOnly | 'client' | 'clock' | 'sharedLimits'>) {
    await requireService(context, 'The limits come from the service');
    const client = await context.client();
    const { error } = await requestMe(client, true);
    // A token with a narrow scope can’t read the user, but the error response has the headers too.
    if (error !== undefined && !(error instanceof ForbiddenError)) throw error;
    const buckets = client.limits();
    const reading = buckets.find(({ kind }) => kind === 'read');
    if (buckets.length === 0) await context.notice('The answer of the service shows no rate limit.');
    const sent = await (await context.sharedLimits()).update((book) => book.sent);
    const bulk = (since: number) => sent.reduce((sum, { second, read }) => sum + (second * 1000 >= since - 1000 ? read : 0), 0);
    const rows = buckets.map((bucket) => rowOf(bucket, context.clock.now(), bulk));
    const isShown = buckets.length === 0 || rows.some(({ of }) => of === 'organisation');
    const isForPerson = (await context.presentation()).reader === 'person';
    const shown = (row: JsonObject): JsonObject =>
      isForPerson ? Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? 'unknown'])) : row;
    await printRecords(context, [...rows, ...(isShown ? [] : [UNKNOWN])].map(shown), Object.keys(UNKNOWN));
    if (reading === undefined || !(await context.presentation()).isDefaultFormat) return;
    await context.notice(pagesFor(reading.remaining));
    if (!isOrganisations(reading))
      await context.notice(
        `The service shows only the limit with the fewest rate-limit units left. The use of the organisation’s limit is therefore unknown. The limit of the organisation has at least ${reading.remaining} rate-limit units left.`,
      );
  },
});

/** The printed row for the organisation’s rate limit, if the response shows only the token’s limit. */
const UNKNOWN = {
  ...{ kind: 'read', of: 'organisation', limit: null, remaining: null, reset: null, window: null },
  ...{ used: null, used_by_bulk: null, used_by_others: null },
};

/**
 * Makes the printed row of a rate limit.
 *
 * @param bulk Returns the rate-limit units that bulk commands on this machine spent on reading since a time in milliseconds.
 */
function rowOf({ kind, limit, remaining, reset, window }: SeenBucket, now: number, bulk: (since: number) => number) {
  const used = limit === undefined ? undefined : Math.max(0, limit - remaining);
  const ofBulk = used === undefined || window === undefined ? undefined : Math.min(used, bulk(now + (reset - window) * 1000));
  return {
    ...{ kind, of: limit === undefined ? null : isOrganisations({ kind, limit }) ? 'organisation' : 'token' },
    ...{ limit: limit ?? null, remaining, reset, window: window ?? null },
    ...{ used: used ?? null, used_by_bulk: ofBulk ?? null },
    used_by_others: used === undefined || ofBulk === undefined ? null : used - ofBulk,
  };
}

/** Returns sentences about the cost of a page and the pages that are left (rules 15.16, 15.19). */
function pagesFor(left: number): string {
  const pages = (relations: readonly string[]) => {
    const query: Query = relations.length === 0 ? [] : [['include', relations.join(',')]];
    const cost = requestCost({ method: 'GET', query, toMany: new Set() });
    return { cost, count: Math.floor(left / cost) };
  };
  const [plain, named] = [pages([]), pages(['a', 'b', 'c'].slice(0, MOST_NAMES))];
  return `A page costs ${plain.cost} unit, or up to ${named.cost} with the names in a table. ${named.count} to ${plain.count} pages of 100 rows are left. To leave out names: --columns ids. To see the cost of a list: --dry-run`;
}
