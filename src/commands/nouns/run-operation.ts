import type { Operation, Resource } from '../../catalog/define.ts';
import { flagOf, wordsOf } from '../../catalog/rules.ts';
import type { OptionValues, TypedInput } from '../../cli/spec.ts';
import type { ApiResponse } from '../../client/api-client.ts';
import { type Query, requestCost } from '../../client/cost.ts';
import { requestUrl } from '../../client/origin.ts';
import { unwrapRecord } from '../../client/record.ts';
import { DeclinedError, UsageError } from '../../errors.ts';
import { checkRequired, readBody } from '../../records/body.ts';
import type { BODY_OPTIONS } from '../../records/body-flags.ts';
import { readBodyValue } from '../../records/kinds.ts';
import { namedRecord } from '../../records/named-place.ts';
import { readId } from '../../records/paths.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../records/send-write.ts';
import type { Context } from '../../session/context.ts';
import { printLine, printRecord, printRecords, viewOf } from '../../session/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../../values/json.ts';
import { ownEntry } from '../../values/own-entry.ts';
import { askMissing, lacksAnything } from './ask-missing.ts';
import { bodyOf, parametersOf, queryKey, standsFor } from './operation-parts.ts';

type Input = TypedInput<Record<never, never>>;

/** Sends an operation of a description with what was typed, and prints what it answers. */
export async function runOperation(context: Context, resource: Resource, operation: Operation, input: Input): Promise<void> {
  const { method } = operation;
  const path = await pathOf(context, resource, operation, input.args);
  const query = await queryOf(context, operation, input.given);
  if (method === 'GET') return look(context, resource, operation, path, query);
  const body = operation.body === undefined ? undefined : await readMembers(context, resource, operation, input);
  const { idempotencyKey, ifMatch } = input.given as { readonly idempotencyKey?: string; readonly ifMatch?: string };
  const note = { noun: resource.itemsOf ?? resource.noun };
  const write: WriteRequest = { method: method as WriteRequest['method'], path, query, body, idempotencyKey, ifMatch, note };
  if (context.globals.dryRun) {
    const planned = await describeWrite(context, resource, write);
    const { abilities } = operation;
    return printRecord(context, { ...planned, ...(abilities !== undefined && { ability: abilities.join(' or ') }) });
  }
  if (method === 'DELETE') await confirm(context, resource, operation, input.args);
  const response = await sendWrite(context, write);
  await printAnswer(context, resource, response, `${wordsOf(resource)} ${operation.name} ${input.args.join(' ')}`.trim());
}

/** @throws UsageError for what can be no record. */
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

/** What is typed for any other name in a path: one segment, whatever it holds. */
function segment(parameter: string, typed: string): string {
  if (typed.trim() === '' || /^\.{1,2}$/.test(typed))
    throw new UsageError(`"${typed}" is no ${parameter}.`, { hint: 'Give what the path names.' });
  return encodeURIComponent(typed);
}

async function queryOf(context: Context, { query = {} }: Operation, given: Input['given']): Promise<Query> {
  const pairs: [string, string][] = [];
  for (const [name, field] of Object.entries(query)) {
    const value = ownEntry(given, queryKey(name));
    if (value === undefined) {
      if (field.required) throw new UsageError(`It needs --${flagOf(name, field)}.`, { hint: 'See its --help.' });
      continue;
    }
    const isText = field.kind === 'json' || field.kind === 'boolean';
    pairs.push([name, isText ? String(value) : scalarText((await readBodyValue(context, field, String(value))) ?? null)]);
  }
  return pairs;
}

/** The members of the body, and at a terminal those that are asked for. */
async function readMembers(context: Context, resource: Resource, operation: Operation, { given }: Input): Promise<JsonObject> {
  const of = bodyOf(resource, operation);
  const options = given as OptionValues<typeof BODY_OPTIONS>;
  const { body } = await readBody(context, of, 'create', options, given);
  const asks = context.interactive && !context.globals.dryRun && options.data === undefined;
  const asked = asks && lacksAnything(of, body) ? (await askMissing(context, of, body, given['html'] === true)).fields : {};
  const all: Record<string, JsonValue> = { ...body, ...asked };
  checkRequired(of, all, `${wordsOf(resource)} ${operation.name}`);
  return all;
}

/** @throws DeclinedError, or UsageError where nobody can be asked. */
async function confirm(context: Context, resource: Resource, { name }: Operation, args: readonly string[]): Promise<void> {
  if (context.globals.yes) return;
  const what = `${wordsOf(resource)} ${name} ${args.join(' ')}`.trim();
  if (!context.interactive) throw new UsageError(`svc ${what} takes something away.`, { hint: 'Say --yes where nobody can be asked.' });
  if (!(await context.prompts.confirm(`Do it: svc ${what}?`, context.signal)))
    throw new DeclinedError('Nothing was sent.', { hint: 'You said no.' });
}

async function look(context: Context, resource: Resource, operation: Operation, path: string, query: Query): Promise<void> {
  if (context.globals.dryRun) {
    const url = requestUrl(await context.host(), path, query);
    const ability = operation.abilities?.join(' or ');
    const cost = { read: requestCost({ method: 'GET', query, collection: false }) };
    return printRecord(context, { method: 'GET', url, cost, ...(ability !== undefined && { ability }) });
  }
  const response = await (await context.client()).send({ method: 'GET', path, query });
  if (response.error !== undefined) throw response.error;
  const body = response.body();
  const rows = isJsonObject(body) && Array.isArray(body['data']) ? body['data'] : Array.isArray(body) ? body : undefined;
  if (rows === undefined) return printAnswer(context, resource, response, operation.name);
  const records = rows.filter(isJsonObject);
  const columns = Object.keys(records[0] ?? { id: null }).slice(0, 6);
  await printRecords(context, records, columns);
  const links = isJsonObject(body) ? body['links'] : undefined;
  if (isJsonObject(links) && typeof links['next'] === 'string') await context.notice(`There is more: svc api ${path} --paginate`);
}

async function printAnswer(context: Context, resource: Resource, response: ApiResponse, words: string): Promise<void> {
  if (response.error !== undefined) throw response.error;
  const record = response.text() === '' ? undefined : unwrapRecord(response.body());
  if (record !== undefined) return printRecord(context, record, viewOf(resource));
  if ((await context.presentation()).isUnasked) await printLine(context, `Done: ${words}`);
}
