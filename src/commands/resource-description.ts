import type { Described, Field, Resource, Verb } from '../catalog/define.ts';
import { abilitiesFor, flagOf, notesOf, verbsOf, wordsOf } from '../catalog/rules.ts';
import { operationsOf, pathOf } from '../records/discovery-entry.ts';
import type { JsonObject } from '../values/json.ts';

/** What svc knows of a resource, and what discovery says of it here. */
export interface ResourceDescription extends JsonObject {
  readonly noun: string;
  readonly summary: string;
  readonly path: string;
  readonly commands: readonly string[];
  readonly operations: readonly string[];
  /** Commands for which discovery names no operation. */
  readonly lacks: readonly string[];
  readonly abilities: { readonly read: readonly string[]; readonly write: readonly string[]; readonly delete: readonly string[] };
  readonly page_numbers: boolean;
  /** `q` is documented for collections that have text, and which those are is not; the organisation's own description says it. */
  readonly text_search: 'no' | 'yes' | 'assumed';
  readonly filters: readonly FilterDescription[];
  readonly fields: readonly FieldDescription[];
  readonly relations: readonly RelationDescription[];
  readonly nested: readonly NestedDescription[];
  readonly notes: readonly string[];
  /** What the organisation's imported description says besides; null where none was imported. */
  readonly description: DescriptionFacts | null;
  /** The entry as it came. */
  readonly discovery: JsonObject;
}

interface DescriptionFacts extends JsonObject {
  readonly host: string;
  readonly schema: string | null;
  /** Null: not described. */
  readonly sorts: readonly string[] | null;
  readonly trashed: readonly string[];
  readonly views: { readonly summary: readonly string[] | null; readonly detail: readonly string[] | null } | null;
  readonly operations: readonly JsonObject[];
}

interface FilterDescription extends JsonObject {
  readonly field: string;
  readonly kind: string;
  readonly operators: readonly string[];
  /** Values that the organisation's description names. */
  readonly values?: readonly string[];
  /** Not documented; where the service refuses it, svc filters the rows itself. */
  readonly assumed: boolean;
}

interface FieldDescription extends JsonObject {
  readonly field: string;
  readonly kind: string;
  /** Null where nothing sets it. */
  readonly flag: string | null;
  readonly refers_to: string | null;
  readonly assumed: boolean;
}

interface RelationDescription extends JsonObject {
  readonly name: string;
  readonly foreign_key: string | null;
  readonly many: boolean;
  readonly assumed: boolean;
}

interface NestedDescription extends JsonObject {
  readonly command: string;
  readonly path: string;
  /** The documentation names it without spelling out its path. */
  readonly assumed: boolean;
  /** Whether discovery lists it; not every service lists what lies below a record. */
  readonly listed: boolean;
}

/** One resource, explained as data. */
export function describeResource(
  resource: Resource,
  entry: JsonObject,
  nested: readonly { readonly resource: Resource; readonly entry: JsonObject | undefined }[],
): ResourceDescription {
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
    fields: Object.entries(resource.fields).map(([name, field]) => describeField(name, field)),
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

function describedAs({ host, schema, sorts, trashed, views, operations }: Described): DescriptionFacts {
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

const METHODS: Readonly<Record<Verb, string>> = { list: 'GET', get: 'GET', create: 'POST', update: 'PATCH', delete: 'DELETE' };

/** The verbs without an operation, where discovery tells methods and paths; where it does not, nobody knows. */
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

function describeField(name: string, field: Field): FieldDescription {
  return {
    field: name,
    kind: field.kind,
    flag: field.write === undefined ? null : `--${flagOf(name, field)}`,
    refers_to: field.ref ?? null,
    assumed: field.assumed ?? false,
  };
}

/** The same as a page to read. */
export function resourceText(description: ResourceDescription, path: string | undefined): string {
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
      description.operations.length > 0 ? description.operations : [path === undefined ? 'no list of all of them' : `/${noun}`],
    ),
    section('Not here', description.lacks.length === 0 ? [] : [`no operation for: ${description.lacks.join(', ')}`]),
    section('Abilities', columns(Object.entries(abilities).map(([verb, names]) => [verb, names.join(' or ')]))),
    section('Lists', [
      `page numbers: ${description.page_numbers ? 'yes' : 'no'}`,
      `text search: ${description.text_search}`,
      ...listFacts(description),
    ]),
    section('Filters', columns(filters.map((one) => [one.field, one.kind, ['=', ...one.operators].join(' '), assumed(one.assumed)]))),
    section('Fields', columns(fields.map((one) => [one.field, one.kind, one.flag ?? '', one.refers_to ?? '', assumed(one.assumed)]))),
    section(
      'Relations, for --include',
      columns(relations.map((one) => [one.name, one.many ? 'many' : (one.foreign_key ?? 'on demand'), assumed(one.assumed)])),
    ),
    section('Below one of them', columns(nested.map((one) => [`svc ${one.command}`, one.path, assumed(one.assumed)]))),
    section('Good to know', [
      ...description.notes,
      ...(description.description === null
        ? ['What is assumed is not documented. A filter of that kind which the service refuses is applied by svc itself.']
        : [`As ${description.description.host} describes it: svc schema show ${noun}`]),
    ]),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** What only a description tells of a list. */
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

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
}
