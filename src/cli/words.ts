import type { Resource } from '../catalog/define.ts';
import type { Catalog } from '../catalog/index.ts';
import { isNameable, singularName, wordsOf } from '../catalog/rules.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../values/suggest.ts';

export type Command = 'list' | 'get' | 'create' | 'update' | 'edit' | 'delete' | 'import';

export function summaryOf(resource: Resource, command: Command): string {
  const one = withArticle(singularName(resource));
  const of = resource.parent === undefined ? '' : ` of ${withArticle(singularName(resource.parent))}`;
  switch (command) {
    case 'list':
      return `List ${resource.parent === undefined ? '' : 'the '}${pluralOf(resource)}${of}`;
    case 'get':
      return `Show ${one}${of}`;
    case 'create':
      return resource.createAs?.summary ?? `Create ${one}${of}`;
    case 'update':
      return `Change ${one}${of}`;
    case 'edit':
      return `Change ${one}${of} in your editor`;
    case 'delete':
      return `Delete ${one}${of}`;
    case 'import':
      return `Create ${pluralOf(resource)}${of} from a file`;
  }
}

export function pluralOf(resource: Pick<Resource, 'noun'>): string {
  return resource.noun.replaceAll('-', ' ');
}

export function itsId(resource: Pick<Resource, 'fields' | 'keyed' | 'parent'>): string {
  if (resource.keyed) return 'The id, key or title of the record';
  return isNameable(resource) ? 'The id or name of the record' : 'The id of the record';
}

export function withArticle(words: string): string {
  return `${/^(?:[aeio]|u(?!s|ni))/.test(words) ? 'an' : 'a'} ${words}`;
}

export function commandWords(resource: Resource, command: string): string {
  return `${wordsOf(resource)} ${command === 'create' ? (resource.createAs?.name ?? command) : command}`;
}

/** Returns the help text and visibility of `--include`. Names all known relations, and hides the flag if an API spec has no relations. */
export function includeHelp({ relations = {}, described }: Pick<Resource, 'relations' | 'described'>): {
  readonly summary: string;
  readonly hidden?: true;
} {
  const names = Object.keys(relations);
  const known = names.length === 0 ? ' (the service does not document their names)' : `: ${names.join(', ')}`;
  const summary = `Add related records${known}`;
  return { summary, ...(described?.includes === true && names.length === 0 && { hidden: true }) };
}

/**
 * Finds a resource by its plural or singular.
 *
 * @param command The command that the error suggests: `open`.
 * @param rest The words after the name in the suggested command, with a space in front. Default: none.
 * @throws UsageError for an unknown word, with the nearest known name, if any.
 */
export async function namedResource(catalog: Catalog, word: string, command: string, rest = ''): Promise<Resource> {
  const resource = await catalog.find(word);
  if (resource !== undefined) return resource;
  const near = nearest(
    word,
    catalog.nouns.flatMap(({ noun, singular }) => [noun, singular]),
  );
  throw new UsageError(`svc has no resource "${word}".`, {
    hint: near === undefined ? 'See: svc --help' : `Did you mean: svc ${command} ${near}${rest}`,
  });
}
