import { isPlainLine } from '../values/hidden-characters.ts';
import { isSafePath } from './names.ts';
import { type DocumentTable, isTable, membersOf } from './references.ts';
import { refusedDocument, shown } from './refused-document.ts';
import { kebab } from './words.ts';

/** A segment of paths, and what is below it. */
export interface PathNode {
  /** As the document has it: `work-items`, `{work_item}`. */
  readonly segment: string;
  readonly isParameter: boolean;
  /** The whole path, below the API. */
  readonly path: string;
  /** What the document has at exactly this path. */
  item?: unknown;
  readonly children: Map<string, PathNode>;
}

/** The paths of a document as a tree, and how many were left out because they are none that svc can send something to. */
export interface PathTree {
  readonly root: PathNode;
  readonly leftOut: number;
}

/**
 * The paths of a document below the API: what `servers` and the paths themselves have of it is taken away.
 *
 * @param api The path of the API on its host: `/api/v2`.
 * @throws UsageError for a path that leads elsewhere than it seems to.
 */
export function pathsOf(document: DocumentTable, api: string): PathTree {
  const base = serverPath(document['servers']);
  const whole = membersOf(document['paths']).map(([path, item]) => [join(base, checkedPath(path)), item] as const);
  // Beside the API there may be others: of signing in, for example.
  const own = whole.some(([path]) => isBelow(path, api)) ? api : base;
  const root: PathNode = { segment: '', isParameter: false, path: '', children: new Map() };
  let leftOut = 0;
  for (const [path, item] of whole) {
    const below = isBelow(path, own) ? path.slice(own.length).replace(/\/$/, '') : '';
    if (
      below === '' ||
      !isSafePath(below) ||
      below
        .split('/')
        .slice(1)
        .some((segment) => kebab(segment) === '')
    )
      leftOut += below === '' && (path === own || path === `${own}/`) ? 0 : 1;
    else add(root, below, item);
  }
  return { root, leftOut };
}

function add(root: PathNode, path: string, item: unknown): void {
  let node = root;
  for (const segment of path.slice(1).split('/')) {
    const isParameter = /^\{[^{}]+\}$/.test(segment);
    // Whatever it is called, a parameter in one place is one.
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

/** What of an address is its path, without a final slash; placeholders are as good as what they stand for. */
function serverPath(servers: unknown): string {
  const first = Array.isArray(servers) ? servers[0] : undefined;
  const url = isTable(first) && typeof first['url'] === 'string' ? first['url'] : '';
  const path = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*(.*)$/i.exec(url)?.[1] ?? (url.startsWith('/') ? url : '');
  // A whole base in one placeholder is whatever the organisation's is.
  const plain = (path.split(/[?#]/, 1)[0] ?? '').replace(/\/+$/, '');
  return plain === '' || isSafePath(checkedPath(plain)) ? plain : '';
}

function join(base: string, path: string): string {
  return base === '' || isBelow(path, base) ? path : `${base}${path}`;
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** @throws UsageError for what a server or a terminal would take for something else. */
function checkedPath(path: string): string {
  const leadsElsewhere = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|\\|^\/\//i.test(path);
  if (!leadsElsewhere && isPlainLine(path)) return path.startsWith('/') ? path : `/${path}`;
  throw refusedDocument(
    `The document has a path that leads elsewhere than it seems to, or hides something: ${shown(path)}.`,
    'Nothing was changed. Look at the document before you trust it.',
  );
}
