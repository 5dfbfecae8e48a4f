import { SignInError, type SvcError, withMore } from '../errors.ts';

/**
 * What is thrown when a token was refused and there is no better one, with what the service said of its refusal: the type,
 * code, parameter and id of the request. The error's own words and code stay.
 *
 * @param error What asking for another credential ended with; anything but a sign-in error passes as it is.
 * @param refusal The error that the 401 alone would have been; undefined when none came before.
 */
export function afterRefusal(error: unknown, refusal: SvcError | undefined): unknown {
  if (refusal === undefined || !(error instanceof SignInError)) return error;
  const own = Object.fromEntries(Object.entries(error.details).filter(([, value]) => value !== undefined));
  return withMore(error, { ...refusal.details, ...own, lines: refusal.details.lines });
}
