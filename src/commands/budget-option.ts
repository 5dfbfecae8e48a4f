import { parsed } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import { parseInteger } from '../values/integer.ts';

/** The rate-limit units that a sync spends on finding deleted records, by default: a third of what a token has in a minute. */
export const BUDGET = 200;

/** `--max-units` of the commands that update the local database. */
export const budgetOption = parsed(
  '--max-units <units>',
  `Spend at most this many rate-limit units on finding deleted records (default: ${BUDGET})`,
  parseInteger,
);

/** @throws UsageError for one below 0. */
export function givenBudget(given: number | undefined): number {
  const budget = given ?? BUDGET;
  if (budget < 0) throw new UsageError('--max-units takes 0 or more.', { hint: 'For example: --max-units 200' });
  return budget;
}
