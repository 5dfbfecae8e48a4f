import type { Resource, Verb } from '../../catalog/define.ts';
import { notesOf, verbsOf, wordsOf } from '../../catalog/rules.ts';
import { type CommandEntry, type CommandSpec, defineGroup } from '../../cli/spec.ts';
import { type Command, summaryOf } from '../../cli/words.ts';
import type { Context } from '../../session/context.ts';
import { annotated } from './annotated.ts';
import { groupExamples } from './examples.ts';
import { explained } from './explained.ts';

const READ = 'Look';
const WRITE = 'Change';

/** The commands of a noun, made from its catalog entry; each is loaded when somebody goes there. */
export function resourceCommand(resource: Resource): CommandSpec<Context> {
  return defineGroup({
    name: resource.noun,
    summary: resource.summary,
    description: notesOf(resource).join(' ') || undefined,
    commands: [
      ...verbsOf(resource).flatMap((verb) => verbEntries(resource, verb)),
      ...actionEntries(resource),
      ...(EXTRAS[wordsOf(resource)] ?? []),
      ...nestedEntries(resource),
    ],
    examples: groupExamples(resource),
  });
}

/** The entry of a noun, for the level above. */
export function resourceEntry(resource: Resource, group: string): CommandEntry<Context> {
  const { noun, singular, summary } = resource;
  return { name: noun, aliases: [singular], summary, group, load: async () => resourceCommand(resource) };
}

/** The commands that each verb of the catalog brings; editing is a way of updating, importing one of creating. */
const COMMANDS: Readonly<Record<Verb, readonly Command[]>> = {
  list: ['list'],
  get: ['get'],
  create: ['create', 'import'],
  update: ['update', 'edit'],
  delete: ['delete'],
};

const LOADERS: Readonly<Record<Command, (resource: Resource) => Promise<CommandSpec<Context>>>> = {
  list: async (resource) => (await import('./list.ts')).listCommand(resource),
  get: async (resource) => (await import('./get.ts')).getCommand(resource),
  create: async (resource) => (await import('./create.ts')).createCommand(resource),
  import: async (resource) => (await import('./import.ts')).importCommand(resource),
  update: async (resource) => (await import('./update.ts')).updateCommand(resource),
  edit: async (resource) => (await import('./edit.ts')).editCommand(resource),
  delete: async (resource) => (await import('./delete.ts')).deleteCommand(resource),
};

function verbEntries(resource: Resource, verb: Verb): readonly CommandEntry<Context>[] {
  return COMMANDS[verb].map((command) => ({
    name: command === 'create' ? (resource.createAs?.name ?? command) : command,
    ...(command === 'create' && resource.createAs !== undefined && { aliases: ['create'] }),
    summary: summaryOf(resource, command),
    group: verb === 'list' || verb === 'get' ? READ : WRITE,
    async load() {
      const spec = await LOADERS[command](resource);
      return explained(
        resource,
        verb,
        annotated(resource, command, (await OVERRIDES[`${wordsOf(resource)} ${command}`]?.(spec, resource)) ?? spec),
      );
    },
  }));
}

/** Hours are logged in ways of their own, each built on the generic command. */
const OVERRIDES: Readonly<Record<string, (base: CommandSpec<Context>, resource: Resource) => Promise<CommandSpec<Context>>>> = {
  'worklogs create': async (base) => (await import('../time/add.ts')).addCommand(base),
  'worklogs edit': async (base) => (await import('../time/edit-days.ts')).editDaysCommand(base),
  'worklogs import': async (_, resource) => {
    const [{ importCommand }, { hoursTranslation }] = await Promise.all([import('./import.ts'), import('../time/import-hours.ts')]);
    return importCommand(resource, hoursTranslation);
  },
};

/** What a noun offers beside what the service does. */
const EXTRAS: Readonly<Record<string, readonly CommandEntry<Context>[]>> = {
  worklogs: [
    {
      name: 'suggest',
      summary: 'Propose entries for what is missing, from git commits',
      group: WRITE,
      load: async () => (await import('../time/suggest.ts')).suggest,
    },
  ],
  timers: [
    { name: 'start', summary: 'Start a timer', group: WRITE, load: async () => (await import('../time/timers.ts')).startTimer },
    { name: 'stop', summary: 'Stop a timer', group: WRITE, load: async () => (await import('../time/timers.ts')).stopTimer },
  ],
};

/** State changes and the like have code of their own; the catalog says which a resource has. */
const ACTIONS: Readonly<Record<string, (resource: Resource) => Promise<CommandSpec<Context>>>> = {
  'work-items transition': async (resource) => (await import('../actions/transition.ts')).transitionCommand(resource),
  'work-items move': async (resource) => (await import('../actions/move.ts')).moveCommand(resource),
  'sprints complete': async (resource) => (await import('../actions/complete.ts')).completeCommand(resource),
  'workflows apply': async (resource) => (await import('../actions/apply.ts')).applyCommand(resource),
};

function actionEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.actions ?? []).map(({ name, summary }) => ({
    name,
    summary,
    group: 'Actions',
    async load() {
      const load = ACTIONS[`${wordsOf(resource)} ${name}`];
      if (load === undefined) throw new Error(`The catalog names an action without code: ${wordsOf(resource)} ${name}`);
      return explained(resource, 'update', annotated(resource, name, await load(resource)));
    },
  }));
}

function nestedEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.nested ?? []).map((nested) => resourceEntry(nested, `Below one ${resource.singular.replaceAll('-', ' ')}`));
}
