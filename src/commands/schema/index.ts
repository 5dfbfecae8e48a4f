import { commandEntries, defineGroup } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

/** Defines `svc schema import|show|diff|forget|export`, which manages the API spec of the organisation. */
export const schema = defineGroup<Context>({
  description:
    'With an API spec, svc knows the fields and operations of your organisation. Without an API spec, svc follows the documentation of the service, and makes assumptions about the rest.',
  commands: commandEntries<Context>({
    Change: [
      ['import', 'Import an API spec of your organisation (OpenAPI)', async () => (await import('./import.ts')).importSchema],
      ['forget', 'Remove the imported API spec, and the previous import', async () => (await import('./import.ts')).forgetCommand],
    ],
    Look: [
      ['show', 'Show the API that svc knows, and the source of each fact', async () => (await import('./show.ts')).showSchema],
      ['diff', 'Compare the imported API spec with the previous import', async () => (await import('./diff.ts')).diffSchema],
      ['export', 'Print the API that svc knows, as an API spec', async () => (await import('./export.ts')).exportSchema],
    ],
  }),
});
