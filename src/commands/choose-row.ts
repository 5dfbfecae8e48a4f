import type { Completes, OptionSpec } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { foldText } from '../values/fold-text.ts';
import { didYouMean, partOfName } from '../values/suggest.ts';
import { quote } from '../values/text.ts';

/** Defines the flag `--why`. Without a value, the flag is `true`. */
export function whyFlag(value: string, summary: string, completes?: Completes): OptionSpec<string | true> {
  return { flags: `--why [${value}]`, summary, ...(completes && { completes }) };
}

/** A row of a table that a user can name. */
export interface NamedRow<Row> {
  readonly row: Row;
  /** The name that only this row has: for a row within a row, the names of both rows. */
  readonly label: string;
  /** The name in the table. Default: the label. */
  readonly name?: string;
  /** Other names, such as the id. */
  readonly also: readonly string[];
}

/**
 * Finds the row that the value of `--why` names. Letter case and accents do not count. Whole words of a name are enough if only one row
 * has these words; a notice then names the row. Without a value, the table must have one row.
 * @throws UsageError if no row or several rows match.
 */
export async function chooseRow<Row>(
  context: Needs<'notice'>,
  rows: readonly NamedRow<Row>[],
  typed: string | true,
): Promise<NamedRow<Row>> {
  const [only, ...rest] = rows;
  if (only === undefined) throw new UsageError('--why: the table has no rows.', { hint: 'Run the command without --why.' });
  if (typed === true) {
    if (rest.length === 0) return only;
    throw new UsageError(`--why: the table has ${rows.length} rows.`, { hint: `Name one of the rows: ${labelsOf(rows)}` });
  }
  const isTyped = (text: string) => foldText(text.trim()) === foldText(typed.trim());
  const exact = rows.filter(({ label, name = label, also }) => [label, name, ...also].some(isTyped));
  const found = exact.length > 0 ? exact : rows.filter(({ label, name = label }) => partOfName(typed, name) === 'words');
  const [one, ...others] = found;
  if (one === undefined)
    throw new UsageError(`--why: no row has the name ${quote(typed)}.`, {
      hint: didYouMean(
        typed,
        rows.map(({ label }) => label),
        `The rows are: ${labelsOf(rows)}`,
      ),
    });
  if (others.length > 0)
    throw new UsageError(`--why: ${quote(typed)} names ${found.length} rows.`, { hint: `Use the whole name: ${labelsOf(found)}` });
  if (exact.length === 0) await context.notice(`Row: ${one.label}`);
  return one;
}

const MOST_SHOWN = 8;

function labelsOf(rows: readonly NamedRow<unknown>[]): string {
  const shown = rows
    .slice(0, MOST_SHOWN)
    .map(({ label, also: [other] }) => (other === undefined ? quote(label) : `${quote(label)} (${other})`));
  return `${shown.join(', ')}${rows.length > MOST_SHOWN ? ', …' : ''}`;
}
