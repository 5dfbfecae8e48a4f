import { ownEntry } from '../values/own-entry.ts';
import { fieldText, filterText, type SchemaChange } from './compare.ts';
import type { DescribedNoun } from './described.ts';
import type { FromCatalog } from './from-catalog.ts';

/** A difference between the API spec and the built-in catalog. */
export interface CatalogChange extends Omit<SchemaChange, 'change'> {
  /**
   * - `confirmed`: svc assumed it, and the spec agrees.
   * - `corrected`: the spec differs from the catalog.
   * - `added`: the catalog does not have it.
   * - `missing`: the spec does not have it.
   */
  readonly change: 'confirmed' | 'corrected' | 'added' | 'missing';
  /** Whether svc had assumed it; otherwise it is documented. */
  readonly assumed: boolean;
}

/**
 * Compares a resource of the catalog with its API spec. A missing or different assumption breaks nothing, since the spec is used from now
 * on. A difference from the documentation is marked as breaking all the same.
 *
 * @param name as typed: `work-items subtasks`.
 */
export function compareCatalog(name: string, catalog: FromCatalog, described: DescribedNoun): CatalogChange[] {
  const { noun: knew, isAssumed } = catalog;
  const changes: CatalogChange[] = [];
  const look = <Entry>(
    what: 'field' | 'filter' | 'include',
    was: Readonly<Record<string, Entry>>,
    is: Readonly<Record<string, Entry>> | undefined,
    text: (entry: Entry) => string,
    agrees: (was: Entry, is: Entry) => boolean,
  ) => {
    if (is === undefined) return;
    for (const [key, entry] of Object.entries(is)) {
      const old = ownEntry(was, key);
      const assumed = isAssumed(what, key);
      if (old === undefined)
        changes.push({ noun: name, what, name: key, change: 'added', breaking: false, assumed: false, before: '', now: text(entry) });
      else if (!agrees(old, entry))
        changes.push({
          noun: name,
          what,
          name: key,
          change: 'corrected',
          breaking: !assumed,
          assumed,
          before: text(old),
          now: text(entry),
        });
      else if (assumed)
        changes.push({ noun: name, what, name: key, change: 'confirmed', breaking: false, assumed, before: text(old), now: text(entry) });
    }
    for (const [key, entry] of Object.entries(was)) {
      const assumed = isAssumed(what, key);
      if (!Object.hasOwn(is, key))
        changes.push({ noun: name, what, name: key, change: 'missing', breaking: !assumed, assumed, before: text(entry), now: '' });
    }
  };
  look(
    'field',
    knew.fields,
    described.fields,
    fieldText,
    (was, is) => was.kind === is.kind && was.write === is.write && (was.required ?? false) === (is.required ?? false),
  );
  look(
    'filter',
    knew.list?.filters ?? {},
    described.list?.filters,
    filterText,
    (was, is) => was.kind === is.kind && was.operators.every((operator) => is.operators.includes(operator)),
  );
  look(
    'include',
    knew.includes ?? {},
    described.includes,
    ({ many }) => (many ? 'many' : 'one'),
    (was, is) => was.many === is.many,
  );
  for (const operation of described.operations) {
    if (knew.operations.some((old) => old.method === operation.method && samePath(old.path, operation.path))) continue;
    const now = `${operation.method} ${operation.path}`;
    changes.push({
      noun: name,
      what: 'operation',
      name: operation.name,
      change: 'added',
      breaking: false,
      assumed: false,
      before: '',
      now,
    });
  }
  for (const operation of knew.operations) {
    if (described.operations.some((is) => is.method === operation.method && samePath(is.path, operation.path))) continue;
    const assumed = isAssumed('path', '');
    const before = `${operation.method} ${operation.path}`;
    changes.push({ noun: name, what: 'operation', name: operation.name, change: 'missing', breaking: !assumed, assumed, before, now: '' });
  }
  return changes;
}

/** Compares paths without the names of their parameters. */
function samePath(one: string, other: string): boolean {
  return one.replace(/\{[^}]*\}/g, '{}') === other.replace(/\{[^}]*\}/g, '{}');
}
