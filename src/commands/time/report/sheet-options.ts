import { parsed, text, toggle } from '../../../cli/spec.ts';
import { UsageError } from '../../../errors.ts';
import type { Cents } from '../../../values/amount.ts';
import { HOURS_STYLES } from '../../../values/hours.ts';
import { parseRate } from '../../../values/money.ts';

const GROUP = 'For a customer';

/** The flags of a report for a customer. */
export const sheetOptions = {
  for: text('--for <id|name>', 'List each entry for this customer; with --html, write a page to send', {
    type: 'id-or-name',
    completes: { records: 'customers' },
    group: GROUP,
  }),
  rate: parsed('--rate <amount>', 'Add amounts at this price of an hour, before tax', parseRate, { type: 'money', group: GROUP }),
  hours: text('--hours <style>', 'Write hours as 1:30 or as 1.50 (default: 1:30)', { choices: HOURS_STYLES, group: GROUP }),
  all: toggle('--all', 'List entries that are not billable too, without an amount', { group: GROUP }),
};

/** What was given of them. */
export interface SheetFlags {
  readonly for: string | undefined;
  readonly rate: Cents | undefined;
  readonly hours: string | undefined;
  readonly all: true | undefined;
}

/** @throws UsageError for a flag that means something only for a customer. */
export function checkSheetFlags(flags: SheetFlags): void {
  const alone = flags.for === undefined ? (['rate', 'hours', 'all'] as const).find((name) => flags[name] !== undefined) : undefined;
  if (alone === undefined) return;
  throw new UsageError(`--${alone} belongs to a report for a customer.`, { hint: 'Say whom it is for: --for "Bakkerij Jansen & Zonen"' });
}
