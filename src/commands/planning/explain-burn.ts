import { budgetName } from '../../records/budgets.ts';
import type { Needs } from '../../session/context.ts';
import { oppositeStep } from '../../time/figure-step.ts';
import type { End } from '../../time/forecast.ts';
import { type ExplainedFigure, type Explaining, explainFigures } from '../explain-figures.ts';
import type { BurnLine } from './forecast-budgets.ts';

/**
 * Prints the steps that lead to the time left of a budget. For a budget without a limit, prints the steps to the spent time. Then prints
 * the time that each person uses until the projected end.
 */
export async function explainBurn(context: Needs<Explaining>, { budget, burn, forecast }: BurnLine): Promise<void> {
  const left: ExplainedFigure =
    budget.budget === null
      ? { figure: 'spent_minutes', label: 'Spent', steps: burn.steps.map(oppositeStep) }
      : { figure: 'left_minutes', label: 'Left', steps: burn.steps };
  const { earliest, latest, steps = { earliest: [], latest: [] } } = forecast ?? {};
  const ahead = forecast === undefined ? [] : [{ figure: 'projected_earliest', label: labelOf(earliest), steps: steps.earliest }];
  await explainFigures(context, {
    title: `Budget ${budgetName(budget)}`,
    subject: { id: budget.id, name: budget.name, projected_earliest: earliest ?? null, projected_latest: latest ?? null },
    figures: [
      left,
      ...ahead,
      ...(earliest === latest ? [] : [{ figure: 'projected_latest', label: labelOf(latest), steps: steps.latest }]),
    ],
  });
}

function labelOf(end: End): string {
  return end === null ? 'Used up within two years' : end === undefined ? 'Used up by a day that is unknown' : `Used up by ${end}`;
}
