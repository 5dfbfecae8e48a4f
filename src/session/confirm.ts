import { DeclinedError, UsageError } from '../errors.ts';
import type { Asking, Needs } from './context.ts';

/** The texts of a question that the user must answer before a step with consequences. */
export interface Confirmation {
  readonly question: string;
  /** The reason why the command stops without a terminal, because svc can’t ask the user. */
  readonly unasked: string;
  /** The error if the user declines: `The file is unchanged.` */
  readonly declined: string;
}

/**
 * Asks the user to confirm at a terminal. `--yes` answers the question.
 * @throws DeclinedError if the user declines; UsageError without a terminal and without `--yes`.
 */
export async function confirm(context: Needs<Asking | 'globals'>, { question, unasked, declined }: Confirmation): Promise<void> {
  if (context.globals.yes) return;
  if (!context.interactive) throw new UsageError(unasked, { hint: 'Add --yes if you are sure.' });
  if (!(await context.prompts.confirm(question, context.signal))) throw new DeclinedError(declined, { hint: 'You declined.' });
}
