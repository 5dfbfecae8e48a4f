import { RefusedError } from '../errors.ts';

/** Whether a failure says that the service will not add a relation to records (400). How it names the parameter is not documented (rule 18.16). */
export function isAboutInclude(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { parameter } = error.details;
  return parameter === undefined ? /\binclude/.test(error.message) : parameter.startsWith('include');
}

/** Whether the service refuses the question itself (400). */
export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof RefusedError && error.details.status === 400;
}
