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
  /** The field with its id: `project_id`. */
  readonly field: string;
  /** The field with the record itself, if it was included: `project`. */
  readonly relation: string;
  /** The resource of the record. */
  readonly noun: string | undefined;
  /** Whether `include` adds it, as far as is known. */
  readonly includes: boolean;
}

export interface NamedRowsOptions {
  /** The collection, with or without ids: svc remembers by it which relations the service refused. */
  readonly path: string;
  /** The most important first. */
  readonly references: readonly Reference[];
  /** The relations that somebody typed with `--include`. */
  readonly asked: readonly string[];
  /** Whether a walk continues an earlier one. It must keep the same query, so nothing is included. */
  readonly goesOn: boolean;
  /** Opens the rows with these relations, in addition to those that somebody typed. */
  readonly open: (include: readonly string[]) => FilteredRows;
  /** Reports the relations of the rows, in addition to those that somebody typed. */
  readonly onIncluded: (relations: readonly string[]) => void;
}

/**
 * The rows for a table, with names instead of references. svc asks for the names together with the rows. It remembers a refused
 * relation for a day, and shows a kept name or the number instead.
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

/** The cost of names: relations that come with the rows, and resources whose names svc keeps. */
export interface NamesToAsk {
  readonly extra: readonly string[];
  readonly nouns: readonly string[];
}

/** The names that {@link namedRows} would ask for, in a list that is not sent. */
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

/** The row with names instead of references; a field that the service does not show stays absent. */
function named(row: JsonObject, references: readonly Reference[], known: KnownNames): JsonObject {
  const shown = { ...row };
  for (const { field, relation, noun } of references) {
    const text = nameOf(ownEntry(row, relation), ownEntry(row, field), known.get(noun ?? ''));
    if (text !== undefined) shown[relation] = text;
  }
  return shown;
}

/** The name of a related record, or a key as people write it; else a kept name of its id; else `#7`. */
function nameOf(
  record: JsonValue | undefined,
  id: JsonValue | undefined,
  names: ReadonlyMap<string, string> | undefined,
): JsonValue | undefined {
  if (isJsonObject(record)) return labelOf(record);
  if (typeof record === 'string' && record !== '') return record;
  // Null may mean that the person can’t see the record, although the service sends its id (rule 2.38).
  if (id === undefined || id === null) return record ?? id;
  const text = scalarText(id);
  return names?.get(text) ?? `#${text}`;
}

/** The name of a record in a cell; of a work item its key and title. */
function labelOf(record: JsonObject): string {
  const text = (name: string) => scalarText(ownEntry(record, name) ?? null);
  const name = text('name') || text('title') || text('number') || text('label');
  const label = [text('issue_key'), name].filter((part) => part !== '').join(' ');
  return label || (text('id') === '' ? '' : `#${text('id')}`);
}
