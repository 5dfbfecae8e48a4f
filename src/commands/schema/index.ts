import { type CommandEntry, defineGroup } from '../../cli/spec.ts';
import type { Context } from '../../session/context.ts';

const LOOK = 'Look';
const CHANGE = 'Change';

const ENTRIES: readonly CommandEntry<Context>[] = [
  {
    name: 'import',
    summary: 'Teach svc your organisation’s API, from its OpenAPI description',
    group: CHANGE,
    load: async () => (await import('./import.ts')).importSchema,
  },
  {
    name: 'forget',
    summary: 'Forget what was imported, and the import before it',
    group: CHANGE,
    load: async () => (await import('./forget.ts')).forgetCommand,
  },
  {
    name: 'show',
    summary: 'What svc knows of your organisation’s API, and from where',
    group: LOOK,
    load: async () => (await import('./show.ts')).showSchema,
  },
  {
    name: 'diff',
    summary: 'What changed since the last import, and what svc had assumed otherwise',
    group: LOOK,
    load: async () => (await import('./diff.ts')).diffSchema,
  },
  {
    name: 'export',
    summary: 'What svc knows of the API now, as an OpenAPI description',
    group: LOOK,
    load: async () => (await import('./export.ts')).exportSchema,
  },
];

/** `svc schema import|show|diff|forget|export`: the organisation's own OpenAPI description. */
export const schema = defineGroup<Context>({
  name: 'schema',
  summary: 'The OpenAPI description of your organisation’s API',
  description: 'Without one svc goes by the service’s documentation, and assumes what that leaves open. With one it knows.',
  commands: ENTRIES,
});
