import type { Operation, Resource } from '../../catalog/define.ts';
import { abilitiesFor, flagOf, thingOf, wordsOf } from '../../catalog/rules.ts';
import { type ArgSpec, type CommandSpec, defineCommand, type Example, type Options, text, toggle } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import { requestCost } from '../../client/cost.ts';
import { BODY_OPTIONS, fieldOptions, flagSummary, placeholderOf, titleOf, typeOf } from '../../records/body-flags.ts';
import type { Context } from '../../session/context.ts';
import { flagSample } from './examples.ts';
import { bodyOf, parametersOf, queryKey, standsFor } from './operation-parts.ts';
import { CONDITION_OPTIONS, KEY_OPTION } from './write-flags.ts';

/** `svc <noun> <operation> <id>`: what an organisation's description has besides the verbs, as any other write or reading. */
export function operationCommand(resource: Resource, operation: Operation): CommandSpec<Context> {
  const { name, method, path, body } = operation;
  const isWrite = method !== 'GET';
  const args = argsOf(resource, path);
  const spec = defineCommand({
    name,
    summary: operation.summary?.replace(/\.$/, '') ?? `${method} ${path}`,
    description: describedAs(operation),
    ...(isWrite && { showsGlobals: ['host', 'output', 'dryRun'] }),
    args,
    catalogOptions: {
      ...queryOptions(operation),
      ...(body && { ...fieldOptions(bodyOf(resource, operation), 'create'), ...BODY_OPTIONS }),
    },
    options: {
      ...(method === 'POST' && KEY_OPTION),
      ...(isWrite && method !== 'POST' && { ifMatch: CONDITION_OPTIONS.ifMatch }),
    },
    examples: examplesOf(resource, operation, args),
    async run(context: Context, input) {
      await (await import('./run-operation.ts')).runOperation(context, resource, operation, input);
    },
  });
  return {
    ...spec,
    sends: {
      method,
      path,
      abilities: operation.abilities ?? abilitiesFor(resource, method),
      cost: requestCost({ method, query: [], collection: false }),
      per: 'record',
    },
  };
}

function describedAs({ method, path, permission }: Operation): string {
  const needs = permission === undefined ? '' : ` You need the permission ${permission}.`;
  return `svc sends ${method} ${path}, as the API spec of your organisation describes.${needs}`;
}

/** An argument for each name in the path: the records above it, then the record itself, then whatever else it names. */
function argsOf(resource: Resource, path: string): readonly ArgSpec[] {
  const used = new Set<string>();
  return parametersOf(path).map((parameter, index): ArgSpec => {
    const own = ownArgument(resource, path, index);
    const plain = own?.name ?? parameter.replaceAll('_', '-');
    const name = used.has(plain) ? parameter : plain;
    used.add(name);
    return {
      name,
      summary: own?.summary ?? titleOf(parameter),
      ...(own?.records !== undefined && { completes: { records: own.records } }),
    };
  });
}

function ownArgument(
  resource: Resource,
  path: string,
  index: number,
): { readonly name: string; readonly summary: string; readonly records?: string } | undefined {
  const of = standsFor(resource, path, index);
  if (of === 'parent' && resource.parent !== undefined)
    return { name: resource.parent.singular, summary: `The ${thingOf(resource.parent)}, by id`, records: resource.parent.noun };
  if (of === 'self') return { name: 'id', summary: itsId(resource), ...(resource.parent === undefined && { records: resource.noun }) };
  return undefined;
}

function queryOptions({ query = {} }: Operation): Options {
  return Object.fromEntries(
    Object.entries(query).map(([name, field]) => {
      const what = flagSummary(field.summary ?? titleOf(name));
      const required = field.required ? ' (required)' : '';
      const flag = `--${flagOf(name, field)}`;
      if (field.kind === 'boolean') return [queryKey(name), toggle(flag, `${what}${required}`, { group: 'Request' })];
      const completes = field.values === undefined ? {} : { completes: { values: field.values } };
      return [
        queryKey(name),
        text(`${flag} <${placeholderOf(field)}>`, `${what}${required}`, { group: 'Request', ...typeOf(field), ...completes }),
      ];
    }),
  );
}

function examplesOf(resource: Resource, { name, method, body = {} }: Operation, args: readonly ArgSpec[]): readonly Example[] {
  const ids = args.map((_, index) => (index === 0 && (resource.keyed || resource.parent?.keyed) ? 'ABC-12' : String(31 + index)));
  const flags = Object.entries(body).flatMap(([field, spec]) => (spec.required ? [flagSample(field, spec)] : []));
  const line = [wordsOf(resource), name, ...ids, ...flags].join(' ');
  const shown = { args: line, does: 'Send the request' };
  return method === 'GET' ? [shown] : [shown, { args: `${line} --dry-run`, does: 'Show what svc would send' }];
}
