import { type CommandEntry, defineGroup } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

const LOOK = 'Look';
const CHANGE = 'Change';

const ENTRIES: readonly CommandEntry<Context>[] = [
  {
    name: 'import',
    summary: 'Import an API spec of your organisation (OpenAPI)',
    group: CHANGE,
    load: async () => (await import('./import.ts')).importSchema,
  },
  {
    name: 'forget',
    summary: 'Remove the imported API spec, and the previous import',
    group: CHANGE,
    load: async () => (await import('./import.ts')).forgetCommand,
  },
  {
    name: 'show',
    summary: 'Show the API as svc knows it, and the source of each fact',
    group: LOOK,
    load: async () => (await import('./show.ts')).showSchema,
  },
  {
    name: 'diff',
    summary: 'Compare the imported API spec with the previous import',
    group: LOOK,
    load: async () => (await import('./diff.ts')).diffSchema,
  },
  {
    name: 'export',
    summary: 'Print the API as svc knows it, as an API spec',
    group: LOOK,
    load: async () => (await import('./export.ts')).exportSchema,
  },
];

/** Defines `svc schema import|show|diff|forget|export`, which manages the API spec of the organisation. */
export const schema = defineGroup<Context>({
  name: 'schema',
  summary: 'Import and show the API spec (OpenAPI) of your organisation',
  description:
    'With an API spec, svc knows the fields and operations of your organisation. Without an API spec, svc follows the documentation of the service, and makes assumptions about the rest.',
  commands: ENTRIES,
});
