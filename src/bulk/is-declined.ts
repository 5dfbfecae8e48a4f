import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';

/** Whether the service says no to what was asked of one collection: it is not there, not allowed, or not taken. The next one may well answer. */
export function isDeclined(error: unknown): error is ForbiddenError | NotFoundError | RefusedError {
  return error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError;
}
