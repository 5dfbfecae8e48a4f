import { type Resource, type Verb, verbsOf } from '../../catalog/define.ts';
import { type CommandEntry, type CommandSpec, defineGroup, entryOf } from '../define.ts';
import { createCommand } from './create.ts';
import { deleteCommand } from './delete.ts';
import { editCommand } from './edit.ts';
import { getCommand } from './get.ts';
import { importCommand } from './import.ts';
import { listCommand } from './list.ts';
import { updateCommand } from './update.ts';

const READ = 'Look';
const WRITE = 'Change';

/** The commands of a noun, made from its catalog entry. */
export function resourceCommand(resource: Resource): CommandSpec {
  return defineGroup({
    name: resource.noun,
    aliases: [resource.singular],
    summary: resource.summary,
    description: resource.notes?.join(' '),
    commands: [...verbsOf(resource).flatMap((verb) => COMMANDS[verb](resource)), ...actionEntries(resource)],
    examples: (resource.examples ?? []).map(({ verb, args, does }) => ({ args: `${resource.noun} ${verb} ${args}`, does })),
  });
}

/** The commands that each verb of the catalog brings; editing is a way of updating, importing one of creating. */
const COMMANDS: Readonly<Record<Verb, (resource: Resource) => readonly CommandEntry[]>> = {
  list: (resource) => [entryOf(listCommand(resource), READ)],
  get: (resource) => [entryOf(getCommand(resource), READ)],
  create: (resource) => [
    // What people do with hours is add them.
    ...(resource.noun === 'worklogs' ? [entryOf(createCommand(resource, 'add'), WRITE)] : []),
    entryOf(createCommand(resource), WRITE),
    entryOf(importCommand(resource), WRITE),
  ],
  update: (resource) => [entryOf(updateCommand(resource), WRITE), entryOf(editCommand(resource), WRITE)],
  delete: (resource) => [entryOf(deleteCommand(resource), WRITE)],
};

/** State changes have code of their own; the catalog says which a resource has. */
const ACTIONS: Readonly<Record<string, () => Promise<CommandSpec>>> = {
  'work-items transition': async () => (await import('../actions/transition.ts')).transition,
};

function actionEntries(resource: Resource): readonly CommandEntry[] {
  return (resource.actions ?? []).flatMap(({ name, summary }) => {
    const load = ACTIONS[`${resource.noun} ${name}`];
    return load === undefined ? [] : [{ name, summary, group: 'Actions', load }];
  });
}
