import { assumedIn, type RefusalMemory, refusedIn, rememberedName } from '../client/assumed.ts';
import { ForbiddenError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { openKeptRefusals } from '../session/kept-refusals.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import { ownEntry } from '../values/own-entry.ts';
import type { FilteredRows } from './filtered-rows.ts';
import { type KnownNames, keptNames, type Naming } from './kept-names.ts';

/** A field of a row that refers to another record. */
export interface Reference {
  /** Where its id is: `project_id`. */
  readonly field: string;
  /** Where the record itself is, if it was asked for: `project`. */
  readonly relation: string;
  /** What it is one of. */
  readonly noun: string | undefined;
  /** `include` adds it, as far as is known. */
  readonly includes: boolean;
}

export interface NamedRowsOptions {
  /** The collection, with ids or without: what the service refused of it is not asked for. */
  readonly path: string;
  /** The most important first. */
  readonly references: readonly Reference[];
  /** What somebody asked for with `--include`. */
  readonly asked: readonly string[];
  /** A walk begun in a query may only go on in the same: nothing is included then. */
  readonly goesOn: boolean;
  /** The rows with these relations besides those that were asked for. */
  readonly open: (include: readonly string[]) => FilteredRows;
  /** Tells with which relations the rows came besides those that were asked for. */
  readonly onIncluded: (relations: readonly string[]) => void;
}

/**
 * The rows for a table: in each, what it refers to is replaced by what people call that. The service is asked for names with the
 * rows; relations that it will not add are remembered for a day, and named from what is kept, or by their number.
 */
export async function namedRows(
  context: Needs<Naming>,
  { path, references, asked, goesOn, open, onIncluded }: NamedRowsOptions,
): Promise<FilteredRows> {
  const { extra: first, nouns } = await namesToAsk(context, { path, references, asked, goesOn });
  let extra = first;
  let stream = open(extra);
  const names = keptNames(context, nouns);

  async function* batches(): AsyncGenerator<readonly JsonObject[]> {
    for (;;) {
      let begun = false;
      try {
        for await (const batch of stream.batches()) {
          if (!begun) onIncluded(extra);
          begun = true;
          const known = await names;
          yield batch.map((row) => named(row, references, known));
        }
        return;
      } catch (error) {
        const some = begun ? [] : refusedOf(error, extra);
        if (some.length === 0) throw error;
        extra = extra.filter((relation) => !some.includes(relation));
        stream = open(extra);
      }
    }
  }

  return {
    batches,
    count: (signal) => stream.count(signal),
    position: () => stream.position(),
  };
}

/** What naming costs: relations that come with the rows, and nouns of which names are kept. */
export interface NamesToAsk {
  readonly extra: readonly string[];
  readonly nouns: readonly string[];
}

/** What {@link namedRows} would ask for, in a list that is not sent. */
export async function namesToAsk(
  context: Needs<Naming>,
  options: Pick<NamedRowsOptions, 'path' | 'references' | 'asked' | 'goesOn'>,
): Promise<NamesToAsk> {
  return chooseNames(options, context.globals.noCache ? { has: () => false } : await openKeptRefusals(context));
}

function chooseNames(
  { path, references, asked, goesOn }: Pick<NamedRowsOptions, 'path' | 'references' | 'asked' | 'goesOn'>,
  refusals: Pick<RefusalMemory, 'has'>,
): NamesToAsk {
  const extra = references
    .filter(
      ({ relation, includes }) =>
        includes && !goesOn && !asked.includes(relation) && !refusals.has(rememberedName(path, `include=${relation}`)),
    )
    .map(({ relation }) => relation);
  const unnamed = references.filter(({ relation }) => !asked.includes(relation) && !extra.includes(relation));
  return { extra, nouns: unnamed.flatMap(({ noun }) => noun ?? []) };
}

/** The relations that a refusal is about, of those that svc added; none where it is about something else. */
function refusedOf(error: unknown, extra: readonly string[]): readonly string[] {
  if (error instanceof ForbiddenError) return extra;
  const refused = refusedIn(error, assumedIn(extra));
  return extra.filter((relation) => refused.includes(`include=${relation}`));
}

/** The row with names in place of the records that it refers to; what the service does not show stays absent. */
function named(row: JsonObject, references: readonly Reference[], known: KnownNames): JsonObject {
  const shown = { ...row };
  for (const { field, relation, noun } of references) {
    const text = nameOf(ownEntry(row, relation), ownEntry(row, field), known.get(noun ?? ''));
    if (text !== undefined) shown[relation] = text;
  }
  return shown;
}

/** A related record, or a key, by what people call it; else its id by a name that is kept; else `#7`. */
function nameOf(
  record: JsonValue | undefined,
  id: JsonValue | undefined,
  names: ReadonlyMap<string, string> | undefined,
): JsonValue | undefined {
  if (isJsonObject(record)) return labelOf(record);
  if (typeof record === 'string' && record !== '') return record;
  // Null may mean that the record may not be seen, while its id is told (rule 2.38).
  if (id === undefined || id === null) return record ?? id;
  const text = scalarText(id);
  return names?.get(text) ?? `#${text}`;
}

/** What people call a record, in a cell: by its name; a work item by its key and title. */
function labelOf(record: JsonObject): string {
  const text = (name: string) => scalarText(ownEntry(record, name) ?? null);
  const name = text('name') || text('title') || text('number') || text('label');
  const label = [text('issue_key'), name].filter((part) => part !== '').join(' ');
  return label || (text('id') === '' ? '' : `#${text('id')}`);
}
