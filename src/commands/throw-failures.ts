import { exitCodeOf, PartialError, type SvcError } from '../errors.ts';

/**
 * Throws the failures of a command for several records. Without a failure, throws nothing. If no record succeeded and all failures have one
 * exit code, svc throws the first failure.
 *
 * @throws PartialError for any other failures, with the message, and with a line for each failure.
 */
export function throwFailures(
  failures: readonly SvcError[],
  done: number,
  message: string,
  hint: string,
  lines = failures.map((failure) => failure.message),
): void {
  const [first] = failures;
  if (first === undefined) return;
  if (done === 0 && failures.every((failure) => exitCodeOf(failure) === exitCodeOf(first))) throw first;
  throw new PartialError(message, { hint, details: { lines } });
}
