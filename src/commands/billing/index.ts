import { defineGroup } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

const GROUP = 'Commands';

export const billing = defineGroup<Context>({
  name: 'billing',
  summary: 'Show unbilled hours, and create the invoice for them',
  commands: [
    {
      name: 'unbilled',
      summary: 'Show hours that are on no invoice',
      group: GROUP,
      load: async () => (await import('./unbilled.ts')).unbilled,
    },
    {
      name: 'draft',
      summary: 'Create the invoice for the unbilled hours of a customer',
      group: GROUP,
      load: async () => (await import('./draft.ts')).draft,
    },
  ],
});
