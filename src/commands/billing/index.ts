import { commandEntries, defineGroup } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

export const billing = defineGroup<Context>({
  commands: commandEntries<Context>({
    Commands: [
      ['unbilled', 'Show hours that are on no invoice', async () => (await import('./unbilled.ts')).unbilled],
      ['draft', 'Create the invoice for the unbilled hours of a customer', async () => (await import('./draft.ts')).draft],
    ],
  }),
});
