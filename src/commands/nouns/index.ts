import type { OwnExtra, OwnWay, Resource, Verb } from '../../catalog/define.ts';
import { notesOf, verbsOf } from '../../catalog/rules.ts';
import { aliasesOf } from '../../cli/habits.ts';
import { type CommandEntry, type CommandSpec, defineGroup } from '../../cli/spec.ts';
import { type Command, summaryOf } from '../../cli/words.ts';
import type { Context } from '../../session/context.ts';
import { annotated } from './annotated.ts';
import { groupExamples } from './examples.ts';
import { explained } from './explained.ts';
import { ACTIONS, EXTRAS, WAYS } from './own-commands.ts';

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
      ...extraEntries(resource),
      ...operationEntries(resource),
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
    aliases: [...(command === 'create' ? (resource.createAs?.aliases ?? []) : []), ...aliasesOf(command)],
    summary: summaryOf(resource, command),
    group: verb === 'list' || verb === 'get' ? READ : WRITE,
    async load() {
      const plain = await LOADERS[command](resource);
      const own = resource.ownCommands?.find((candidate) => 'insteadOf' in candidate && candidate.insteadOf === command);
      const spec = own !== undefined && 'insteadOf' in own ? await inOwnWay(resource, own.code, plain) : plain;
      return explained(resource, verb, annotated(resource, command, spec));
    },
  }));
}

/** As svc does it for what it knows; where a description lacks what that is about, as everywhere. */
async function inOwnWay(resource: Resource, code: OwnWay, plain: CommandSpec<Context>): Promise<CommandSpec<Context>> {
  if ((resource.described?.lacks ?? []).length === 0) return WAYS[code](plain, resource);
  return code === 'log-hours' ? (await import('../needed.ts')).withoutWords(resource, plain) : plain;
}

/** The commands that the resource has beside those of its verbs. */
function extraEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.ownCommands ?? []).flatMap((own) =>
    'insteadOf' in own ? [] : [{ name: own.name, summary: own.summary, group: own.looks ? READ : WRITE, load: extraOf(resource, own) }],
  );
}

function extraOf(
  resource: Resource,
  { name, code }: { readonly name: string; readonly code: OwnExtra },
): () => Promise<CommandSpec<Context>> {
  if (resource.described === undefined) return EXTRAS[code];
  return async () => (await import('../needed.ts')).needing(`${resource.noun} ${name}`, await EXTRAS[code](), code);
}

function actionEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.actions ?? []).map(({ name, summary }) => ({
    name,
    summary,
    group: 'Actions',
    load: async () => explained(resource, 'update', annotated(resource, name, await ACTIONS[name](resource))),
  }));
}

/** What the organisation's description has besides. */
function operationEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.described?.commands ?? []).map((operation) => ({
    name: operation.name,
    summary: operation.summary?.replace(/\.$/, '') ?? `${operation.method} ${operation.path}`,
    group: 'Actions',
    load: async () => (await import('./operation.ts')).operationCommand(resource, operation),
  }));
}

function nestedEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.nested ?? []).map((nested) => resourceEntry(nested, `Child records of a ${resource.singular.replaceAll('-', ' ')}`));
}
