import { parsed } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import { parseInteger } from '../values/integer.ts';

/** Units that looking for what is gone may spend, unless told otherwise: a third of what a token has in a minute. */
export const BUDGET = 200;

/** `--budget` of whatever brings a copy up to date. */
export const budgetOption = parsed('--budget <units>', `Units that looking for what is gone may spend (default ${BUDGET})`, parseInteger);

/** @throws UsageError for one below 0. */
export function givenBudget(given: number | undefined): number {
  const budget = given ?? BUDGET;
  if (budget < 0) throw new UsageError('A budget is no less than 0 units.', { hint: 'For example: --budget 200' });
  return budget;
}
