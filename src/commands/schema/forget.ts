import { defineCommand } from '../../cli/spec.ts';
import { forgetSchema } from '../../schema/keep-schema.ts';
import type { Needs } from '../../session/context.ts';
import { nothingImported } from './nothing-imported.ts';

/** `svc schema forget`. */
export const forgetCommand = defineCommand({
  name: 'forget',
  summary: 'Remove the imported API spec, and the one before it',
  description: 'svc removes the API spec, and follows its own knowledge from then on. With --dry-run svc removes nothing.',
  examples: [{ args: 'schema forget', does: 'Follow svc’s own knowledge again' }],
  async run(context: Needs<'files' | 'globals' | 'host' | 'notice' | 'paths'>) {
    const host = await context.host();
    if (context.globals.dryRun === true) {
      const { keptIndex } = await import('../../schema/kept-schema.ts');
      if ((await keptIndex(context, host)) === undefined) throw nothingImported(host.name);
      return context.notice(`The description of ${host.name} would be forgotten.`);
    }
    if (!(await forgetSchema(context, host))) throw nothingImported(host.name);
    await context.notice(`The description of ${host.name} is forgotten here.`);
  },
});
