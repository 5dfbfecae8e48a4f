import { ForbiddenError, NotInCopyError, RefusedError, UsageError } from '../../errors.ts';
import type { SeenRefusal } from './manner.ts';

// What a copy says where it does not answer.

const ELSEWHERE = 'Ask the service (without --offline), or the copy in SQL: svc sql --schema';

/** The copy cannot tell what the service would answer. @param what a sentence without its full stop. @param first what else to do. */
export function cannotTell(what: string, first?: string): UsageError {
  return new UsageError(`${what}.`, { hint: first === undefined ? ELSEWHERE : `${first} ${ELSEWHERE}` });
}

/** A search is the service's own; what looks for names reads all of them instead. */
export function cannotSearch(): NotInCopyError {
  return new NotInCopyError('Your copy cannot search as the service would.', 'q', `Leave --search out. ${ELSEWHERE}`);
}

/** The service refused the same when the copy was made. @param parameter of the query. */
export function refusedThen(parameter: string): RefusedError {
  return new RefusedError(`The service did not take ${parameter} here when your copy was made.`, {
    hint: 'See what it takes: svc <noun> list --help',
    details: { status: 400, type: 'unsupported-parameter', parameter },
  });
}

/** One was not allowed to ask for it when the copy was made. */
export function forbiddenThen({ message, type }: SeenRefusal): ForbiddenError {
  return new ForbiddenError(message, { hint: AS_IT_WAS, details: { status: 403, type } });
}

/** Of what the service said then. */
export const AS_IT_WAS = 'That is how it was when your copy was made; to renew it: svc sync';
