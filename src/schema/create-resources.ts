import { createResource, firstSentence, type NamedOperation, type RawResource } from './create-resource.ts';
import { kebab, plainText, pluralsOf, refusedDocument, resourceTitle, singularOf, wordOf } from './names.ts';
import { pathOperations, type RawOperation, type Reader, recordsOf } from './operations.ts';
import type { PathNode } from './paths.ts';
import { type DocumentTable, isTable, membersOf } from './references.ts';

/** The most levels of child resources. svc treats deeper paths as operations. */
const MOST_LEVELS = 4;

/**
 * The most resources, including child resources. svc refuses a document with more resources. The largest public services have some hundred
 * resources. svc writes and flushes one file per top-level resource.
 */
const MOST_RESOURCES = 5_000;

/** Matches path segments that only name the API, such as `api` or `v2`. */
const SILENT = /^(?:api|rest|v\d+(?:\.\d+)*)$/i;

/** Matches a path that is a file and not a list of records, such as the API spec itself. */
const FILE = /\.(?:json|ya?ml|txt|html)$/;

/** Matches tag descriptions without information. */
const EMPTY_TAG = /^(?:operations|endpoints|everything|all)\b/i;

/**
 * Creates resources from paths. A resource is a list with its records, child resources and other operations.
 * @throws UsageError for more than {@link MOST_RESOURCES}, or for a name that svc can’t use.
 */
export function createResources(reader: Reader, document: DocumentTable, root: PathNode): RawResource[] {
  const tags = tagsOf(document);
  const operationsAt = new Map<PathNode, readonly RawOperation[]>();
  let count = 0;
  const operations = (node: PathNode) => {
    const known = operationsAt.get(node) ?? (node.item === undefined ? [] : pathOperations(reader, node.path, node.item));
    operationsAt.set(node, known);
    return known;
  };

  const found = new Map<string, RawResource>();
  collect(root, []);
  return unique([...found.values()]);

  /** Collects the resources at and under a path that is not a record. */
  function collect(node: PathNode, prefix: readonly string[]): void {
    for (const child of node.children.values()) {
      if (child.isParameter || FILE.test(child.segment)) continue;
      const words = SILENT.test(child.segment) && prefix.length === 0 ? [] : [...prefix, child.segment];
      if (words.length > 0 && (child.item !== undefined || child.children.has('{}'))) {
        const noun = wordOf(words.join('-'));
        if (!found.has(noun)) found.set(noun, make(child, noun, words.length === 1, 0));
        for (const below of child.children.values()) {
          // A path that is one segment longer, and has single records, is a separate resource.
          if (!below.isParameter && hasRecords(below)) {
            const name = wordOf([...words, below.segment].join('-'));
            if (!found.has(name)) found.set(name, make(below, name, false, 0));
          }
        }
      } else collect(child, words);
    }
  }

  /**
   * Creates the resource at a path.
   *
   * @param plain true if the resource is one segment. The name of its parameter can then be the singular.
   */
  function make(node: PathNode, noun: string, plain: boolean, level: number): RawResource {
    count += 1;
    if (count > MOST_RESOURCES)
      throw refusedDocument(
        `The document describes more than ${MOST_RESOURCES.toLocaleString('en')} resources, the most that svc stores.`,
        'svc changed nothing. Remove the paths that you do not use.',
      );
    const item = itemNode(node);
    const isList = item !== undefined || operations(node).some(isListing);
    const isCollection = isList || operations(node).some(({ method }) => method === 'POST');
    const named = new Names();
    for (const operation of operations(node)) named.add(collectionVerb(operation, isCollection, isList), operation);
    const nested = new Map<string, RawResource>();
    if (item !== undefined) {
      const methods = new Set(operations(item).map(({ method }) => method));
      for (const operation of operations(item)) named.add(itemVerb(operation.method, methods), operation);
      for (const child of item.children.values()) {
        const word = child.isParameter ? '' : wordOf(child.segment);
        if (!child.isParameter && level < MOST_LEVELS && isChild(child) && !nested.has(word))
          nested.set(word, make(child, word, true, level + 1));
        else loose(child, [], named);
      }
    }
    for (const child of node.children.values()) if (!child.isParameter && !(level === 0 && hasRecords(child))) loose(child, [], named);
    const tag = tags.get(noun) ?? tags.get(kebab(node.segment));
    const said = isTable(node.item) ? node.item : item !== undefined && isTable(item.item) ? item.item : {};
    const summary = plainText(said['x-summary'], 100) ?? firstSentence(EMPTY_TAG.test(tag ?? '') ? undefined : tag) ?? resourceTitle(noun);
    const description = plainText(said['description'] ?? (EMPTY_TAG.test(tag ?? '') ? undefined : tag), 1_000);
    return createResource(reader, {
      noun,
      singular: singularFor(said, item, noun, plain),
      summary,
      // svc drops a description that repeats the summary.
      description: description?.replace(/\.$/, '') === summary ? undefined : description,
      path: isCollection && operations(node).length > 0 ? node.path : null,
      itemPath: item === undefined || operations(item).length === 0 ? null : item.path,
      operations: named.all,
      nested: [...nested.values()],
    });
  }

  /** Adds the operations at and under a path that is not a resource. Most of these operations are actions. */
  function loose(node: PathNode, before: readonly string[], named: Names): void {
    const words = node.segment === 'actions' ? before : [...before, node.isParameter ? `by-${kebab(node.segment)}` : node.segment];
    const here = operations(node);
    for (const operation of here) {
      const base = kebab(words.join('-')) || 'actions';
      named.add(here.length === 1 ? base : `${LOOSE[operation.method]}-${base}`, operation);
    }
    for (const child of node.children.values()) loose(child, words, named);
  }

  function isListing({ method, answer, path }: RawOperation): boolean {
    return method === 'GET' && (recordsOf(reader, answer, path.split('/').at(-1) ?? '')?.many ?? false);
  }

  function isChild(node: PathNode): boolean {
    return node.segment !== 'actions' && (hasRecords(node) || operations(node).some(isListing));
  }

  function hasRecords(node: PathNode): boolean {
    const item = itemNode(node);
    return item !== undefined && node.segment !== 'actions' && (operations(item).length > 0 || item.children.size > 0);
  }
}

/** Gives each resource a singular that no other resource has. */
function unique(nouns: readonly RawResource[]): RawResource[] {
  const taken = new Set(nouns.map(({ noun }) => noun));
  return nouns.map((noun) => {
    const free = [noun.singular, singularOf(noun.noun)].find((word) => word === noun.noun || !taken.has(word)) ?? noun.noun;
    taken.add(free);
    return { ...noun, singular: free };
  });
}

/** Returns the node of a list’s single records. Returns the last node if several parameters follow each other. */
function itemNode(node: PathNode): PathNode | undefined {
  let item = node.children.get('{}');
  for (;;) {
    const next = item?.children.get('{}');
    if (item === undefined || next === undefined || item.item !== undefined || item.children.size > 1) return item;
    item = next;
  }
}

function collectionVerb({ method, said }: RawOperation, isCollection: boolean, isList: boolean): string {
  const own = said['x-operation'];
  if (typeof own === 'string') return wordOf(own);
  if (method === 'GET') return isList || !isCollection ? (isList ? 'list' : 'get') : 'get';
  if (method === 'POST') return 'create';
  if (!isCollection) return method === 'DELETE' ? 'delete' : 'update';
  return method === 'DELETE' ? 'delete-all' : 'update-all';
}

function itemVerb(method: string, methods: ReadonlySet<string>): string {
  if (method === 'GET') return 'get';
  if (method === 'DELETE') return 'delete';
  if (method === 'PATCH') return 'update';
  if (method === 'PUT') return methods.has('PATCH') ? 'replace' : 'update';
  return methods.has('PATCH') || methods.has('PUT') ? 'post' : 'update';
}

/** The prefixes of operation names at a path with several methods, by method. */
const LOOSE: Readonly<Record<string, string>> = { GET: 'get', POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete' };

/** Collects operations, and gives each operation a unique name. */
class Names {
  readonly #taken = new Map<string, RawOperation>();
  /** The next number to try for a name that is taken, by name. */
  readonly #next = new Map<string, number>();

  add(wanted: string, operation: RawOperation): void {
    const own = operation.said['x-operation'];
    const base = typeof own === 'string' ? wordOf(own) : wordOf(wanted);
    let name = this.#taken.has(base) ? `${operation.method.toLowerCase()}-${base}` : base;
    while (this.#taken.has(name)) {
      const at = this.#next.get(base) ?? 2;
      this.#next.set(base, at + 1);
      name = `${base}-${at}`;
    }
    this.#taken.set(name, operation);
  }

  get all(): readonly NamedOperation[] {
    return [...this.#taken].map(([name, operation]) => ({ name, operation }));
  }
}

function singularFor(said: DocumentTable, item: PathNode | undefined, noun: string, plain: boolean): string {
  if (typeof said['x-singular'] === 'string') return wordOf(said['x-singular']);
  const parameter = kebab(item?.segment ?? '').replace(/-?(?:id|key|uuid|number|slug)$/, '');
  if (parameter !== '' && (plain || pluralsOf(parameter).includes(noun))) return wordOf(parameter);
  return singularOf(noun);
}

function tagsOf(document: DocumentTable): Map<string, string> {
  const list = Array.isArray(document['tags']) ? document['tags'] : [];
  return new Map(
    list.flatMap((tag) => {
      const said = Object.fromEntries(membersOf(tag));
      return typeof said['name'] === 'string' && typeof said['description'] === 'string'
        ? [[kebab(said['name']), said['description']] as const]
        : [];
    }),
  );
}
