import { DeclinedError, UsageError } from '../errors.ts';
import type { Asking, Needs } from './context.ts';

/** The texts around a question before a step that a person may regret. */
export interface Confirmation {
  readonly question: string;
  /** Why the command stops without a terminal, where svc cannot ask. */
  readonly unasked: string;
  /** The error after a no: `The file is unchanged.` */
  readonly declined: string;
}

/**
 * Asks at a terminal; `--yes` answers the question.
 *
 * @throws DeclinedError if the person says no, UsageError without a terminal and without `--yes`.
 */
export async function confirm(context: Needs<Asking | 'globals'>, { question, unasked, declined }: Confirmation): Promise<void> {
  if (context.globals.yes) return;
  if (!context.interactive) throw new UsageError(unasked, { hint: 'Add --yes if you are sure.' });
  if (!(await context.prompts.confirm(question, context.signal))) throw new DeclinedError(declined, { hint: 'You said no.' });
}
