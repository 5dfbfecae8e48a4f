import type { Operation, Resource } from '../../catalog/define.ts';
import { abilitiesFor, flagOf, singularName, wordsOf } from '../../catalog/rules.ts';
import {
  type ArgSpec,
  defineCommand,
  type Example,
  type LoadedCommand,
  type Options,
  type OptionValues,
  type TypedInput,
  text,
  toggle,
} from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import type { ApiResponse } from '../../client/api-client.ts';
import { type Query, requestCost } from '../../client/cost.ts';
import { requestUrl } from '../../client/origin.ts';
import { unwrapRecord } from '../../client/record.ts';
import { UsageError } from '../../errors.ts';
import { checkRequired, readBody } from '../../records/body.ts';
import { BODY_OPTIONS, fieldOptions, flagSummary, placeholderOf, titleOf, typeOf } from '../../records/body-flags.ts';
import { readBodyValue } from '../../records/kinds.ts';
import { namedRecord } from '../../records/named-place.ts';
import { readId } from '../../records/paths.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../records/send-write.ts';
import { confirm } from '../../session/confirm.ts';
import type { Context } from '../../session/context.ts';
import { printLine, printRecord, printRecords, viewOf } from '../../session/print.ts';
import { isJsonObject, type JsonObject, ownEntry, scalarText } from '../../values/json.ts';
import { askMissing } from './ask-missing.ts';
import { flagSample } from './examples.ts';
import { CONDITION_OPTIONS, KEY_OPTION } from './write-flags.ts';

export function operationCommand(resource: Resource, operation: Operation): LoadedCommand<Context> {
  const { method, path, body } = operation;
  const isWrite = method !== 'GET';
  const args = argsOf(resource, path);
  const needs = operation.permission === undefined ? '' : ` You need the permission ${operation.permission}.`;
  const spec = defineCommand({
    description: `svc sends ${method} ${path}, as the API spec of your organisation describes.${needs}`,
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
      await runOperation(context, resource, operation, input);
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
    return { name: resource.parent.singular, summary: `The ${singularName(resource.parent)}, by id`, records: resource.parent.noun };
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

/**
 * Returns a resource with the fields in the body of an operation. svc makes flags, questions and checks from this resource, as for other
 * writes.
 */
function bodyOf(resource: Resource, operation: Operation): Resource {
  return { ...resource, noun: `${resource.noun} ${operation.name}`, fields: operation.body ?? {} };
}

function queryKey(name: string): string {
  return `query ${name}`;
}

function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
}

/** Returns which record a placeholder names: the parent, or a record of the resource (`self`). Undefined for other values. */
function standsFor(resource: Resource, path: string, index: number): 'parent' | 'self' | undefined {
  if (resource.parent !== undefined && index === 0) return path.startsWith(`/${resource.parent.noun}/{`) ? 'parent' : undefined;
  const above = resource.parent === undefined ? 0 : 1;
  return index === above && nameless(path).startsWith(`${nameless(resource.path)}/{}`) ? 'self' : undefined;
}

function nameless(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}

type Input = TypedInput<Record<never, never>>;

async function runOperation(context: Context, resource: Resource, operation: Operation, input: Input): Promise<void> {
  const { method } = operation;
  const path = await pathOf(context, resource, operation, input.args);
  const query = await queryOf(context, operation, input.given);
  if (method === 'GET') return readOperation(context, resource, operation, path, query);
  const body = operation.body === undefined ? undefined : await readMembers(context, resource, operation, input);
  const { idempotencyKey, ifMatch } = input.given as { readonly idempotencyKey?: string; readonly ifMatch?: string };
  const note = { noun: resource.itemsOf ?? resource.noun };
  const write: WriteRequest = { method: method as WriteRequest['method'], path, query, body, idempotencyKey, ifMatch, note };
  if (context.globals.dryRun) {
    const planned = await describeWrite(context, resource, write);
    const { abilities } = operation;
    return printRecord(context, { ...planned, ...(abilities !== undefined && { ability: abilities.join(' or ') }) });
  }
  if (method === 'DELETE') await confirmDeletion(context, resource, operation, input.args);
  const response = await sendWrite(context, write);
  await printAnswer(context, resource, response, `${wordsOf(resource)} ${operation.name} ${input.args.join(' ')}`.trim());
}

async function pathOf(context: Context, resource: Resource, { path }: Operation, args: readonly string[]): Promise<string> {
  const ids: string[] = [];
  for (const [index, parameter] of parametersOf(path).entries()) {
    const typed = args[index] ?? '';
    const of = standsFor(resource, path, index);
    const named = of === 'parent' ? await context.catalog.find(resource.parent?.noun ?? '') : of === 'self' ? resource : undefined;
    if (named !== undefined) ids.push(readId(named, await namedRecord(context, named, typed)));
    else ids.push(segment(parameter, typed));
  }
  return path.replace(/\{[^}]+\}/g, () => ids.shift() ?? '');
}

/** Encodes a value that names no record as one segment of a path. @throws UsageError for an empty value, `.` and `..`. */
function segment(parameter: string, typed: string): string {
  if (typed.trim() === '' || /^\.{1,2}$/.test(typed))
    throw new UsageError(`"${typed}" cannot be the ${parameter}.`, { hint: 'Use a value other than . and ..' });
  return encodeURIComponent(typed);
}

async function queryOf(context: Context, { query = {} }: Operation, given: Input['given']): Promise<Query> {
  const pairs: [string, string][] = [];
  for (const [name, field] of Object.entries(query)) {
    const value = ownEntry(given, queryKey(name));
    if (value === undefined) {
      if (field.required) throw new UsageError(`The operation needs --${flagOf(name, field)}.`, { hint: 'See the flags: --help' });
      continue;
    }
    const isText = field.kind === 'json' || field.kind === 'boolean';
    pairs.push([name, isText ? String(value) : scalarText((await readBodyValue(context, field, String(value))) ?? null)]);
  }
  return pairs;
}

async function readMembers(context: Context, resource: Resource, operation: Operation, { given }: Input): Promise<JsonObject> {
  const of = bodyOf(resource, operation);
  const options = given as OptionValues<typeof BODY_OPTIONS>;
  const read = await readBody(context, of, 'create', options, given);
  const asks = context.interactive && !context.globals.dryRun && options.data === undefined;
  const { body } = asks ? await askMissing(context, of, read, given['html'] === true) : read;
  checkRequired(of, body, `${wordsOf(resource)} ${operation.name}`);
  return body;
}

async function confirmDeletion(context: Context, resource: Resource, { name }: Operation, args: readonly string[]): Promise<void> {
  const what = `svc ${wordsOf(resource)} ${name} ${args.join(' ')}`.trim();
  const unasked = `${what} deletes, and svc cannot ask here.`;
  await confirm(context, { question: `Run ${what}?`, unasked, declined: 'svc sent nothing.' });
}

async function readOperation(context: Context, resource: Resource, operation: Operation, path: string, query: Query): Promise<void> {
  if (context.globals.dryRun) {
    const url = requestUrl(await context.host(), path, query);
    const ability = operation.abilities?.join(' or ');
    const cost = { read: requestCost({ method: 'GET', query, collection: false }) };
    return printRecord(context, { method: 'GET', url, cost, ...(ability !== undefined && { ability }) });
  }
  const response = await (await context.client()).send({ method: 'GET', path, query });
  const body = response.body();
  const rows = isJsonObject(body) && Array.isArray(body['data']) ? body['data'] : Array.isArray(body) ? body : undefined;
  if (rows === undefined) return printAnswer(context, resource, response, operation.name);
  const records = rows.filter(isJsonObject);
  const columns = Object.keys(records[0] ?? { id: null }).slice(0, 6);
  await printRecords(context, records, columns);
  const links = isJsonObject(body) ? body['links'] : undefined;
  if (isJsonObject(links) && typeof links['next'] === 'string') await context.notice(`More pages follow: svc api ${path} --paginate`);
}

async function printAnswer(context: Context, resource: Resource, response: ApiResponse, words: string): Promise<void> {
  const record = response.text() === '' ? undefined : unwrapRecord(response.body());
  if (record !== undefined) return printRecord(context, record, viewOf(resource));
  if ((await context.presentation()).isDefaultFormat) await printLine(context, `Done: ${words}`);
}
