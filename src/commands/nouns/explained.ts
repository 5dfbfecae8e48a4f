import type { Resource, Verb } from '../../catalog/define.ts';
import type { CommandSpec } from '../../cli/spec.ts';
import { NotFoundError, RefusedError } from '../../errors.ts';
import type { Context } from '../../session/context.ts';

/** The same command, whose failures are explained with what is known of the resource. */
export function explained(resource: Resource, verb: Verb, spec: CommandSpec<Context>): CommandSpec<Context> {
  const { run } = spec;
  if (run === undefined) return spec;
  return {
    ...spec,
    async run(context: Context, input) {
      try {
        await run(context, input);
      } catch (error) {
        if (!(error instanceof NotFoundError) && !(error instanceof RefusedError)) throw error;
        const { explainFailure } = await import('./explain-failure.ts');
        throw await explainFailure(context, resource, verb, error);
      }
    },
  };
}
