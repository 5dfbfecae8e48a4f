import type { Options } from '../../cli/spec.ts';
import type { Understanding } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import type { ExistingRecord } from './existing-records.ts';
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
   * The rows with the resource's own field names and values, on the same lines; what is left out has been said.
   *
   * @throws UsageError that lists what cannot be understood; nothing has been sent then.
   */
  rows(
    context: Needs<Understanding | 'notice'>,
    rows: readonly SourceRow[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<readonly SourceRow[]>;
  /**
   * The records that the service has on the days of these rows, to tell which it has already. Without it they cannot be asked for.
   *
   * @param own one's own id, which the records are given without.
   */
  existing?(context: Needs<'account' | 'client' | 'notice'>, own: number, rows: readonly JsonObject[]): Promise<readonly ExistingRecord[]>;
}
