import { ForbiddenError, NotFoundError } from '../../errors.ts';

/** Whether an answer says that there is nothing for this person to see: a narrower token alone is another matter. */
export function isHidden(error: unknown): error is ForbiddenError | NotFoundError {
  return error instanceof NotFoundError || (error instanceof ForbiddenError && error.details.type === 'insufficient-permission');
}
