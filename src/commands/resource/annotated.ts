import type { Field, FieldKind, Resource, Shortcut } from '../../catalog/define.ts';
import { abilitiesFor, METHODS } from '../../catalog/rules.ts';
import type { ArgSpec, Completes, LoadedCommand, Options, Sends } from '../../cli/spec.ts';
import { requestCost } from '../../client/cost.ts';
import type { Context } from '../../session/context.ts';
import { ownEntry } from '../../values/json.ts';

/** Adds completions, fields and the request to a command. @param command a name in the catalog: `add` has the name `create`. */
export function annotated(resource: Resource, command: string, spec: LoadedCommand<Context>): LoadedCommand<Context> {
  return {
    ...spec,
    ...(spec.args && { args: spec.args.map((arg) => ({ ...completionOfArgument(resource, arg.name), ...arg })) }),
    ...(spec.options && { options: withCompletions(resource, command, spec.options) }),
    fields: Object.keys(resource.fields),
    ...(ownEntry(METHODS, command) !== undefined || spec.args?.some(({ name }) => name === 'id')
      ? { sends: sendsOf(resource, command) }
      : {}),
  };
}

function completionOfArgument({ noun, parent }: Resource, name: string): Pick<ArgSpec, 'completes'> {
  if (name === parent?.singular) return { completes: { records: parent.noun } };
  // The id of a child record has no completion, because completion does not know its parent.
  return name === 'id' && parent === undefined ? { completes: { records: noun } } : {};
}

function withCompletions(resource: Resource, command: string, options: Options): Options {
  const known = command === 'list' ? listCompletions(resource) : fieldCompletions(resource);
  return Object.fromEntries(
    Object.entries(options).map(([key, option]) => {
      const completes = option.completes ?? known.get(key);
      return [key, completes === undefined ? option : { ...option, completes }];
    }),
  );
}

function listCompletions(resource: Resource): Map<string, Completes | undefined> {
  const { described } = resource;
  const sorts = described?.sorts ?? Object.keys(resource.fields);
  return new Map<string, Completes | undefined>([
    ...(resource.shortcuts ?? []).map((shortcut) => [shortcut.flag, completionOfShortcut(resource, shortcut)] as const),
    ['include', { values: Object.keys(resource.relations ?? {}), list: true }],
    ['sort', { values: sorts.flatMap((name) => [name, `-${name}`]) }],
    ...(described === undefined ? [] : [['trashed', { values: described.trashed }] as const]),
    ['filter', { values: filterForms(resource) }],
  ]);
}

function filterForms(resource: Resource): string[] {
  return Object.entries(resource.filters).flatMap(([name, { operators, noEquality }]) => [
    ...(noEquality ? [] : [`${name}=`]),
    ...operators.map((operator) => `${name}.${operator}=`),
  ]);
}

function completionOfShortcut(resource: Resource, { takes, sets }: Shortcut): Completes | undefined {
  if (takes === undefined || takes === 'year') return undefined;
  if (takes === 'workflow-status') return { records: 'workflow-statuses', as: 'name' };
  return completionOfKind(takes, resource.fields[sets[0]?.field ?? '']);
}

/** Maps the keys of the flags of a write to their completions. The flag of a field has the name of the field as its key. */
function fieldCompletions(resource: Resource): Map<string, Completes | undefined> {
  return new Map<string, Completes | undefined>([
    ...Object.entries(resource.fields).map(([name, field]) => [name, completionOfKind(field.kind, field)] as const),
    ['field', 'at-file'],
    ['include', { values: Object.keys(resource.relations ?? {}), list: true }],
  ]);
}

function completionOfKind(kind: FieldKind, field: Field | undefined): Completes | undefined {
  switch (kind) {
    case 'id':
      return field?.ref === undefined ? undefined : { records: field.ref };
    case 'enum':
      return field?.values === undefined ? undefined : { values: field.values };
    case 'html':
    case 'markdown':
      return 'at-file';
    default:
      return undefined;
  }
}

/** The verb whose request a command sends, if the command has another name. */
const OF_VERB: Readonly<Record<string, string>> = { import: 'create', edit: 'update' };

/** Describes the request of a command. Every name other than a verb is an action. */
function sendsOf(resource: Resource, command: string): Sends {
  const verb = ownEntry(OF_VERB, command) ?? command;
  const usual: string | undefined = ownEntry<string>(METHODS, verb);
  const method = usual ?? 'POST';
  const collection = verb === 'list' || verb === 'create';
  const item = `${resource.path}/{${resource.singular.replaceAll('-', '_')}}`;
  const path = usual === undefined ? `${item}/actions/${command}` : collection ? resource.path : item;
  const described = resource.described?.operations.find(({ name }) => name === verb);
  return {
    method,
    path: described?.path ?? path,
    abilities: described?.abilities ?? abilitiesFor(resource, method),
    cost: requestCost({ method, query: [], collection: command === 'list' }),
    per: command === 'list' ? 'page' : 'record',
  };
}
