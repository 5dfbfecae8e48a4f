import { countPage, readPage } from '../../client/pages.ts';
import { ForbiddenError, RefusedError } from '../../errors.ts';
import type { Looking, Subject } from './differences.ts';

/** How many rows a collection has: a unit where it counts them anyway, three where it has to be asked to (rules 8.21, 15.22). */
export interface Counting {
  readonly units: number;
  /** Undefined where the service will not say. */
  readonly count: (filter: Subject['filter']) => Promise<number | undefined>;
}

/** @param isCounted Whether the collection counts its rows without being asked to. */
export function countingOf({ client, context }: Pick<Looking, 'client' | 'context'>, path: string, isCounted: boolean): Counting {
  const { signal } = context;
  const ask = async (filter: Subject['filter']) => {
    if (!isCounted) return countPage(client, path, filter, signal);
    return readPage(client, path, await client.send({ method: 'GET', path, query: [...filter, ['per_page', '1']], signal }));
  };
  return {
    units: isCounted ? 1 : 3,
    async count(filter) {
      try {
        return (await ask(filter)).total;
      } catch (error) {
        if (error instanceof RefusedError || error instanceof ForbiddenError) return undefined;
        throw error;
      }
    },
  };
}
