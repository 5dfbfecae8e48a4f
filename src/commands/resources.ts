import type { Described, Resource, Verb } from '../catalog/define.ts';
import { abilitiesFor, flagOf, METHODS, notesOf, verbsOf, wordsOf } from '../catalog/rules.ts';
import { defineCommand } from '../cli/spec.ts';
import { namedResource } from '../cli/words.ts';
import { NotFoundError } from '../errors.ts';
import { discover, entryOf, operationsOf, pathOf } from '../records/discovery.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printRecord, printRecords, printText } from '../session/print.ts';
import { alignColumns } from '../values/align-columns.ts';
import type { JsonObject } from '../values/json.ts';

export const resources = defineCommand({
  description:
    'svc lists the resources of your organisation, with paths, operations, permissions, and whether each resource is switched on. With a resource, svc shows its operations, filters and fields. svc marks each assumed fact that the service does not document.',
  args: [{ name: 'resource', summary: 'A resource, such as worklogs', optional: true }],
  examples: [
    { args: 'resources', does: 'List every resource' },
    { args: 'resources absences', does: 'Explain one resource' },
  ],
  async run(context: Needs<Printing | 'catalog' | 'client' | 'files' | 'host' | 'paths'>, { args: [noun] }) {
    // svc refuses an unknown resource before it sends a request.
    const resource = noun === undefined ? undefined : await namedResource(context.catalog, noun, 'resources');
    if (resource === undefined) await listAll(context);
    else await explain(context, resource);
  },
});

async function listAll(context: Needs<Printing | 'catalog' | 'client' | 'files' | 'host' | 'paths'>): Promise<void> {
  const entries = await discover(context);
  const nouns = context.catalog.nouns.filter(({ isDiscovered }) => isDiscovered !== true);
  const nounOf = new Map(nouns.map(({ noun }) => [entryOf(entries, noun), noun] as const));
  const found = entries.map((entry) => {
    const methods = [...new Set(operationsOf(entry).map((operation) => operation.split(' ')[0] ?? ''))];
    return { ...entry, noun: nounOf.get(entry) ?? null, methods: methods.join(' ') };
  });
  await printRecords(context, found, ['noun', 'path', 'item_path', 'permission_prefix', 'methods']);
  const known = found.filter(({ noun }) => noun !== null).length;
  const off = nouns.filter(({ noun }) => entryOf(entries, noun) === undefined).map(({ noun }) => noun);
  await context.notice(`This organisation has ${known} of svc’s ${nouns.length} resources.`);
  const { discoverResources } = await import('../records/discover-resources.ts');
  const also = await discoverResources(context, entries);
  if (also.length > 0) await context.notice(`svc now has commands for more resources: ${also.join(', ')}.`);
  if (off.length > 0) await context.notice(`Not enabled for this organisation: ${off.join(', ')}.`);
}

async function explain(context: Needs<Printing | 'catalog' | 'client'>, resource: Resource): Promise<void> {
  const entries = await discover(context);
  const entry = entryOf(entries, resource);
  if (entry === undefined) {
    throw new NotFoundError(`${resource.noun} is not enabled for this organisation.`, {
      hint: 'An administrator can enable the feature. To see the enabled resources: svc resources',
    });
  }
  const nested = (resource.nested ?? []).map((child) => ({ resource: child, entry: entryOf(entries, child) }));
  const description = describeResource(resource, entry, nested);
  if ((await context.presentation()).reader === 'person') return printText(context, resourceText(description, pathOf(entry['path'])));
  await printRecord(context, description);
}

type ResourceDescription = ReturnType<typeof describeResource>;

interface Child {
  readonly resource: Resource;
  readonly entry: JsonObject | undefined;
}

/** Describes a resource as data. `assumed` marks facts that the service does not document. */
function describeResource(resource: Resource, entry: JsonObject, nested: readonly Child[]) {
  const { noun, summary, path, described } = resource;
  const actions = [...(resource.actions ?? []), ...(described?.commands ?? [])].map(({ name }) => name);
  return {
    noun,
    summary,
    path,
    commands: [...verbsOf(resource).map((verb) => (verb === 'create' ? (resource.createAs?.name ?? verb) : verb)), ...actions],
    operations: operationsOf(entry),
    lacks: lackingVerbs(resource, entry),
    abilities: {
      read: abilitiesFor(resource, 'GET'),
      write: abilitiesFor(resource, 'POST'),
      delete: abilitiesFor(resource, 'DELETE'),
    },
    page_numbers: resource.counted,
    text_search: described === undefined ? (resource.parametersComplete ? 'no' : 'assumed') : described.search ? 'yes' : 'no',
    filters: Object.entries(resource.filters).map(([field, filter]) => ({
      field,
      kind: filter.kind,
      operators: filter.operators,
      ...(filter.values !== undefined && { values: filter.values }),
      assumed: filter.assumed ?? false,
    })),
    fields: Object.entries(resource.fields).map(([name, field]) => ({
      field: name,
      kind: field.kind,
      flag: field.write === undefined ? null : `--${flagOf(name, field)}`,
      refers_to: field.ref ?? null,
      assumed: field.assumed ?? false,
    })),
    relations: Object.entries(resource.relations ?? {}).map(([name, relation]) => ({
      name,
      foreign_key: relation.many || resource.fields[name]?.kind === 'html' ? null : (relation.key ?? `${name}_id`),
      many: relation.many ?? false,
      assumed: relation.assumed ?? false,
    })),
    nested: nested.map((child) => ({
      command: wordsOf(child.resource),
      path: child.resource.path,
      assumed: child.resource.pathAssumed ?? false,
      listed: child.entry !== undefined || operationsOf(entry).some((line) => line.includes(child.resource.path)),
    })),
    notes: notesOf(resource),
    description: described === undefined ? null : describedAs(described),
    discovery: entry,
  };
}

function describedAs({ host, schema, sorts, trashed, views, operations }: Described) {
  return {
    host,
    schema: schema ?? null,
    sorts: sorts ?? null,
    trashed,
    views: views === undefined ? null : { summary: views.summary ?? null, detail: views.detail ?? null },
    operations: operations.map(({ name, method, path, abilities, permission }) => ({
      name,
      method,
      path,
      abilities: abilities === undefined ? null : [...abilities],
      permission: permission ?? null,
    })),
  };
}

/** Lists the verbs without an operation of the service. The list is empty if the service reports no operation that reads the resource. */
function lackingVerbs(resource: Resource, entry: JsonObject): Verb[] {
  const operations = operationsOf(entry).map((line) => {
    const [method, path] = line.split(' ');
    return `${method} ${pathOf(path)}`;
  });
  if (!operations.some((line) => line === `GET ${resource.path}` || line === `GET ${resource.path}/{}`)) return [];
  return verbsOf(resource).filter((verb) => {
    const path = verb === 'list' || verb === 'create' ? resource.path : `${resource.path}/{}`;
    return !operations.includes(`${METHODS[verb]} ${path}`);
  });
}

function resourceText(description: ResourceDescription, path: string | undefined): string {
  const { noun, summary, abilities, filters, fields, relations, nested } = description;
  const assumed = (is: boolean) => (is ? 'assumed' : '');
  const sections = [
    `${noun}: ${summary}`,
    section(
      'Commands',
      description.commands.map((command) => `svc ${noun} ${command}`),
    ),
    section(
      'Paths and operations',
      description.operations.length > 0 ? description.operations : [path === undefined ? 'no list of all records' : `/${noun}`],
    ),
    section('Not available', description.lacks.length === 0 ? [] : [`no operation for: ${description.lacks.join(', ')}`]),
    section('Abilities', alignColumns(Object.entries(abilities).map(([verb, names]) => [verb, names.join(' or ')]))),
    section('Lists', [
      `page numbers: ${description.page_numbers ? 'yes' : 'no'}`,
      `text search: ${description.text_search}`,
      ...listFacts(description),
    ]),
    section('Filters', alignColumns(filters.map((one) => [one.field, one.kind, ['=', ...one.operators].join(' '), assumed(one.assumed)]))),
    section('Fields', alignColumns(fields.map((one) => [one.field, one.kind, one.flag ?? '', one.refers_to ?? '', assumed(one.assumed)]))),
    section(
      'Relations, for --include',
      alignColumns(relations.map((one) => [one.name, one.many ? 'many' : (one.foreign_key ?? 'on demand'), assumed(one.assumed)])),
    ),
    section('Child records', alignColumns(nested.map((one) => [`svc ${one.command}`, one.path, assumed(one.assumed)]))),
    section('Notes', [
      ...description.notes,
      ...(description.description === null
        ? ['The service does not document an assumed fact. If the service refuses an assumed filter, svc filters the rows itself.']
        : [`As ${description.description.host} describes it: svc schema show ${noun}`]),
    ]),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function listFacts({ description }: ResourceDescription): string[] {
  if (description === null) return [];
  const { sorts, trashed } = description;
  return [
    ...(sorts === null ? [] : [`sorts: ${sorts.join(', ') || 'none'}`]),
    ...(trashed.length === 0 ? [] : [`trashed: ${trashed.join(', ')}`]),
  ];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}`;
}
