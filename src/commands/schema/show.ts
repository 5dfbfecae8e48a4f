import { builtInCatalog } from '../../catalog/index.ts';
import { defineCommand } from '../../cli/spec.ts';
import { NotFoundError } from '../../errors.ts';
import { fieldText, filterText, flatResources, operationText } from '../../schema/compare.ts';
import type { DescribedResource, StoredIndex } from '../../schema/described.ts';
import { type Certainty, type FromCatalog, fromCatalog } from '../../schema/from-catalog.ts';
import { storedIndex, storedResources } from '../../schema/stored-schema.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printRecords } from '../../session/print.ts';
import type { JsonObject } from '../../values/json.ts';

export const showSchema = defineCommand({
  description:
    'svc lists every resource that it knows. With a resource, svc lists its fields, filters, sorts, includes and operations. Each fact has a source. Described: in the API spec that you imported. Documented: in the documentation of the service. Assumed: in neither source. Missing: the imported API spec has no such resource. svc sends no request.',
  args: [{ name: 'resource', summary: 'A resource; for child records, both words', optional: true, variadic: true }],
  examples: [
    { args: 'schema show', does: 'List every resource' },
    { args: 'schema show absences', does: 'Show one resource' },
    { args: 'schema show work-items subtasks', does: 'Show the child records of a resource' },
  ],
  async run(context: Needs<Printing | 'files' | 'host' | 'notice' | 'paths'>, { args }) {
    const host = await context.host();
    const index = await storedIndex(context, host);
    const described = flatResources(index === undefined ? [] : await storedResources(context, host, index));
    const catalog = await catalogResources();
    if (args.length === 0) {
      await listAll(context, described, catalog);
      return printSource(context, host.name, index);
    }
    // An imported API spec lists all resources of the organisation, so svc’s own catalog adds none.
    const name = nameOf(args.join(' '), described, described.size > 0 ? new Map() : catalog);
    if (name === undefined)
      throw new NotFoundError(`svc knows no resource ${args.join(' ').slice(0, 100)} of ${host.name}.`, {
        hint: 'To see what svc knows: svc schema show',
      });
    await printRecords(context, rowsOf(described.get(name), catalog.get(name)), ['what', 'name', 'is', 'known']);
  },
});

/** Returns every resource of the built-in catalog, by the words that a user types. */
export async function catalogResources(): Promise<Map<string, FromCatalog>> {
  const resources = await builtInCatalog().all();
  return new Map(
    resources.map((resource) => [resource.parent ? `${resource.parent.noun} ${resource.noun}` : resource.noun, fromCatalog(resource)]),
  );
}

type Described = ReadonlyMap<string, DescribedResource>;
type Entries = ReadonlyMap<string, FromCatalog>;

/** Finds the resource with the typed name, plural or singular. */
function nameOf(typed: string, described: Described, catalog: Entries): string | undefined {
  if (described.has(typed) || catalog.has(typed)) return typed;
  const all = [...described, ...[...catalog].map(([name, { noun }]) => [name, noun] as const)];
  return all.find(([name, { singular }]) => !name.includes(' ') && singular === typed)?.[0];
}

async function listAll(context: Needs<Printing>, described: Described, catalog: Entries): Promise<void> {
  const rows = [...new Set([...catalog.keys(), ...described.keys()])].map((name): JsonObject => {
    const isMissing = described.size > 0 && !described.has(name);
    const facts = isMissing ? [] : rowsOf(described.get(name), catalog.get(name));
    const count = (known: Certainty) => facts.filter((fact) => fact['known'] === known).length;
    const { path = null, itemPath = null } = described.get(name) ?? catalog.get(name)?.noun ?? {};
    const from = isMissing
      ? 'missing'
      : described.has(name)
        ? 'described'
        : catalog.get(name)?.isAssumed('path', '')
          ? 'assumed'
          : 'documented';
    return {
      noun: name,
      known: from,
      path: path ?? itemPath,
      described: count('described'),
      documented: count('documented'),
      assumed: count('assumed'),
    };
  });
  await printRecords(context, rows, ['noun', 'known', 'path', 'described', 'documented', 'assumed']);
}

async function printSource(context: Needs<'notice'>, host: string, index: StoredIndex | undefined): Promise<void> {
  if (index === undefined) return context.notice(`No API spec of ${host} is imported. To import an API spec: svc schema import <file>`);
  const { title, version, importedAt, source } = index;
  await context.notice(`${[title, version].filter(Boolean).join(' ') || 'An API spec'}, imported ${importedAt} from ${source}.`);
}

/** Returns one row for each fact about a resource. For facts that the API spec does not list, svc uses the catalog. */
function rowsOf(described: DescribedResource | undefined, catalog: FromCatalog | undefined): JsonObject[] {
  const rows: JsonObject[] = [];
  const add = <Entry>(
    what: 'field' | 'filter' | 'include',
    own: Readonly<Record<string, Entry>> | undefined,
    known: Readonly<Record<string, Entry>> | undefined,
    text: (entry: Entry) => string,
  ) => {
    for (const [name, entry] of Object.entries(own ?? {})) rows.push({ what, name, is: text(entry), known: 'described' });
    // The API spec’s list of fields, filters or includes is complete, so the catalog adds none.
    if (own !== undefined) return;
    for (const [name, entry] of Object.entries(known ?? {}))
      rows.push({ what, name, is: text(entry), known: catalog?.isAssumed(what, name) ? 'assumed' : 'documented' });
  };
  add('field', described?.fields, catalog?.noun.fields, fieldText);
  add('filter', described?.list?.filters, described === undefined ? catalog?.noun.list?.filters : undefined, filterText);
  for (const name of described?.list?.sorts ?? []) rows.push({ what: 'sort', name, is: '', known: 'described' });
  add('include', described?.includes, catalog?.noun.includes, ({ many, ref }: { readonly many?: true; readonly ref?: string }) =>
    [many ? 'many' : 'one', ref && `of ${ref}`].filter(Boolean).join(' '),
  );
  for (const [view, names] of Object.entries(described?.views ?? {}))
    rows.push({ what: 'view', name: view, is: names.join(' '), known: 'described' });
  const operations = described?.operations ?? catalog?.noun.operations ?? [];
  const source = described !== undefined ? 'described' : catalog?.isAssumed('path', '') ? 'assumed' : 'documented';
  for (const operation of operations) rows.push({ what: 'operation', name: operation.name, is: operationText(operation), known: source });
  return rows;
}

export function nothingImported(host: string): NotFoundError {
  return new NotFoundError(`No API spec of ${host} is imported here.`, { hint: 'Import an API spec: svc schema import <file>' });
}
