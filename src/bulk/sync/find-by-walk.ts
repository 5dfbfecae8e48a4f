import { z } from 'zod';
import { pages } from '../../client/pages.ts';
import { RefusedError } from '../../errors.ts';
import { ascendingIds, compare, type IdDifferences, type Looking, placeOf, SUMMARY, type Subject } from './differences.ts';
import { answerMoment } from './run.ts';

/** A walk that the budget ended. */
const unfinished = z.object({
  next: z.string(),
  /** The last id that was seen. */
  after: z.number(),
  /** The service's clock when it began. */
  began: z.string(),
});

/** How far a walk came. */
export interface WalkOutcome {
  /** When it began, at its end: what was there then was seen. Undefined before. */
  readonly at: string | undefined;
  /** Keeps where it goes on; to be called when the mirror has what it found. */
  readonly keep: () => Promise<void>;
}

/**
 * Finds what differs by reading every id: where rows are not counted, or numbers do not lead to all of them. Where the budget ends, the
 * next run goes on from there.
 */
export async function findByWalk(look: Looking, { noun, path, known }: Subject, found: IdDifferences): Promise<WalkOutcome> {
  const { client, mirror, budget, context } = look;
  const name = walkName(noun);
  const kept = readUnfinished(await mirror.kept(name));
  let at: z.infer<typeof unfinished> | undefined = kept;
  const ended = (moment?: string): WalkOutcome => ({
    at: moment,
    keep: async () => {
      if (moment !== undefined || at !== undefined) await mirror.keep(name, moment === undefined ? JSON.stringify(at) : undefined);
    },
  });
  if (budget.left() < 1) return ended();
  const request = kept === undefined ? { path, query: SUMMARY } : { path: kept.next };
  try {
    for await (const { rows, next, response } of pages(client, { method: 'GET', ...request, signal: context.signal }, { patient: true })) {
      const began = at?.began ?? answerMoment(response.headers, context.clock.now());
      const after = at?.after ?? Number.NEGATIVE_INFINITY;
      const ids = ascendingIds(rows);
      // In another order nothing is known of what lies between two ids.
      if (ids === undefined || (ids[0] ?? Number.POSITIVE_INFINITY) <= after) return ended();
      const last = next === undefined ? Number.POSITIVE_INFINITY : (ids.at(-1) ?? after);
      const isUpTo = (end: number) => placeOf(known, ({ id }) => id <= end);
      compare(known.slice(isUpTo(after), isUpTo(last)), ids, found);
      if (next === undefined) return ended(began);
      at = { next, after: last, began };
      if (budget.left() < 1) return ended();
    }
  } catch (error) {
    // A cursor does not live for ever: it begins anew.
    if (kept === undefined || !(error instanceof RefusedError) || error.details.type !== 'invalid-cursor') throw error;
    await mirror.keep(name, undefined);
    return findByWalk(look, { noun, path, filter: [], known }, found);
  }
  return ended();
}

/** Forgets a walk that was not at its end: what it looked for is known otherwise. */
export async function forgetWalk({ mirror }: Pick<Looking, 'mirror'>, noun: string): Promise<void> {
  if ((await mirror.kept(walkName(noun))) !== undefined) await mirror.keep(walkName(noun), undefined);
}

function walkName(noun: string): string {
  return `walk ${noun}`;
}

function readUnfinished(text: string | undefined) {
  try {
    return unfinished.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
