import { createHash } from 'node:crypto';
import { type Answer, json } from './http-server.ts';

/** The options in which services differ, where the documentation leaves questions open. */
export interface Oddities {
  /** The top-level list of subtasks: in `path`, only in an operation, unlisted, or absent. */
  readonly children: 'path' | 'operation' | 'unlisted' | 'none';
  /** True if a change of a child changes `updated_at` of its parent. */
  readonly touches: boolean;
  /** True if work items have `comments_count` and `subtasks_count`. */
  readonly counters: boolean;
  /** The form of related records: in the requested view, always in the summary view, at most ten records in an answer, or refused. */
  readonly includes: 'as-asked' | 'summary' | 'cut' | 'refused';
  /** The cases in which lists count their rows: always, on request, or never. */
  readonly totals: 'always' | 'asked' | 'never';
  readonly trash: 'listed' | 'refused' | 'ignored';
  /** The reaction to filters by `updated_at` and `created_at`. */
  readonly updated: 'taken' | 'refused' | 'ignored';
  readonly created: 'taken' | 'refused' | 'ignored';
  /** The seconds by which the clock of answers is ahead of the clock of records. */
  readonly ahead: number;
  readonly etags: boolean;
  /** The probability of an event before an answer, from 0 to 1. */
  readonly busy: number;
}

/** The options of a service as the documentation suggests. */
export const USUAL_SERVICE: Oddities = {
  children: 'path',
  touches: true,
  counters: true,
  includes: 'as-asked',
  totals: 'always',
  trash: 'listed',
  updated: 'taken',
  created: 'taken',
  ahead: 0,
  etags: true,
  busy: 0,
};

/** The tables by the last part of the resource’s name. */
export const RESOURCES = ['contacts', 'work-items', 'comments', 'subtasks'] as const;
export type ResourceName = (typeof RESOURCES)[number];

interface Stored {
  readonly id: number;
  readonly parent: number | undefined;
  readonly made: number;
  changed: number;
  value: number;
  /** The time of deletion. Undefined if the record exists. */
  deleted: number | undefined;
  /** True if the user can’t see the record. Its timestamps do not change with that. */
  hidden: boolean;
}

/** A service in memory with its own clock. Only a test changes the service. */
export interface OddService {
  readonly answer: Answer;
  /** Causes a number of random events at intervals. */
  happen(count: number): void;
  /** Stops all further events. */
  rest(): void;
  /** Moves the time forward. */
  wait(seconds: number): void;
  /** Returns the seconds since 1970, by the clock of the records. */
  now(): number;
  /** Returns the records that the user can see, in the detail view. */
  truth(name: ResourceName): ReadonlyMap<number, string>;
  /**
   * Returns the time of each record’s last change, by the clock of answers. `seen` is the time at which the record appeared or disappeared.
   */
  changes(name: ResourceName): ReadonlyMap<number, { readonly seen: number; readonly any: number }>;
  /** The requests that the service refused because of an undocumented parameter. */
  readonly refused: string[];
}

const stamp = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
const BEGAN = Date.UTC(2026, 9, 1) / 1000;

export function oddService(
  odd: Oddities,
  random: () => number,
  sizes: { readonly contacts: number; readonly parents: number },
): OddService {
  const pick = (below: number) => Math.floor(random() * below);
  const tables: Record<ResourceName, Map<number, Stored>> = {
    contacts: new Map(),
    'work-items': new Map(),
    comments: new Map(),
    subtasks: new Map(),
  };
  const last: Record<string, number> = {};
  const hint = `field_${pick(1000)}`;
  const refused: string[] = [];
  let now = BEGAN;

  const make = (name: ResourceName, made: number, parent?: number) => {
    const id = (last[name] ?? 0) + 1 + pick(2);
    last[name] = id;
    tables[name].set(id, { id, parent, made, changed: made, value: pick(1000), deleted: undefined, hidden: random() < 0.04 });
  };
  const childrenOf = (name: ResourceName, parent: number) =>
    [...tables[name].values()].filter((row) => row.parent === parent && isThere(row));
  function isThere(row: Stored): boolean {
    if (row.deleted !== undefined || row.hidden) return false;
    const parent = row.parent === undefined ? undefined : tables['work-items'].get(row.parent);
    return row.parent === undefined || (parent !== undefined && isThere(parent));
  }

  for (let left = sizes.contacts; left > 0; left -= 1) make('contacts', BEGAN - left * 3_600);
  for (let left = sizes.parents; left > 0; left -= 1) make('work-items', BEGAN - left * 3_600);
  for (const { id, made } of [...tables['work-items'].values()])
    for (const name of ['comments', 'subtasks'] as const)
      for (let left = random() < 0.6 ? 0 : pick(3); left > 0; left -= 1) make(name, made + 60, id);

  function show(name: ResourceName, row: Stored, view: string): Record<string, unknown> {
    const { id, made, changed, value, parent, deleted } = row;
    return {
      id,
      name: `${name} ${value}`,
      ...(parent !== undefined && { work_item_id: parent }),
      created_at: stamp(made),
      updated_at: stamp(changed),
      ...(deleted !== undefined && { deleted_at: stamp(deleted) }),
      // The list view has every field of a subtask.
      ...((view === 'detail' || name === 'subtasks') && {
        note: `Note ${value}`,
        // This undocumented field occurs in some records, with values of any type.
        ...(value % 3 === 0 && { [hint]: value % 2 === 0 ? value : `text ${value}` }),
        ...(name === 'work-items' &&
          odd.counters && { comments_count: childrenOf('comments', id).length, subtasks_count: childrenOf('subtasks', id).length }),
      }),
    };
  }

  const all = (name: ResourceName) =>
    new Map([...tables[name].values()].filter(isThere).map((row) => [row.id, JSON.stringify(show(name, row, 'detail'))]));
  const known = new Map<ResourceName, Map<number, { text: string | undefined; seen: number; any: number }>>(
    RESOURCES.map((name) => [name, new Map()]),
  );
  /** Records the effect of the last event. */
  const note = () => {
    for (const name of RESOURCES) {
      const [there, before] = [all(name), known.get(name) ?? new Map()];
      for (const id of new Set([...there.keys(), ...before.keys()])) {
        const [text, old] = [there.get(id), before.get(id)];
        if (old !== undefined && old.text === text) continue;
        const at = now + odd.ahead;
        const isOther = old === undefined || (old.text === undefined) !== (text === undefined);
        before.set(id, { text, any: at, seen: isOther ? at : old.seen });
      }
    }
  };
  note();

  const any = (name: ResourceName, fits: (row: Stored) => boolean = isThere): Stored | undefined => {
    const those = [...tables[name].values()].filter(fits);
    return those[pick(those.length)];
  };
  const touch = (row: Stored | undefined) => {
    if (row === undefined) return;
    row.changed = now;
    const parent = row.parent === undefined ? undefined : tables['work-items'].get(row.parent);
    if (odd.touches && parent !== undefined) parent.changed = now;
  };
  const create = (name: ResourceName) => {
    const parent = name === 'comments' || name === 'subtasks' ? any('work-items')?.id : undefined;
    if ((name === 'comments' || name === 'subtasks') && parent === undefined) return;
    make(name, now, parent);
    touch(tables[name].get(last[name] ?? 0));
  };
  const change = (name: ResourceName, isStamped: boolean) => {
    const row = any(name);
    if (row === undefined) return;
    row.value = pick(1000);
    if (isStamped) touch(row);
  };
  const remove = (name: ResourceName) => {
    const row = any(name);
    if (row === undefined) return;
    row.deleted = now;
    const parent = row.parent === undefined ? undefined : tables['work-items'].get(row.parent);
    if (odd.touches && parent !== undefined) parent.changed = now;
  };
  const hide = (name: ResourceName) => {
    const row = any(name);
    if (row !== undefined) row.hidden = true;
  };
  const reveal = (name: ResourceName) => {
    const row = any(name, ({ hidden, deleted }) => hidden && deleted === undefined);
    if (row !== undefined) row.hidden = false;
  };
  const deeds: readonly ((name: ResourceName) => void)[] = [
    create,
    create,
    (name) => change(name, true),
    (name) => change(name, false),
    remove,
    hide,
    reveal,
    (name) => {
      // The number of rows stays the same.
      reveal(name);
      if (random() < 0.5) remove(name);
      else hide(name);
    },
  ];

  function list(name: ResourceName, parent: number | undefined, query: URLSearchParams, origin: string, path: string): [number, unknown] {
    const refuse = (parameter: string): [number, unknown] => {
      refused.push(`${path} ${parameter}`);
      return [400, { type: 'https://service.invalid/unsupported-parameter', title: 'Unknown', status: 400, parameter }];
    };
    const bounds: ((row: Stored) => boolean)[] = [];
    for (const [field, answer, at] of [
      ['updated_at', odd.updated, (row: Stored) => row.changed],
      ['created_at', odd.created, (row: Stored) => row.made],
    ] as const) {
      for (const [key, value] of query) {
        if (!key.startsWith(`filter[${field}]`)) continue;
        if (answer === 'refused') return refuse(key);
        if (answer === 'ignored') continue;
        const bound = Date.parse(value) / 1000;
        if (key.endsWith('[gte]')) bounds.push((row) => at(row) >= bound);
        if (key.endsWith('[lt]')) bounds.push((row) => at(row) < bound);
        if (key.endsWith('[null]')) bounds.push(() => value !== 'true');
      }
    }
    if (query.has('trashed') && odd.trash === 'refused') return refuse('trashed');
    if (query.get('with_total') === '1' && odd.totals === 'never') return refuse('with_total');
    const include = query.get('include');
    if (include !== null && odd.includes === 'refused') return refuse('include');
    const isTrash = query.get('trashed') === 'only' && odd.trash === 'listed';
    const isShown = (row: Stored) => (isTrash ? row.deleted !== undefined && !row.hidden : isThere(row));
    const rows = [...tables[name].values()]
      .filter((row) => (parent === undefined || row.parent === parent) && isShown(row) && bounds.every((fits) => fits(row)))
      .sort((one, other) => one.id - other.id);
    const size = Math.min(Number(query.get('per_page') ?? 25), include === null ? 100 : 25);
    const after = Number(query.get('cursor') ?? 0);
    const open = rows.filter(({ id }) => id > after);
    const shown = open.slice(0, size);
    const next = new URL(`${path}?${query}`, origin);
    next.searchParams.set('cursor', String(shown.at(-1)?.id ?? 0));
    const total = odd.totals === 'always' || (odd.totals === 'asked' && query.get('with_total') === '1') ? rows.length : null;
    const view = query.get('view') ?? 'summary';
    let room = odd.includes === 'cut' ? 10 : Number.POSITIVE_INFINITY;
    const related = (name: ResourceName, parent: number) => {
      const children = childrenOf(name, parent).slice(0, room);
      room -= children.length;
      return children;
    };
    const data = shown.map((row) => ({
      ...show(name, row, view),
      ...(include !== null && {
        [include]: related(include as ResourceName, row.id).map((child) =>
          show(include as ResourceName, child, odd.includes === 'summary' ? 'summary' : view),
        ),
      }),
    }));
    return [200, { data, meta: { page: { per_page: size, total } }, links: { next: open.length > size ? next.href : null } }];
  }

  function entries(): unknown[] {
    const below = (segment: string) => `/work-items/{work_item}/${segment}`;
    const get = (...paths: string[]) => paths.map((path) => ({ method: 'GET', path }));
    const isNamed = odd.children === 'path' || odd.children === 'operation';
    return [
      { name: 'contacts', path: '/contacts', item_path: '/contacts/{contact}', operations: get('/contacts', '/contacts/{contact}') },
      {
        name: 'work-items',
        path: '/work-items',
        item_path: '/work-items/{work_item}',
        operations: get('/work-items', '/work-items/{work_item}'),
      },
      { name: 'comments', path: null, item_path: `${below('comments')}/{comment}`, operations: get(below('comments')) },
      {
        name: 'subtasks',
        path: odd.children === 'path' ? '/subtasks' : null,
        item_path: '/subtasks/{subtask}',
        operations: get(...(isNamed ? ['/subtasks'] : []), below('subtasks'), '/subtasks/{subtask}'),
      },
    ];
  }

  function reply(path: string, query: URLSearchParams, origin: string): [number, unknown] {
    const missing: [number, unknown] = [404, { type: 'https://service.invalid/endpoint-not-found', title: 'Not found', status: 404 }];
    const [, , , top = '', item, segment] = path.split('/');
    if (top === '') return [200, { data: entries(), links: { next: null } }];
    if (top === 'me') return [200, { data: { id: 7, name: 'Somebody' } }];
    const name = RESOURCES.find((each) => each === (segment ?? top));
    if (name === undefined || (segment === undefined && top === 'comments')) return missing;
    if (segment !== undefined) {
      const parent = tables['work-items'].get(Number(item));
      return parent === undefined || !isThere(parent) ? missing : list(name, parent.id, query, origin, path);
    }
    if (item === undefined) return top === 'subtasks' && odd.children === 'none' ? missing : list(name, undefined, query, origin, path);
    const row = tables[name].get(Number(item));
    return row === undefined || !isThere(row) ? missing : [200, { data: show(name, row, 'detail') }];
  }

  function happen(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      now += 1 + pick(600);
      const deed = pick(deeds.length);
      // A child table may miss a parent that disappears and reappears with its children.
      const isOfParent = deed > 4 && random() < 0.5;
      deeds[deed]?.(isOfParent ? 'work-items' : (RESOURCES[pick(RESOURCES.length)] ?? 'contacts'));
      note();
    }
    now += 1;
  }

  let isBusy = true;
  return {
    answer(request, response, socket) {
      if (isBusy && random() < odd.busy) happen(1);
      const [status, body] = reply(request.path, request.query, `http://${request.headers.host}`);
      const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}"`;
      const headers = { date: new Date((now + odd.ahead) * 1000).toUTCString(), ...(odd.etags && status === 200 && { etag }) };
      if (odd.etags && status === 200 && request.headers['if-none-match'] === etag) {
        response.writeHead(304, headers).end();
        return;
      }
      json(status, body, headers)(request, response, socket);
    },
    happen,
    rest() {
      isBusy = false;
    },
    wait(seconds) {
      now += seconds;
    },
    now: () => now,
    truth: all,
    changes: (name) => known.get(name) ?? new Map(),
    refused,
  };
}
