import { abilityFor, type Field, flagOf, type Resource, verbsOf } from '../catalog/define.ts';
import { CATALOG, findResource } from '../catalog/index.ts';
import { rows } from '../client/pages.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import type { JsonObject } from '../values/json.ts';
import { nearest } from '../values/suggest.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { printRecord, printRecords } from './print.ts';

/** `svc resources [noun]`: what this organisation has, from discovery (rules on `GET /`). */
export const resources = defineCommand({
  name: 'resources',
  summary: 'What your organisation has',
  description:
    'Asks the service what this organisation has: paths, operations, permission prefix, and which of svc’s resources are switched off here. With a resource, explains that one: what can be done, filtered and set, and what is assumed because the service does not document it.',
  args: [{ name: 'noun', summary: 'A resource, such as worklogs', optional: true }],
  examples: [
    { args: 'resources', does: 'Everything' },
    { args: 'resources absences', does: 'One resource, explained' },
  ],
  async run(context, { args }) {
    const entries = await discover(context);
    const [noun] = args;
    if (noun !== undefined) return explain(context, noun, entries);
    const found = entries.map((entry) => ({ ...entry, noun: nounOf(entry) ?? null }));
    await printRecords(context, found, ['noun', 'path', 'item_path', 'permission_prefix']);
    const off = CATALOG.filter((resource) => !entries.some((entry) => pathOf(entry) === resource.path)).map((resource) => resource.noun);
    if (off.length > 0) await context.notice(`Not enabled for this organisation: ${off.join(', ')}.`);
  },
});

async function discover(context: Context): Promise<JsonObject[]> {
  const client = await context.client();
  const entries: JsonObject[] = [];
  for await (const entry of rows(client, { method: 'GET', path: '/' })) entries.push(entry);
  return entries;
}

/** A discovery path may be relative, rooted at the host, or absolute (rule 18: discovery paths); here `/worklogs`. */
function pathOf(entry: JsonObject): string | undefined {
  const path = entry['path'];
  if (typeof path !== 'string') return undefined;
  const rooted = path.replace(/^https?:\/\/[^/]+/, '').replace(/^\/api\/v2(?=\/|$)/, '');
  return rooted.startsWith('/') ? rooted : `/${rooted}`;
}

function nounOf(entry: JsonObject): string | undefined {
  const path = pathOf(entry);
  return CATALOG.find((resource) => resource.path === path)?.noun;
}

async function explain(context: Context, noun: string, entries: readonly JsonObject[]): Promise<void> {
  const resource = findResource(noun);
  if (resource === undefined) {
    const near = nearest(
      noun,
      CATALOG.flatMap((entry) => [entry.noun, entry.singular]),
    );
    throw new UsageError(`"${noun}" is no resource of svc.`, {
      hint: near === undefined ? 'See: svc resources' : `Did you mean: svc resources ${near}`,
    });
  }
  const entry = entries.find((candidate) => pathOf(candidate) === resource.path);
  if (entry === undefined) {
    throw new NotFoundError(`${resource.noun} is not enabled for this organisation.`, {
      hint: 'An administrator can enable the feature. What there is: svc resources',
    });
  }
  await printRecord(context, describe(resource, entry));
}

function describe(resource: Resource, entry: JsonObject): JsonObject {
  return {
    noun: resource.noun,
    summary: resource.summary,
    path: resource.path,
    verbs: verbsOf(resource),
    actions: (resource.actions ?? []).map(({ name }) => name),
    abilities: [...new Set(['GET', 'POST', 'DELETE'].map((method) => abilityFor(resource, method)))],
    page_numbers: resource.counted,
    filters: Object.entries(resource.filters).map(
      ([name, filter]) => `${[name, ...filter.operators.map((operator) => `.${operator}`)].join(' ')}${filter.assumed ? ' (assumed)' : ''}`,
    ),
    fields: Object.entries(resource.fields).map(([name, field]) => describeField(name, field)),
    relations: Object.entries(resource.relations ?? {}).map(
      ([name, relation]) => `${name}${relation.many ? ' (many)' : ''}${relation.assumed ? ' (assumed)' : ''}`,
    ),
    notes: resource.notes ?? [],
    discovery: entry,
  };
}

function describeField(name: string, field: Field): string {
  const parts = [`${name}: ${field.kind}`];
  if (field.write !== undefined) parts.push(`--${flagOf(name, field)}`);
  if (field.assumed) parts.push('assumed');
  return parts.join(', ');
}
