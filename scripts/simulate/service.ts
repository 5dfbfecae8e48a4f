import type { NetworkRequest } from '../../src/deps.ts';
import { createApp } from '../../src/sandbox/http/app.ts';
import type { Row } from '../../src/sandbox/json.ts';
import { createSandboxState, type SandboxState } from '../../src/sandbox/sandbox-state.ts';
import { seed, seedTokens } from '../../src/sandbox/seed/index.ts';
import { settingsFrom } from '../../src/sandbox/settings.ts';
import type { Scenario } from './life.ts';
import { service as scope } from './service-scope.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A record with all fields that the service shows. */
export type ShownRecord = Readonly<Record<string, unknown>> & { readonly id: number };

/** The sandbox in this process, without a socket. */
export interface Service {
  readonly origin: string;
  readonly sandboxState: SandboxState;
  /** Returns a request that is on its way. Call the result when the request arrives. */
  arriving(request: NetworkRequest): Call;
  /** Records a request to a foreign origin. */
  stray(request: NetworkRequest): void;
  /** The requested addresses that do not belong to the service. */
  readonly strays: readonly string[];
  /** Returns the rows of a resource that are not deleted. */
  live(resource: string): readonly Row[];
  /** Returns the records of a resource as the service shows them now to the user of the sign-in. */
  records(resource: string, view: 'detail' | 'summary'): Promise<ShownRecord[]>;
  /** Returns true if a record with an id exists or existed. */
  hasBeen(resource: string, id: number): boolean;
  /** Returns the time at which a record was deleted, in milliseconds since 1970. Undefined if it was not deleted. */
  deletedAt(resource: string, id: number): number | undefined;
  /** Returns how often a worklog with a text was created. */
  created(text: string): number;
  /** Returns every token that the service has ever issued. */
  secrets(): Set<string>;
}

/** A request of svc to the service. */
export interface Call {
  (): Promise<Answer>;
  /** Receives the event just before the service receives the request. */
  heard(): void;
  /** Returns true if the request has renewed tokens, so that the loss of its answer ends the sign-in. */
  endsRefresh(answer: Answer): boolean;
}

/** The number of rows per resource: enough for several pages, but few enough for a fast start. */
const KEPT: Readonly<Record<string, number>> = {
  worklogs: 220,
  'work-items': 30,
  absences: 20,
  checkins: 10,
  subtasks: 10,
  comments: 10,
  holidays: 8,
};
/** The resources whose records belong to a work item. */
const OF_WORK_ITEMS = ['attachments', 'comments', 'subtasks', 'work-item-links'];
/** The number of time entries in scenarios with a local database. svc updates tables of 300 rows or more in another way than short ones. */
const KEPT_LONG = 330;
export const BEGINNING = Date.UTC(2027, 2, 10, 9);

type Dump = ReturnType<ReturnType<SandboxState['db']['table']>['dump']>;
let dumps: ReadonlyMap<string, Dump> | undefined;

/** Returns the sample organisation. Creates it only once, because that takes longer than a scenario. */
function organisation(): ReadonlyMap<string, Dump> {
  if (dumps !== undefined) return dumps;
  const whole = createSandboxState(settingsFrom({ clock: { now: () => BEGINNING } }), {});
  seed(whole);
  dumps = new Map([...whole.db.tables].map(([name, table]) => [name, table.dump()]));
  return dumps;
}

/** Returns fewer rows of a resource. With child records, each of them belongs to a work item. */
function rowsFor(name: string, { isLong, hasChildren }: ServiceOptions): Dump {
  const { lastId, rows } = organisation().get(name) ?? { lastId: 0, rows: [] };
  const own = hasChildren && OF_WORK_ITEMS.includes(name) ? ofKeptItems(rows) : rows;
  return { lastId, rows: own.slice(0, isLong && name === 'worklogs' ? KEPT_LONG : (KEPT[name] ?? own.length)) };
}

function ofKeptItems(rows: Dump['rows']): Dump['rows'] {
  const items = organisation().get('work-items')?.rows.slice(0, KEPT['work-items']) ?? [];
  const kept = new Set(items.map(({ row }) => row.id));
  return rows.filter(({ row }) => kept.has(Number(row['work_item_id'])));
}

export interface ServiceOptions {
  /** True for more time entries than svc compares page by page. */
  readonly isLong: boolean;
  /** True if each child record of a work item has its work item. */
  readonly hasChildren: boolean;
}

export function createService(scenario: Scenario, options: ServiceOptions): Service {
  const { timeline } = scenario;
  // The organisation is created outside of the scenario, so that it uses none of the scenario’s random values.
  const rows = [...organisation().keys()].map((name) => [name, rowsFor(name, options)] as const);
  return scope.run({ scenario }, () => {
    const sandboxState = createSandboxState(settingsFrom({ approve: true, clock: { now: () => BEGINNING + timeline.now } }), {
      keyOwner: 'user',
    });
    for (const [name, kept] of rows) sandboxState.db.table(name).load(kept);
    seedTokens(sandboxState);
    sandboxState.origin = 'http://127.0.0.1:4000';
    const app = createApp(sandboxState);
    const strays: string[] = [];
    const issued = new Set<string>();
    const texts: unknown[] = [];
    const deleted = new Map<string, number>();
    const hours = sandboxState.db.table('worklogs');
    const insert = hours.insert.bind(hours);
    hours.insert = (values) => {
      texts.push(values['description']);
      return insert(values);
    };
    for (const [name, table] of sandboxState.db.tables) {
      const remove = table.remove.bind(table);
      table.remove = (id) => {
        deleted.set(`${name} ${id}`, BEGINNING + timeline.now);
        remove(id);
      };
    }
    const connection = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

    const noteSecrets = () => {
      for (const { accessTokens, refreshToken, spentRefreshTokens } of sandboxState.apps.connections)
        for (const token of [...accessTokens.keys(), refreshToken, ...spentRefreshTokens]) issued.add(token);
      for (const { value } of sandboxState.tokens.all) issued.add(value);
    };

    async function answer({ method, url, headers, body }: NetworkRequest): Promise<Answer> {
      const sent = body === undefined ? Buffer.alloc(0) : await bytesOf(body);
      const request = new Request(url, { method, headers, ...(sent.length > 0 && { body: sent }) });
      const response = await scope.run({ scenario }, () => app.fetch(request, connection as never));
      const bytes = Buffer.from(await response.arrayBuffer());
      noteSecrets();
      return {
        status: response.status,
        headers: { date: new Date(sandboxState.clock.now()).toUTCString(), ...Object.fromEntries(response.headers) },
        body: bytes,
      };
    }

    return {
      origin: sandboxState.origin,
      sandboxState,
      strays,
      async records(resource, view) {
        const shown: ShownRecord[] = [];
        const headers = { authorization: `Bearer ${sandboxState.tokens.all[0]?.value}` };
        let url: string | null = `${sandboxState.origin}/api/v2/${resource}?sort=id&per_page=100&view=${view}`;
        while (url !== null) {
          const { status, body } = await answer({ method: 'GET', url, headers, timeoutMs: 1 });
          if (status !== 200) throw new Error(`${url}: ${status} ${String(body)}`);
          const page = JSON.parse(String(body)) as { readonly data: ShownRecord[]; readonly links: { readonly next: string | null } };
          shown.push(...page.data);
          url = page.links.next;
        }
        return shown;
      },
      hasBeen: (resource, id) => sandboxState.db.table(resource).rows.has(id) || deleted.has(`${resource} ${id}`),
      deletedAt(resource, id) {
        const trashed = sandboxState.db.table(resource).rows.get(id)?.['deleted_at'] ?? undefined;
        return deleted.get(`${resource} ${id}`) ?? (trashed === undefined ? undefined : Date.parse(String(trashed)));
      },
      created: (text) => texts.filter((each) => each === text).length,
      arriving(request) {
        const before = () => sandboxState.events.refreshes;
        let refreshes = 0;
        return Object.assign(() => answer(request), {
          heard: () => {
            refreshes = before();
          },
          endsRefresh: ({ status }: Answer) => status < 300 && before() > refreshes && request.url.includes('token'),
        });
      },
      stray: ({ url, headers }) =>
        void strays.push(`${url}${'authorization' in headers || 'Authorization' in headers ? ' with a token' : ''}`),
      live: (resource) => [...sandboxState.db.table(resource).rows.values()].filter((row) => (row['deleted_at'] ?? null) === null),
      secrets: () => {
        noteSecrets();
        return issued;
      },
    };
  });
}

/** Returns a request body as bytes. */
async function bytesOf(body: NonNullable<NetworkRequest['body']>): Promise<Buffer<ArrayBuffer>> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  return Buffer.concat(await Array.fromAsync(body.open()));
}
