import type { Options } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import type { SourceRow } from './source.ts';

/** A noun's own way to understand files that other programs wrote, in front of the generic import. */
export interface Translation {
  /** One more paragraph for the help. */
  readonly description: string;
  readonly options: Options;
  /**
   * The rows with the resource's own field names and values, on the same lines. Journal and idempotency keys go by the file itself, so that
   * a row is sent once, however it was understood.
   *
   * @throws UsageError that lists what cannot be understood; nothing has been sent then.
   */
  rows(
    context: Context,
    rows: readonly SourceRow[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<readonly (SourceRow & { readonly values: JsonObject })[]>;
}
