import { UsageError } from '../../errors.ts';
import { operationsOf, pathOf, templateOf } from '../../records/discovery-entry.ts';
import type { Needs } from '../../session/context.ts';
import { endsInContents } from '../../transfer/plan-download.ts';
import type { JsonObject } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';
import { isLeftOut } from '../left-out.ts';

/** A collection that can be exported. */
export interface Collection {
  /** Its path without the slash: `work-items`. */
  readonly noun: string;
  readonly path: string;
  /** Its records have addresses of their own; what has none may be no collection. */
  readonly hasItems: boolean;
}

/** A collection below each record of another one: `/work-items/{work_item}/comments`. */
export interface NestedCollection {
  /** `work-items.comments`. */
  readonly noun: string;
  /** As discovery writes it, with the name of its placeholder. */
  readonly path: string;
  /** The noun of the records it lies below. */
  readonly parent: string;
  /** The last part of its path: `comments`. */
  readonly segment: string;
  /** The field that holds the parent's id: `work_item_id`. */
  readonly key: string;
  /** The collection at the top that lists the same records, where there is one. */
  readonly sameAs: string | undefined;
}

/** Something that discovery lists, and why it is not exported. */
export interface Excluded {
  readonly path: string;
  readonly reason: string;
}

/** What there is to export. */
export interface ExportChoice {
  readonly collections: readonly Collection[];
  readonly nested: readonly NestedCollection[];
  /** What its operations show to be no collection; of the rest the answers tell. */
  readonly notCollections: readonly Excluded[];
  /** Collections that svc does not reach. */
  readonly outOfReach: readonly Excluded[];
}

/**
 * Every collection that discovery lists, at the top and below records, or those that were named and what lies below them.
 * Whether an entry is a collection its operations may tell (rule 18.26); how they are written is not documented, so that
 * where they tell nothing the answer has to.
 *
 * @param without those that a person never wants copied, whichever way they are reached.
 * @throws UsageError for a name that is none of them, or one of these.
 */
export function chooseCollections(entries: readonly JsonObject[], names: readonly string[], without: readonly string[]): ExportChoice {
  const known = entries.map(readEntry);
  const all = known.flatMap(({ top }) => top ?? []);
  const named = names.length === 0 ? all : chooseNamed(all, names);
  const refused = names.length === 0 ? undefined : named.find(({ noun }) => isLeftOut(noun, without));
  if (refused !== undefined)
    throw new UsageError(`The setting sync-exclude leaves ${refused.noun} out.`, {
      hint: 'To remove the setting: svc config unset sync-exclude',
    });
  const chosen = named.filter(({ noun }) => !isLeftOut(noun, without));
  const isChosen = (noun: string) => chosen.some((collection) => collection.noun === noun);
  const nested = known
    .flatMap((entry) => entry.nested)
    .filter(({ noun, parent, sameAs }) => isChosen(parent) && ![noun, sameAs ?? noun].some((each) => isLeftOut(each, without)));
  return {
    collections: chosen,
    nested: [...new Map(nested.map((collection) => [collection.noun, collection])).values()],
    notCollections: names.length === 0 ? known.flatMap((entry) => entry.notCollections) : [],
    outOfReach: known.flatMap((entry) => entry.outOfReach).filter(({ path }) => names.length === 0 || isChosen(path.split('/')[1] ?? '')),
  };
}

/** Says which words of `sync-exclude` leave nothing out: a slip there would copy what nobody wanted copied. */
export async function tellUnknownLeftOut(
  { catalog, notice }: Needs<'catalog' | 'notice'>,
  entries: readonly JsonObject[],
  without: readonly string[],
): Promise<void> {
  if (without.length === 0) return;
  const { collections, nested } = chooseCollections(entries, [], []);
  // Another organisation of the same person, or a right that comes back, may well have what is not listed here.
  const known = [...collections, ...nested, ...catalog.nouns].map(({ noun }) => noun);
  for (const word of without.filter((each) => !known.some((noun) => isLeftOut(noun, [each])))) {
    const near = nearest(
      word,
      known.flatMap((noun) => noun.split('.')),
    );
    await notice(
      `The setting sync-exclude names "${word}", which is not a resource here, so it leaves nothing out.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    );
  }
}

function chooseNamed(all: readonly Collection[], names: readonly string[]): readonly Collection[] {
  return [...new Set(names)].map((name) => {
    const found = all.find(({ noun }) => noun === name || noun === `${name}s`);
    if (found !== undefined) return found;
    const near = nearest(
      name,
      all.map(({ noun }) => noun),
    );
    throw new UsageError(`"${name}" is no collection of this organisation.`, {
      hint: near === undefined ? 'See: svc resources' : `Did you mean ${near}? All of them: svc resources`,
    });
  });
}

/** So long may the name of a file be in every file system, with what svc adds to it. */
const LONGEST_NAME = 200;

/** Documented to answer with one record (rule 9.10). */
const ONE_RECORD = '/me';

const TOP = /^\/([a-z0-9_-]+)$/;
const BELOW = /^\/([a-z0-9_-]+)\/\{([^}]*)\}\/([a-z0-9_-]+)$/;
const DEEPER = /\{[^}]*\}.*\{[^}]*\}/;

interface EntryChoice {
  readonly top: Collection | undefined;
  readonly nested: readonly NestedCollection[];
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
  const noun = isListed && path.length <= LONGEST_NAME ? TOP.exec(path)?.[1] : undefined;
  // What has an address of its own lies in a collection, also where the operations do not say so.
  const ofItem = item?.replace(/\/\{[^}]*\}$/, '');
  const named = [...new Set([...lists, ...(ofItem === undefined ? [] : [ofItem]), ...(isListed ? [path] : [])])].filter(
    (each) => !isAction(each),
  );
  // Where the entry itself has its collection there is one. What an operation alone names may as well give a file's contents.
  const isOwn = (template: string) => [path, ofItem].some((own) => pathOf(own) === pathOf(template));
  const isFile = (template: string) => !isOwn(template) && (DEEPER.test(template) || endsInContents(template));
  const below = named.filter((template) => !isFile(template));
  return {
    top: noun === undefined ? undefined : { noun, path: `/${noun}`, hasItems: item !== undefined },
    nested: below.flatMap((template) => nestedAt(template, noun)),
    notCollections: [
      ...(path === undefined || isListed
        ? []
        : [{ path, reason: isOne ? 'It answers with one record.' : isAction(path) ? 'It is an action.' : 'It has no GET.' }]),
      ...named.filter(isFile).map((template) => ({ path: template, reason: 'Nothing but an operation names it.' })),
    ],
    outOfReach: [
      ...below
        .filter((template) => DEEPER.test(template))
        .map((template) => ({ path: template, reason: 'It lies below records that lie below others.' })),
      ...(isListed && !path.includes('{') && noun === undefined
        ? [{ path: path.slice(0, LONGEST_NAME), reason: 'No file can be named after it; svc api reads it.' }]
        : []),
    ],
  };
}

function nestedAt(path: string, sameAs: string | undefined): NestedCollection[] {
  const [, parent, parameter = '', segment] = BELOW.exec(path) ?? [];
  if (parent === undefined || segment === undefined || parent.length + segment.length > LONGEST_NAME) return [];
  const key = parameter === '' ? 'parent_id' : `${parameter.replace(/_id$/, '')}_id`;
  return [{ noun: `${parent}.${segment}`, path, parent, segment, key, sameAs }];
}

function isAction(path: string): boolean {
  return path.includes('/actions/');
}

/** `GET /worklogs`; nothing for what is written in another way. */
function readOperation(text: string): { readonly method: string; readonly template: string }[] {
  const [, method, path] = /^([A-Z]+) (\S+)$/i.exec(text.trim()) ?? [];
  const template = templateOf(path);
  return method === undefined || template === undefined ? [] : [{ method: method.toUpperCase(), template }];
}
