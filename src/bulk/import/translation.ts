import type { Options } from '../../cli/spec.ts';
import type { Understanding } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import type { SourceRow } from './source.ts';

/** A noun's own way to understand files that other programs wrote, in front of the generic import. */
export interface Translation {
  /** One more paragraph for the help. */
  readonly description: string;
  readonly options: Options;
  /** The rows of a file that is neither CSV nor JSON rows; undefined for one that it does not know. */
  read?(text: string): readonly SourceRow[] | undefined;
  /** The columns of {@link SourceRow.shown}, in order. */
  readonly shows?: readonly string[];
  /**
   * The rows with the resource's own field names and values, on the same lines; what is left out has been said. Journal and idempotency keys go by the file itself, so that
   * a row is sent once, however it was understood.
   *
   * @throws UsageError that lists what cannot be understood; nothing has been sent then.
   */
  rows(
    context: Needs<Understanding | 'notice'>,
    rows: readonly SourceRow[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<readonly SourceRow[]>;
}
