import { assumedFilters } from '../../client/assumed.ts';
import { readPage } from '../../client/pages.ts';
import { ForbiddenError, RefusedError, undefinedFor } from '../../errors.ts';
import { type FindingDifferences, SUMMARY, type Subject } from './differences.ts';

export type Counting = ReturnType<typeof countingOf>;

/**
 * Creates the row counter of a resource (rules 8.21, 15.22). A count costs one rate-limit unit if every list has a total, or three with a
 * request for the total.
 *
 * @param isCounted True if each list of this resource has a total that svc did not request.
 */
export function countingOf({ client, context }: Pick<FindingDifferences, 'client' | 'context'>, path: string, isCounted: boolean) {
  const ask = async (query: Subject['filter']) => {
    const total = isCounted ? [] : [['with_total', '1'] as const];
    const request = { method: 'GET', path, query: [...query, ...total], assumed: assumedFilters(query), signal: context.signal };
    const response = await client.send(request).catch(undefinedFor(RefusedError, ForbiddenError));
    return response && readPage(client, path, response);
  };
  return {
    units: isCounted ? 1 : 3,
    /** Returns the number of rows. Undefined if the service does not count rows, or refuses the request. */
    count: async (filter: Subject['filter']) => (await ask([...filter, ['per_page', '1']]))?.total,
    /** Reads the first page of ids, for the same number of rate-limit units. Returns undefined if the service refuses the request. */
    firstPage: (filter: Subject['filter']) => ask([...SUMMARY, ...filter]),
  };
}
