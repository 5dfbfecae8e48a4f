import { isPlainLine } from '../values/hidden-characters.ts';
import { isSafePath, kebab, refusedDocument, shown } from './names.ts';
import { type DocumentTable, type FollowReference, isTable, membersOf } from './references.ts';

/** A segment in the tree of paths, with the segments that follow in longer paths. */
export interface PathNode {
  /** The segment as in the document, such as `work-items` or `{work_item}`. */
  readonly segment: string;
  readonly isParameter: boolean;
  /** The path from the root to this segment, without the path of the API (`/api/v2`). */
  readonly path: string;
  /** The document’s object for exactly this path. Undefined if the document has no such object. */
  item?: DocumentTable;
  readonly children: Map<string, PathNode>;
}

/** A path of the document that svc can’t use, with the reason. */
export interface UnusedPath {
  readonly path: string;
  /** The reason, for a person, without a full stop: `another API`. */
  readonly reason: string;
}

/**
 * Reads the paths of a document, without the path of the API. In the document, `servers` or each path contains the path of the API.
 *
 * @param api path of the API on its host: `/api/v2`.
 * @throws UsageError for a path with a segment `.` or `..`, an encoded slash, or hidden characters.
 */
export function pathsOf(document: DocumentTable, api: string, follow: FollowReference) {
  const base = serverPath(document['servers']);
  const whole = membersOf(document['paths']).map(([path, item]) => [join(base, checkedPath(path)), item] as const);
  // A document may also contain other APIs, for example for signing in.
  const own = whole.some(([path]) => isBelow(path, api)) ? api : base;
  const root: PathNode = { segment: '', isParameter: false, path: '', children: new Map() };
  const leftOut: UnusedPath[] = [];
  for (const [path, item] of whole) {
    if (!isBelow(path, own)) {
      leftOut.push({ path, reason: 'another API' });
      continue;
    }
    const below = path.slice(own.length).replace(/\/$/, '');
    if (below === '') continue;
    const isUsable =
      isSafePath(below) &&
      !below
        .split('/')
        .slice(1)
        .some((segment) => kebab(segment) === '');
    const found = isUsable ? resolved(item, follow) : 'unusual characters';
    if (typeof found === 'string') leftOut.push({ path, reason: found });
    else add(root, below, found);
  }
  return { root, leftOut };
}

/** Returns the object of a path after following its `$ref`, or the reason why there is no object. */
function resolved(item: unknown, follow: FollowReference): DocumentTable | string {
  if (!isTable(item)) return 'its value is not an object';
  const { $ref, ...own } = item;
  if (typeof $ref !== 'string') return item;
  try {
    return { ...follow($ref).value, ...own };
  } catch {
    return `its $ref ${shown($ref)} points to nothing`;
  }
}

function add(root: PathNode, path: string, item: DocumentTable): void {
  let node = root;
  for (const segment of path.slice(1).split('/')) {
    const isParameter = /^\{[^{}]+\}$/.test(segment);
    // svc treats parameters at the same place as equal, even if their names differ.
    const key = isParameter ? '{}' : segment;
    let child = node.children.get(key);
    if (child === undefined) {
      child = { segment, isParameter, path: `${node.path}/${segment}`, children: new Map() };
      node.children.set(key, child);
    }
    node = child;
  }
  node.item ??= item;
}

/** Returns the path of the first server URL, without a slash at the end. Placeholders stay unchanged. */
function serverPath(servers: unknown): string {
  const first = Array.isArray(servers) ? servers[0] : undefined;
  const url = isTable(first) && typeof first['url'] === 'string' ? first['url'] : '';
  const path = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*(.*)$/i.exec(url)?.[1] ?? (url.startsWith('/') ? url : '');
  // A URL that starts with a placeholder, such as `{base}`, has an empty path here.
  const plain = (path.split(/[?#]/, 1)[0] ?? '').replace(/\/+$/, '');
  return plain === '' || isSafePath(checkedPath(plain)) ? plain : '';
}

function join(base: string, path: string): string {
  return base === '' || isBelow(path, base) ? path : `${base}${path}`;
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** Returns a path of a document with a leading slash. @throws UsageError for a path that a server or a terminal would misunderstand. */
function checkedPath(path: string): string {
  const leadsElsewhere = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|\\|^\/\//i.test(path);
  if (!leadsElsewhere && isPlainLine(path)) return path.startsWith('/') ? path : `/${path}`;
  throw refusedDocument(
    `The document has a path with hidden characters or a misleading target: ${shown(path)}.`,
    'svc changed nothing. Check the document before you trust it.',
  );
}
