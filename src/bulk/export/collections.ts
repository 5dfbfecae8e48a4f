import { UsageError } from '../../errors.ts';
import { operationsOf, pathOf, templateOf } from '../../records/discovery.ts';
import type { Needs } from '../../session/context.ts';
import { endsInContents } from '../../transfer/plan-download.ts';
import type { JsonObject } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';

export interface Collection {
  /** The path without its leading slash: `work-items`. */
  readonly noun: string;
  readonly path: string;
  /** True if single records have their own paths. If false, the path is possibly not a list. */
  readonly hasItems: boolean;
  /** True if discovery lists only single records of this path. The service can still answer with a list (rule 18.18). */
  readonly isAssumed?: true;
}

/** A list of child records, such as `/work-items/{work_item}/comments`. */
export interface ChildCollection {
  /** The name of the child resource: `work-items.comments`. */
  readonly noun: string;
  /** The path from discovery, with the name of its parameter. */
  readonly path: string;
  readonly parent: string;
  /** The last part of the path, such as `comments`. */
  readonly segment: string;
  /** The field that contains the parent’s id: `work_item_id`. */
  readonly key: string;
  /** The top-level resource that lists the same records. Undefined if the service has no such list. */
  readonly sameAs: string | undefined;
}

export interface Excluded {
  readonly path: string;
  readonly reason: string;
}

export interface ExportChoice {
  readonly collections: readonly Collection[];
  readonly nested: readonly ChildCollection[];
  /** Top-level lists that contain child records of the chosen resources, and that the user did not choose. */
  readonly ofChildren: readonly Collection[];
  /** The entries of discovery that are not lists, as their operations show. svc tests other entries by their answers. */
  readonly notCollections: readonly Excluded[];
  readonly outOfReach: readonly Excluded[];
}

/** Reads the setting `sync-exclude`: the resources that svc excludes from the local database and from exports. */
export async function leftOut({ settings }: Needs<'settings'>): Promise<readonly string[]> {
  return (await settings())['sync-exclude']?.split(' ') ?? [];
}

/** Returns true if a word names a resource: `worklog` and `worklogs` both name `worklogs`. */
export function isNamed(noun: string, word: string): boolean {
  return noun === word || noun === `${word}s`;
}

/** Returns the top-level resource of a table: `work-items` for `work-items.comments`. */
export function topOf(noun: string): string {
  return noun.split('.')[0] ?? noun;
}

/** Returns true if `sync-exclude` names a resource by its own name (`customers.contacts`), its last word or its parent. */
export function isLeftOut(noun: string, without: readonly string[]): boolean {
  return [noun, ...noun.split('.')].some((name) => without.some((word) => isNamed(name, word)));
}

/** Adds the top-level list with the same records as an excluded child list: `subtasks` for `work-items.subtasks`. */
export function withTopLevel(entries: readonly JsonObject[], without: readonly string[]): readonly string[] {
  const nested = entries.flatMap((entry) => readEntry(entry).nested);
  return [...new Set([...without, ...nested.flatMap(({ noun, sameAs }) => (isLeftOut(noun, without) && sameAs ? [sameAs] : []))])];
}

/**
 * Chooses the named lists of discovery, or all lists, with their child records. The operations of an entry can show that the entry is not a
 * list (rule 18.26). If the operations are unclear, svc decides by the answers of the service.
 *
 * @param without resources that the user excludes, under any of their paths.
 * @throws UsageError for an unknown or excluded name.
 */
export function chooseCollections(entries: readonly JsonObject[], names: readonly string[], without: readonly string[]): ExportChoice {
  const known = entries.map(readEntry);
  const all = known.flatMap(({ top }) => top ?? []);
  const named = names.length === 0 ? all : chooseNamed(all, names);
  const refused = names.length === 0 ? undefined : named.find(({ noun }) => isLeftOut(noun, without));
  if (refused !== undefined)
    throw new UsageError(`The setting sync-exclude excludes ${refused.noun}.`, {
      hint: 'To remove the setting: svc config unset sync-exclude',
    });
  const chosen = named.filter(({ noun }) => !isLeftOut(noun, without));
  const isChosen = (noun: string) => chosen.some((collection) => collection.noun === noun);
  const nested = known
    .flatMap((entry) => entry.nested)
    .filter(({ noun, parent, sameAs }) => isChosen(parent) && ![noun, sameAs ?? noun].some((each) => isLeftOut(each, without)));
  const isSame = (noun: string) => nested.some(({ sameAs }) => sameAs === noun);
  return {
    collections: chosen,
    nested: [...new Map(nested.map((collection) => [collection.noun, collection])).values()],
    ofChildren: all.filter(({ noun }) => isSame(noun) && !isChosen(noun)),
    notCollections: names.length === 0 ? known.flatMap((entry) => entry.notCollections) : [],
    outOfReach: known.flatMap((entry) => entry.outOfReach).filter(({ path }) => names.length === 0 || isChosen(path.split('/')[1] ?? '')),
  };
}

/** Warns about each word of `sync-exclude` that excludes nothing. After a typing error, svc would otherwise store private data. */
export async function warnUnknownExcluded(
  { catalog, notice }: Needs<'catalog' | 'notice'>,
  entries: readonly JsonObject[],
  without: readonly string[],
): Promise<void> {
  if (without.length === 0) return;
  const { collections, nested } = chooseCollections(entries, [], []);
  // The catalog has resources that exist only at other organisations of this user.
  const known = [...collections, ...nested, ...catalog.nouns].map(({ noun }) => noun);
  const words = known.flatMap((noun) => noun.split('.'));
  for (const word of without.filter((each) => !known.some((noun) => isLeftOut(noun, [each])))) {
    const near = nearest(word, words);
    await notice(
      `The setting sync-exclude names "${word}", which is not a resource here, so the name excludes nothing.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    );
  }
}

function chooseNamed(all: readonly Collection[], names: readonly string[]): readonly Collection[] {
  return [...new Set(names)].map((name) => {
    const found = all.find(({ noun }) => isNamed(noun, name));
    if (found !== undefined) return found;
    const nouns = all.map(({ noun }) => noun);
    const near = nearest(name, nouns);
    throw new UsageError(`"${name}" is not a resource of this organisation.`, {
      hint: near === undefined ? 'See: svc resources' : `Did you mean ${near}? All resources: svc resources`,
    });
  });
}

/** The longest name of a resource that svc exports, in characters. With svc’s file endings, the file name fits every file system. */
const LONGEST_NAME = 200;

/** The path of the signed-in user: a single record, and not a list (rule 9.10). */
const ONE_RECORD = '/me';

const TOP = /^\/([a-z0-9_-]+)$/;
const CHILDREN = /^\/([a-z0-9_-]+)\/\{([^}]*)\}\/([a-z0-9_-]+)$/;
const DEEPER = /\{[^}]*\}.*\{[^}]*\}/;

interface EntryChoice {
  readonly top: Collection | undefined;
  readonly nested: readonly ChildCollection[];
  readonly notCollections: readonly Excluded[];
  readonly outOfReach: readonly Excluded[];
}

function readEntry(entry: JsonObject): EntryChoice {
  const operations = operationsOf(entry).flatMap(readOperation);
  const path = templateOf(entry['path']);
  const item = templateOf(entry['item_path']);
  const lists = operations.filter(({ method, template }) => method === 'GET' && !template.endsWith('}')).map(({ template }) => template);
  const hasOther = operations.some(({ template }) => pathOf(template) === pathOf(path));
  const isOne = pathOf(path) === ONE_RECORD;
  const isListed = path !== undefined && (lists.some((list) => pathOf(list) === pathOf(path)) || !hasOther) && !isAction(path) && !isOne;
  // A path of single records implies a list, even if no operation names the list.
  const ofItem = item?.replace(/\/\{[^}]*\}$/, '');
  // If the entry has no path, an operation can name the list.
  const inOperation = path === undefined ? lists.find((list) => TOP.test(list) && pathOf(list) !== ONE_RECORD) : undefined;
  const isAssumed = path === undefined && inOperation === undefined && ofItem !== undefined && TOP.test(ofItem);
  const top = isListed ? path : (inOperation ?? (isAssumed ? ofItem : undefined));
  const noun = top !== undefined && top.length <= LONGEST_NAME ? TOP.exec(top)?.[1] : undefined;
  const named = [...new Set([...lists, ...(ofItem === undefined ? [] : [ofItem]), ...(isListed ? [path] : [])])].filter(
    (each) => !isAction(each),
  );
  // If only an operation names a path, the path possibly leads to the content of a file.
  const isOwn = (template: string) => [path, ofItem].some((own) => pathOf(own) === pathOf(template));
  const isFile = (template: string) => !isOwn(template) && (DEEPER.test(template) || endsInContents(template));
  const below = named.filter((template) => !isFile(template));
  return {
    top: noun === undefined ? undefined : { noun, path: `/${noun}`, hasItems: item !== undefined, ...(isAssumed && { isAssumed }) },
    nested: below.flatMap((template) => childrenAt(template, noun)),
    notCollections: [
      ...(path === undefined || isListed
        ? []
        : [
            {
              path,
              reason: isOne
                ? 'The path returns one record, not a list.'
                : isAction(path)
                  ? 'The path is an action, not a list.'
                  : 'The path has no GET operation.',
            },
          ]),
      ...named.filter(isFile).map((template) => ({ path: template, reason: 'The list of resources names the path only as an operation.' })),
    ],
    outOfReach: [
      ...below
        .filter((template) => DEEPER.test(template))
        .map((template) => ({ path: template, reason: 'The path needs two parent records.' })),
      ...(isListed && !path.includes('{') && noun === undefined
        ? [
            {
              path: path.slice(0, LONGEST_NAME),
              reason: 'The name is too long or unusual for a file. You can read the records with svc api.',
            },
          ]
        : []),
    ],
  };
}

function childrenAt(path: string, sameAs: string | undefined): ChildCollection[] {
  const [, parent, parameter = '', segment] = CHILDREN.exec(path) ?? [];
  if (parent === undefined || segment === undefined || parent.length + segment.length > LONGEST_NAME) return [];
  const key = parameter === '' ? 'parent_id' : `${parameter.replace(/_id$/, '')}_id`;
  return [{ noun: `${parent}.${segment}`, path, parent, segment, key, sameAs }];
}

function isAction(path: string): boolean {
  return path.includes('/actions/');
}

function readOperation(text: string): { readonly method: string; readonly template: string }[] {
  const [, method, path] = /^([A-Z]+) (\S+)$/i.exec(text.trim()) ?? [];
  const template = templateOf(path);
  return method === undefined || template === undefined ? [] : [{ method: method.toUpperCase(), template }];
}
