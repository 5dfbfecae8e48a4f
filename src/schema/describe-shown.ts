import type { Field, Resource, ResourceExample } from '../catalog/define.ts';
import { flagOf, NAME_FIELDS } from '../catalog/rules.ts';

// Columns and examples of a resource in an API spec.

/** Columns of a table without columns in the catalog. */
const MOST_COLUMNS = 6;

/** Whether a person can read the values of a field in a table cell. */
function isReadable(field: Field | undefined): boolean {
  return field !== undefined && field.writeOnly !== true && field.kind !== 'json' && field.kind !== 'html' && field.kind !== 'markdown';
}

/**
 * Returns the columns of tables: those of the catalog that lists show by default, filled up with others if these are few.
 *
 * @param summary fields of the summary view; undefined if the API spec does not have it.
 */
export function describedColumns(
  known: Resource | undefined,
  fields: Resource['fields'],
  summary: readonly string[] | undefined,
): { readonly columns: readonly string[]; readonly wide: readonly string[] } {
  const isShown = (name: string) => Object.hasOwn(fields, name) && fields[name]?.writeOnly !== true && (summary?.includes(name) ?? true);
  const wanted = (known?.columns ?? []).filter(isShown);
  const wide = (known?.wide ?? []).filter(isShown);
  if (known !== undefined && wanted.length === known.columns.length) return { columns: wanted, wide };
  const order = ['id', ...NAME_FIELDS, ...Object.keys(fields).filter((name) => !name.endsWith('_at')), ...Object.keys(fields)];
  const others = [...new Set(order)].filter(
    (name) => isShown(name) && isReadable(fields[name]) && !wanted.includes(name) && !wide.includes(name),
  );
  const room = known === undefined ? MOST_COLUMNS : known.columns.length;
  const columns = [...wanted, ...others].slice(0, Math.max(room, 2));
  return { columns: columns.length === 0 ? Object.keys(fields).slice(0, 1) : columns, wide };
}

/** Returns the examples of the catalog that still work: none has a flag or field that the API spec lacks. */
export function fittingExamples(known: Resource | undefined, resource: Resource): readonly ResourceExample[] {
  if (known?.examples === undefined) return [];
  const isThere = (verb: string) =>
    (resource.verbs ?? []).some((name) => name === (verb === known.createAs?.name ? 'create' : verb)) ||
    (resource.actions ?? []).some(({ name }) => name === verb) ||
    (resource.ownCommands ?? []).some((own) => 'name' in own && own.name === verb) ||
    verb === 'edit' ||
    verb === 'import';
  return known.examples.filter(({ verb, args }) => {
    if (!isThere(verb)) return false;
    const words = args.split(/[^\w-]+/).map((word) => word.replace(/^--(?:no-|starts-)?/, ''));
    const isGone = (word: string) => isNameIn(known, verb, word) && !isNameIn(resource, verb, word);
    return !words.some(isGone) && !needsArgument(known, resource, verb, args);
  });
}

/** Whether an example uses a form of svc’s own, such as hours without flags, that this API spec rules out. */
function needsArgument({ ownCommands = [] }: Resource, { described }: Resource, verb: string, args: string): boolean {
  const isOwn = ownCommands.some((own) => 'insteadOf' in own && (own.insteadOf === verb || verb === 'add'));
  return isOwn && (described?.lacks.length ?? 0) > 0 && !args.startsWith('--');
}

/** Whether a word of a line is a flag or the name of a field. */
function isNameIn({ fields, shortcuts = [], filters, relations = {} }: Resource, verb: string, word: string): boolean {
  if (Object.hasOwn(fields, word) || Object.hasOwn(relations, word)) return true;
  if (verb === 'list') return Object.hasOwn(filters, word) || shortcuts.some(({ flag }) => flag === word);
  return Object.entries(fields).some(([name, field]) => field.write !== undefined && flagOf(name, field) === word);
}
