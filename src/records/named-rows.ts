import type { Resource } from '../catalog/define.ts';
import { abilitiesFor, relationOf } from '../catalog/rules.ts';
import { assumedIn, refusedIn, rememberedName } from '../client/assumed.ts';
import { type Query, requestCost } from '../client/cost.ts';
import { requestUrl } from '../client/origin.ts';
import { ForbiddenError, NotFoundError, RefusedError, UnavailableError, UsageError, undefinedFor } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { openCachedRefusals } from '../session/day-memory.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownEntry, scalarText } from '../values/json.ts';
import { together } from '../values/together.ts';
import { includeQuery, openRows } from './all-rows.ts';
import { cachedNames, type KnownNames, type Naming, resourcesToRead } from './cached-names.ts';
import type { FilteredRows } from './filtered-rows.ts';
import { itemPath } from './paths.ts';
import { recordAt } from './record-at.ts';

export interface Reference {
  /** The field with the id of the related record: `project_id`. */
  readonly field: string;
  /** The field with the related record, if svc included it: `project`. */
  readonly relation: string;
  readonly noun: string | undefined;
  /** True if `include` adds the relation, as far as svc knows. */
  readonly includes: boolean;
}

export interface NamedRowsOptions {
  /** The path of the resource, with or without ids. svc stores refused relations under this path. */
  readonly path: string;
  readonly references: readonly Reference[];
  readonly requested?: readonly string[];
  /** True if the read continues an earlier read. The query must then stay the same, so svc adds no relations. */
  readonly isContinued?: boolean;
  readonly open: (include: readonly string[]) => FilteredRows;
  readonly onIncluded?: (relations: readonly string[]) => void;
}

/**
 * Reads rows together with the names of related records. svc remembers a refused relation for a day. Such a relation shows a cached name or
 * the number.
 */
export async function namedRows(
  context: Needs<Naming>,
  { path, references, requested = [], isContinued = false, open, onIncluded }: NamedRowsOptions,
): Promise<FilteredRows> {
  const { extra: first, nouns } = await namesToRead(context, { path, references, requested, isContinued });
  let extra = first;
  let stream = open(extra);
  let names = cachedNames(context, nouns);

  async function* batches(): AsyncGenerator<readonly JsonObject[]> {
    for (;;) {
      let started = false;
      try {
        for await (const batch of stream.batches()) {
          if (!started) onIncluded?.(extra);
          started = true;
          const known = await names;
          yield batch.map((row) => named(row, references, known));
        }
        return;
      } catch (error) {
        const some = started ? [] : refusedOf(error, extra);
        if (some.length === 0) throw error;
        extra = extra.filter((relation) => !some.includes(relation));
        stream = open(extra);
        names = cachedNames(context, unnamedAmong(references, [...requested, ...extra]));
      }
    }
  }

  return {
    batches,
    count: (signal) => stream.count(signal),
    position: () => stream.position(),
  };
}

type NamesQuestion = Pick<NamedRowsOptions, 'path' | 'references' | 'requested' | 'isContinued'>;

async function namesToRead(context: Needs<Naming>, { path, references, requested = [], isContinued = false }: NamesQuestion) {
  const refusals = context.globals.noCache ? { has: () => false } : await openCachedRefusals(context);
  const extra = references
    .filter(
      ({ relation, includes }) =>
        includes && !isContinued && !requested.includes(relation) && !refusals.has(rememberedName(path, `include=${relation}`)),
    )
    .map(({ relation }) => relation);
  return { extra, nouns: unnamedAmong(references, [...requested, ...extra]) };
}

/** Returns the resources whose names no included relation contains. */
function unnamedAmong(references: readonly Reference[], included: readonly string[]): readonly string[] {
  return references.flatMap(({ relation, noun }) => (noun === undefined || included.includes(relation) ? [] : [noun]));
}

/** Returns the relations that a refusal concerns, among the relations that svc added. Empty if the refusal has another reason. */
function refusedOf(error: unknown, extra: readonly string[]): readonly string[] {
  if (error instanceof ForbiddenError) return extra;
  const refused = refusedIn(error, assumedIn(extra));
  return extra.filter((relation) => refused.includes(`include=${relation}`));
}

function named(row: JsonObject, references: readonly Reference[], known: KnownNames): JsonObject {
  const shown = { ...row };
  for (const { field, relation, noun } of references) {
    const text = nameOf(ownEntry(row, relation), ownEntry(row, field), known.get(noun ?? ''));
    if (text !== undefined) shown[relation] = text;
  }
  return shown;
}

/** Returns the name or key of a related record, otherwise the cached name for its id, otherwise `#7`. */
function nameOf(
  record: JsonValue | undefined,
  id: JsonValue | undefined,
  names: ReadonlyMap<string, string> | undefined,
): JsonValue | undefined {
  if (isJsonObject(record)) return labelOf(record);
  if (typeof record === 'string' && record !== '') return record;
  // Null may mean that the user can’t see the record, although the service sends its id (rule 2.38).
  if (id === undefined || id === null) return record ?? id;
  const text = scalarText(id);
  return names?.get(text) ?? `#${text}`;
}

function labelOf(record: JsonObject): string {
  const text = (name: string) => scalarText(ownEntry(record, name) ?? null);
  const name = text('name') || text('title') || text('number') || text('label');
  const label = [text('issue_key'), name].filter((part) => part !== '').join(' ');
  return label || (text('id') === '' ? '' : `#${text('id')}`);
}

/** A foreign key of a record, without the name of the related record: `reporter_id`, `tag_ids`. */
interface BareKey {
  readonly field: string;
  readonly relation: string;
  readonly noun: string | undefined;
}

/** Adds names to the record at a path. `covered`: the relations that {@link namedRows} names. */
type NameKeys = (path: string, record: JsonObject, covered: readonly string[]) => Promise<JsonObject>;

/**
 * Creates a function that adds names to foreign keys. The function leaves out keys that the first request named. Without a cached name, the
 * function requests the relations of the keys (rule 2.3) in one further request. If the service refuses a relation, the function reads the
 * related record.
 */
export function createKeyNamer(context: Needs<Naming>, resource: Resource): NameKeys {
  const cached = new Map<string, Promise<KnownNames>>();
  const cachedName = async ({ field, noun }: BareKey, record: JsonObject): Promise<string | undefined> => {
    if (noun === undefined) return undefined;
    const names = cached.get(noun) ?? cachedNames(context, [noun]);
    cached.set(noun, names);
    return (await names).get(noun)?.get(scalarText(ownEntry(record, field) ?? null));
  };
  return async (path, record, covered) => {
    const bare = (await bareKeys(context, resource, record)).filter(({ relation }) => !covered.includes(relation));
    const names = await Promise.all(bare.map((key) => cachedName(key, record)));
    const requested = bare.filter((_, index) => names[index] === undefined).map(({ relation }) => relation);
    const related = await relationsAt(context, path, requested);
    const found = new Map(
      await together(
        ...bare.map(async (key, index) => {
          const name = names[index] ?? labelsOf(related[key.relation]) ?? (await ownName(context, key, record));
          return [key.field, { relation: key.relation, name }] as const;
        }),
      ),
    );
    const shown = Object.entries(record).map(([field, value]): [string, JsonValue] => {
      const { relation = field, name = value } = found.get(field) ?? {};
      return name === value ? [field, value] : [relation, name];
    });
    return Object.fromEntries(shown);
  };
}

async function bareKeys({ catalog }: Needs<'catalog'>, resource: Resource, record: JsonObject): Promise<readonly BareKey[]> {
  const keys = Object.entries(record).map(async ([field, value]): Promise<BareKey | undefined> => {
    const [, stem = '', many = ''] = /^(?!external_)(\w+)_id(s?)$/.exec(field) ?? [];
    const relation = relationOf(resource, field) ?? `${stem}${many}`;
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (stem === '' || isEmpty || Object.hasOwn(record, relation)) return undefined;
    const noun = ownEntry(resource.fields, field)?.ref ?? (await catalog.find(stem.replaceAll('_', '-')))?.noun;
    return { field, relation, noun };
  });
  return (await Promise.all(keys)).filter((key) => key !== undefined);
}

/** Returns the name of the record that a foreign key means, read by its id. Undefined if svc cannot read the record. */
async function ownName(context: Needs<Naming>, { field, noun }: BareKey, record: JsonObject): Promise<JsonValue | undefined> {
  const resource = noun === undefined ? undefined : await context.catalog.find(noun);
  const id = ownEntry(record, field);
  if (resource === undefined || resource.parent !== undefined || typeof id !== 'number') return undefined;
  const reading = recordAt(context, itemPath(resource, String(id)));
  return labelsOf((await reading.catch(undefinedFor(RefusedError, ForbiddenError, NotFoundError, UnavailableError, UsageError)))?.record);
}

/** Reads some relations of a record. Returns no relations if svc can’t read the record. */
async function relationsAt(context: Needs<'client'>, path: string, relations: readonly string[]): Promise<JsonObject> {
  if (relations.length === 0) return {};
  try {
    return await recordIncluding(context, path, relations);
  } catch (error) {
    const refused = refusedOf(error, relations);
    const rest = relations.filter((relation) => !refused.includes(relation));
    if (refused.length > 0) return relationsAt(context, path, rest);
    return undefinedFor(RefusedError, NotFoundError, UnavailableError, UsageError)(error) ?? {};
  }
}

function labelsOf(related: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(related)) return related.map((each: JsonValue) => labelsOf(each) ?? null);
  return (isJsonObject(related) && labelOf(related)) || undefined;
}

export interface PlannedList {
  readonly resource: Resource;
  readonly path: string;
  readonly cost: (query: Query) => number;
  readonly names: NamesQuestion;
  readonly queries: (added: readonly string[]) => readonly Query[];
}

/**
 * Describes the requests of a list for `--dry-run`. Each request has its cost in rate-limit units (rules 15.15 to 15.22), and the ability
 * that the request needs. Sends no request.
 */
export async function describeList(
  context: Needs<Naming>,
  { resource, path, cost, names, queries }: PlannedList,
): Promise<readonly JsonObject[]> {
  const host = await context.host();
  const { extra, nouns } = await namesToRead(context, names);
  const read = (of: Resource, at: string, query: Query, units: number): JsonObject => ({
    method: 'GET',
    url: requestUrl(host, at, query),
    cost: { read: units },
    ability: abilitiesFor(of, 'GET').join(' or '),
  });
  const requested = await Promise.all(
    (await resourcesToRead(context, nouns)).map(async (noun) => {
      const named = await context.catalog.find(noun);
      const query: Query = [['per_page', '100']];
      return named === undefined ? [] : [read(named, named.path, query, requestCost({ method: 'GET', query }))];
    }),
  );
  return [...queries(extra).map((query) => read(resource, path, query, cost(query))), ...requested.flat()];
}

/** Returns all child records of a parent, with names instead of ids, and the rate-limit units that svc spent. */
export async function childRows(
  context: Needs<Naming>,
  { path, references }: Pick<NamedRowsOptions, 'path' | 'references'>,
): Promise<{ readonly rows: readonly JsonObject[]; readonly units: number }> {
  const client = await context.client();
  let units = 0;
  client.watch((exchange) => {
    if (new URL(exchange.url).pathname.endsWith(path)) units += exchange.units;
  });
  const stream = await namedRows(context, { path, references, open: (include) => openRows(client, path, [], { include }) });
  return { rows: (await Array.fromAsync(stream.batches())).flat(), units };
}

export async function namedRecordAt(
  context: Needs<Naming>,
  { path, references }: Pick<NamedRowsOptions, 'path' | 'references'>,
  plain: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const open = (include: readonly string[]) =>
    uncountedRows(async function* () {
      yield [include.length === 0 ? await plain() : await recordIncluding(context, path, include)];
    });
  const [[record = {}] = []] = await Array.fromAsync((await namedRows(context, { path, references, open })).batches());
  return record;
}

/** Reads a record with undocumented relations. Each relation costs a further rate-limit unit. */
export async function recordIncluding(context: Needs<'client'>, path: string, include: readonly string[]): Promise<JsonObject> {
  return (await recordAt(context, path, includeQuery(include), { cost: 1 + include.length, assumed: assumedIn(include) })).record;
}

/** Wraps rows that do not come from a list of the service, such as single records. */
export function uncountedRows(batches: FilteredRows['batches']): FilteredRows {
  return {
    batches,
    count: async () => undefined,
    position: () => ({ rows: 0, total: undefined, more: false, cursor: undefined, page: undefined, skip: 0 }),
  };
}
