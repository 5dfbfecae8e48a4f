import { assumedFilters } from '../../client/assumed.ts';
import { type Page, readPage } from '../../client/pages.ts';
import { ForbiddenError, RefusedError } from '../../errors.ts';
import { type Looking, SUMMARY, type Subject } from './differences.ts';

/** How many rows a collection has: a unit where it counts them anyway, three where it has to be asked to (rules 8.21, 15.22). */
export interface Counting {
  readonly units: number;
  /** Undefined where the service will not say. */
  readonly count: (filter: Subject['filter']) => Promise<number | undefined>;
  /** The first page of ids, for the same units; undefined where the service refuses it. */
  readonly firstPage: (filter: Subject['filter']) => Promise<Page | undefined>;
}

/** @param isCounted Whether the collection counts its rows without being asked to. */
export function countingOf({ client, context }: Pick<Looking, 'client' | 'context'>, path: string, isCounted: boolean): Counting {
  const ask = async (query: Subject['filter']) => {
    const total = isCounted ? [] : [['with_total', '1'] as const];
    try {
      const assumed = assumedFilters(query);
      return readPage(
        client,
        path,
        await client.send({ method: 'GET', path, query: [...query, ...total], assumed, signal: context.signal }),
      );
    } catch (error) {
      if (error instanceof RefusedError || error instanceof ForbiddenError) return undefined;
      throw error;
    }
  };
  return {
    units: isCounted ? 1 : 3,
    count: async (filter) => (await ask([...filter, ['per_page', '1']]))?.total,
    firstPage: (filter) => ask([...SUMMARY, ...filter]),
  };
}
