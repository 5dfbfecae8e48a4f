import type { NetworkRequest } from '../../src/deps.ts';
import { createApp } from '../../src/sandbox/http/app.ts';
import type { Row } from '../../src/sandbox/json.ts';
import { plantTokens, seed } from '../../src/sandbox/seed/index.ts';
import { settingsFrom } from '../../src/sandbox/settings.ts';
import { createWorld, type World } from '../../src/sandbox/world.ts';
import type { Universe } from './life.ts';
import { service as scope } from './service-scope.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The sandbox in this process, without a socket. */
export interface Service {
  readonly origin: string;
  readonly world: World;
  /** A request that is on its way: call it when it arrives. */
  arriving(request: NetworkRequest): Call;
  /** A request to somebody else. */
  stray(request: NetworkRequest): void;
  /** Addresses that were asked for and are not the service's. */
  readonly strays: readonly string[];
  /** Rows of a resource that are not deleted. */
  live(resource: string): readonly Row[];
  /** Whether there ever was such a worklog. */
  hasBeen(id: number): boolean;
  /** How often a worklog with this text was created. */
  created(text: string): number;
  /** When somebody last lost the answer to a rotation of tokens that the service made; undefined: never. */
  lostRotations: number;
  /** Every token that it ever gave out. */
  secrets(): Set<string>;
}

/** One request of svc. */
export interface Call {
  (): Promise<Answer>;
  /** Right before the service sees it. */
  heard(): void;
  /** Its answer will not be seen. */
  lost(answer: Answer): void;
}

/** Large enough for several pages; small enough that a world is made in a millisecond. */
const KEPT: Readonly<Record<string, number>> = {
  worklogs: 220,
  'work-items': 30,
  absences: 20,
  checkins: 10,
  subtasks: 10,
  comments: 10,
  holidays: 8,
};
export const BEGINNING = Date.UTC(2027, 2, 10, 9);

type Dumps = readonly (readonly [string, ReturnType<ReturnType<World['db']['table']>['dump']>])[];
let dumps: Dumps | undefined;

/** The made-up organisation, cut down; made once, since that takes longer than a simulation. */
function organisation(): Dumps {
  if (dumps !== undefined) return dumps;
  const whole = createWorld(settingsFrom({ clock: { now: () => BEGINNING } }), {});
  seed(whole);
  dumps = [...whole.db.tables].map(([name, table]) => {
    const { lastId, rows } = table.dump();
    return [name, { lastId, rows: rows.slice(0, KEPT[name] ?? rows.length) }] as const;
  });
  return dumps;
}

export function createService(universe: Universe): Service {
  const { timeline } = universe;
  // Made outside, where it draws nothing of this world's chance: only the first world makes it.
  const rows = organisation();
  return scope.run({ universe }, () => {
    const world = createWorld(settingsFrom({ approve: true, clock: { now: () => BEGINNING + timeline.now } }), { keyOwner: 'user' });
    for (const [name, dump] of rows) world.db.table(name).load(dump);
    plantTokens(world);
    world.origin = 'http://127.0.0.1:4000';
    const app = createApp(world);
    const strays: string[] = [];
    const issued = new Set<string>();
    const texts: unknown[] = [];
    const ids = new Set<number>();
    const hours = world.db.table('worklogs');
    const insert = hours.insert.bind(hours);
    Object.assign(hours, {
      insert: (values: Parameters<typeof insert>[0]) => {
        texts.push(values['description']);
        const row = insert(values);
        ids.add(row.id);
        return row;
      },
    });
    const connection = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

    const noteSecrets = () => {
      for (const { accessTokens, refreshToken, spentRefreshTokens } of world.apps.connections)
        for (const token of [...accessTokens.keys(), refreshToken, ...spentRefreshTokens]) issued.add(token);
      for (const { value } of world.tokens.all) issued.add(value);
    };

    async function answer({ method, url, headers, body }: NetworkRequest): Promise<Answer> {
      const sent = body === undefined ? Buffer.alloc(0) : await bytesOf(body);
      const request = new Request(url, { method, headers, ...(sent.length > 0 && { body: sent }) });
      const response = await scope.run({ universe }, () => app.fetch(request, connection as never));
      const bytes = Buffer.from(await response.arrayBuffer());
      noteSecrets();
      return {
        status: response.status,
        headers: { date: new Date(world.clock.now()).toUTCString(), ...Object.fromEntries(response.headers) },
        body: bytes,
      };
    }

    const made: Service = {
      origin: world.origin,
      world,
      strays,
      hasBeen: (id) => ids.has(id),
      created: (text) => texts.filter((each) => each === text).length,
      lostRotations: 0,
      arriving(request) {
        const before = () => world.events.refreshes;
        let refreshes = 0;
        return Object.assign(() => answer(request), {
          heard: () => {
            refreshes = before();
          },
          lost: ({ status }: Answer) => {
            if (status < 300 && before() > refreshes && request.url.includes('token')) made.lostRotations += 1;
          },
        });
      },
      stray: ({ url, headers }) =>
        void strays.push(`${url}${'authorization' in headers || 'Authorization' in headers ? ' with a token' : ''}`),
      live: (resource) => [...world.db.table(resource).rows.values()].filter((row) => (row['deleted_at'] ?? null) === null),
      secrets: () => {
        noteSecrets();
        return issued;
      },
    };
    return made;
  });
}

/** A body as the wire has it. */
async function bytesOf(body: NonNullable<NetworkRequest['body']>): Promise<Buffer<ArrayBuffer>> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  return Buffer.concat(await Array.fromAsync(body.open()));
}
