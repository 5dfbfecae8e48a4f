import { defineGroup } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

const GROUP = 'Commands';

/** `svc billing unbilled|draft`. */
export const billing = defineGroup<Context>({
  name: 'billing',
  summary: 'Hours that are on no invoice, and the invoice that bills them',
  commands: [
    {
      name: 'unbilled',
      summary: 'Hours that are on no invoice yet',
      group: GROUP,
      load: async () => (await import('./unbilled.ts')).unbilled,
    },
    {
      name: 'draft',
      summary: 'The invoice of a customer’s unbilled hours',
      group: GROUP,
      load: async () => (await import('./draft.ts')).draft,
    },
  ],
});
