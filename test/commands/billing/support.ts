import type { Deps } from '../../../src/deps.ts';
import type { JsonObject } from '../../../src/values/json.ts';
import { type PinnedSandbox, signInAt } from '../../time/support.ts';

/** A sandbox in June 2025. All hours in 2030 come from a test. */
export interface Books extends PinnedSandbox {
  /** Logs minutes, and returns the id of the entry. */
  log(date: string, minutes: number, fields: JsonObject): Promise<number>;
  /** Sets fields of an entry that only the service can set. */
  mark(id: number, fields: JsonObject): void;
}

export async function openBooks(options: Parameters<typeof signInAt>[1] = {}): Promise<Books> {
  const here = await signInAt('2025-06-18T10:00:00Z', options);
  return {
    ...here,
    log: (date, minutes, fields) => here.addRecord('/worklogs', { date, minutes, description: 'Not for customers', ...fields }),
    mark(id, fields) {
      Object.assign(here.sandbox.rows('worklogs').find((row) => row.id === id) ?? {}, fields);
    },
  };
}

/** Removes some fields of the records from the answers to a GET of this path. `isHidden` selects the records. Default: all records. */
export function hiding(
  path: string,
  fields: readonly string[],
  isHidden: (record: Readonly<Record<string, unknown>>) => boolean = () => true,
): (deps: Deps) => Deps {
  return changingAnswers('GET', (pathname, answer) => {
    if (pathname !== `/api/v2${path}`) return;
    for (const record of (answer as { readonly data: Record<string, unknown>[] }).data.filter(isHidden))
      for (const field of fields) delete record[field];
  });
}

/** Changes the answers to requests of a method, except refusals. */
export function changingAnswers(
  method: 'GET' | 'POST',
  change: (pathname: string, answer: { data?: object }) => void,
): (deps: Deps) => Deps {
  return (deps) => ({
    ...deps,
    network: {
      ...deps.network,
      async request(request) {
        const response = await deps.network.request(request);
        if (request.method !== method || response.status >= 300) return response;
        const answer = JSON.parse(await response.text()) as { data?: object };
        change(new URL(request.url).pathname, answer);
        const bytes = Buffer.from(JSON.stringify(answer));
        return {
          ...response,
          body: (async function* () {
            yield bytes;
          })(),
          bytes: async () => bytes,
          text: async () => bytes.toString(),
          discard: async () => undefined,
        };
      },
    },
  });
}

/**
 * Logs 50 and 20 minutes on a work item, 45 on none, and 15 at the rate of a budget. Adds entries that are not billable, over budget or
 * billed.
 */
export async function logApril(
  here: Books,
  { shop, dear, item }: { readonly shop: number; readonly dear: number; readonly item: number },
): Promise<void> {
  await here.log('2030-04-01', 50, { work_item_id: item, user_id: 1 });
  await here.log('2030-04-03', 20, { work_item_id: item, user_id: 3 });
  await here.log('2030-04-02', 45, { project_id: shop, user_id: 3 });
  await here.log('2030-04-03', 15, { project_id: shop, budget_id: dear, user_id: 1 });
  await here.log('2030-04-04', 10, { project_id: shop, is_not_billable: true, user_id: 1 });
  here.mark(await here.log('2030-04-04', 25, { project_id: shop, user_id: 1 }), { exceeded_budget: true });
  here.mark(await here.log('2030-04-04', 60, { project_id: shop, user_id: 1 }), { invoice_id: 1 });
  await here.log('2030-04-05', 999, { project_id: 1, user_id: 1 });
}
