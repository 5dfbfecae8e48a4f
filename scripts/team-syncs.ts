/**
 * Simulates a working day of an organisation with syncs of several machines, in virtual time, and prints the tables of
 * docs/explanation/team-syncs.md. The same arguments print the same tables.
 *
 *     node scripts/team-syncs.ts
 *
 * The rate limits are those of the sandbox, and the pace is that of svc: `createPace`, `decideRetry` and `parseRateLimit` run unchanged on a
 * virtual clock. The sizes of the organisation and the habits of its people are the assumptions in {@link DAY}.
 */

import { createPace, type SharedLimits } from '../src/client/pace.ts';
import { emptyBook } from '../src/client/rate-book.ts';
import { parseRateLimit } from '../src/client/rate-limit.ts';
import { decideRetry, LEAST_REFUSAL_MS } from '../src/client/retry.ts';
import type { Clock } from '../src/deps.ts';
import { RateLimitError } from '../src/errors.ts';
import { createLimiter, type Limiter, rateLimitHeaders } from '../src/sandbox/limits.ts';
import { Problem } from '../src/sandbox/problem.ts';

/** The assumptions. Times are in milliseconds. */
const DAY = {
  /** The simulated part of the day. */
  length: 10 * 3_600_000,
  people: 200,
  /** The commands of a person in the day. They have a peak in the first and in the last hour. */
  commands: 40,
  /** The time from a request to its answer. */
  latency: 100,
  /** The requests that a sync sends at the same time. */
  lanes: 6,
  /** The longest single wait of svc (`--max-wait`). */
  maxWait: 300_000,
} as const;

/** The requests of a command in rate-limit units. `read`: the command only reads, so a team database can answer it. */
const COMMANDS = [
  { share: 0.3, read: [1, 1], write: 1 },
  { share: 0.3, read: [1, 3, 1, 1, 1], write: 0 },
  { share: 0.3, read: [3, 3], write: 0 },
  { share: 0.1, read: Array<number>(12).fill(3), write: 0 },
] as const;

/** The requests of a sync without many changes, in rate-limit units: as measured (docs/explanation/team-syncs.md). */
const SYNC: readonly number[] = [...Array<number>(70).fill(1), ...Array<number>(120).fill(3)];

export interface Scenario {
  readonly syncers: number;
  /** True if the machines share a team database, and people read from it. */
  readonly team: boolean;
  /** True if all machines have one IP address, as in an office. */
  readonly office: boolean;
  /** The time from one sync of a machine to the next, in minutes. */
  readonly every: number;
  /** True if each machine begins at its own time. False if all machines begin in the same minute, as with cron. */
  readonly spread: boolean;
}

export interface Outcome {
  readonly syncUnits: number;
  readonly peopleUnits: number;
  /** The waits of people for a command because of limits, in milliseconds, ascending. */
  readonly waits: readonly number[];
  readonly failed: number;
  /** The age of the rows that a person reads from a database, in milliseconds, ascending. */
  readonly ages: readonly number[];
}

/** A clock whose time moves to the next wait as soon as nothing else can run. */
class VirtualClock implements Clock {
  #time = 0;
  #waiting: { readonly at: number; readonly wake: () => void }[] = [];
  now = () => START + this.#time;
  monotonic = () => this.#time;

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#push({ at: this.#time + Math.max(0, ms), wake }));
  }

  async run(): Promise<void> {
    for (let next = this.#pop(); next !== undefined; next = this.#pop()) {
      this.#time = next.at;
      next.wake();
      await new Promise(setImmediate);
    }
  }

  // A binary heap. Equal times keep no order, which the seed fixes all the same.
  #push(entry: { readonly at: number; readonly wake: () => void }): void {
    const heap = this.#waiting;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= entry.at) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): { readonly at: number; readonly wake: () => void } | undefined {
    const heap = this.#waiting;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) break;
      const [child, step] = right !== undefined && right.at < left.at ? [right, 2] : [left, 1];
      if (child.at >= last.at) break;
      heap[at] = child;
      at = 2 * at + step;
    }
    heap[at] = last;
    return first;
  }
}

const START = Date.UTC(2026, 10, 26, 8);

/** Returns numbers from 0 to 1 that depend only on the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A machine with one account: its address, and the limits that its svc processes share in a file. */
function machine(name: string, office: boolean) {
  const book = emptyBook();
  const refused = { read: 0, write: 0 };
  const shared: SharedLimits = {
    refused: (kind) => refused[kind],
    refuse: (kind, until) => {
      refused[kind] = Math.max(refused[kind], until);
    },
    update: async (change) => change(book),
  };
  return { name, address: office ? 'office' : name, shared };
}

type Machine = ReturnType<typeof machine>;

/** Starts a process of svc. Returns a function that sends one request and returns its units. */
function startSvc(
  { clock, limiter, random }: { readonly clock: VirtualClock; readonly limiter: Limiter; readonly random: () => number },
  at: Machine,
  isBulk: boolean,
) {
  const pace = createPace({
    clock,
    maxWaitMs: DAY.maxWait,
    share: () => (isBulk ? {} : undefined),
    shared: async () => at.shared,
  });
  return async (kind: 'read' | 'write', units: number): Promise<number> => {
    for (let refusals = 0; ; refusals += 1) {
      const turn = await pace.enter(kind, units);
      const spending = limiter.spending(at.name, kind);
      await clock.sleep(DAY.latency / 2);
      let retryAfter: number | undefined;
      try {
        limiter.countAddress(at.address, 'host', clock.now());
        limiter.admit(spending, units, clock.now());
        limiter.spend(spending, units, clock.now());
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        retryAfter = Number(error.headers?.['Retry-After']);
      }
      const { RateLimit: limit = '', 'RateLimit-Policy': policy = '' } = rateLimitHeaders(spending, clock.now(), 60);
      await clock.sleep(DAY.latency / 2);
      if (retryAfter !== undefined) pace.refuse(kind, Math.max(retryAfter * 1_000, LEAST_REFUSAL_MS));
      await turn.end(parseRateLimit({ ratelimit: limit, 'ratelimit-policy': policy }), retryAfter === undefined ? 200 : 429);
      if (retryAfter === undefined) return units + (kind === 'write' ? 1 : 0);
      const outcome = { kind: 'status', status: 429, retryAfterMs: retryAfter * 1_000 } as const;
      const options = { repeatable: true, retries: 0, refusals, maxWaitMs: DAY.maxWait, random };
      if (decideRetry(outcome, options).action === 'stop') throw new RateLimitError('The service refused the request.', {});
    }
  };
}

/** Simulates a day. */
export async function simulateDay({ syncers, team, office, every, spread }: Scenario, seed = 1): Promise<Outcome> {
  const clock = new VirtualClock();
  const random = randomFrom(seed);
  const limiter = createLimiter({ windowMs: 60_000, enforced: true, interpretations: { rateWindow: 'fixed' } });
  const scene = { clock, limiter, random };
  let [syncUnits, peopleUnits, failed] = [0, 0, 0];
  const [waits, ages]: [number[], number[]] = [[], []];
  const interval = every * 60_000;
  /** The start of the last complete sync of each database, and the process that syncs a team database. */
  const completeAt = new Map<number, number>();
  let leading: Promise<void> | undefined;

  async function sync(at: Machine, database: number): Promise<void> {
    const began = clock.monotonic();
    const send = startSvc(scene, at, true);
    const left = [...SYNC];
    const lane = async () => {
      for (let units = left.pop(); units !== undefined; units = left.pop()) {
        const spent = await send('read', units);
        syncUnits += spent;
      }
    };
    await Promise.all(Array.from({ length: DAY.lanes }, lane));
    completeAt.set(database, Math.max(completeAt.get(database) ?? 0, began));
  }

  /** Syncs a team database as `svc sync --to … --max-age <half of the interval>` does: one process leads, and the others wait. */
  async function syncInTurn(at: Machine): Promise<void> {
    const needed = clock.monotonic() - interval / 2;
    for (const end = clock.monotonic() + DAY.maxWait; ; ) {
      if ((completeAt.get(0) ?? Number.NEGATIVE_INFINITY) > needed) return;
      if (leading === undefined) {
        leading = sync(at, 0).finally(() => {
          leading = undefined;
        });
        return leading;
      }
      if (clock.monotonic() >= end) return;
      await clock.sleep(1_000);
    }
  }

  async function syncer(number: number): Promise<void> {
    const at = machine(`syncer ${number}`, office);
    const offset = spread ? random() * interval : 0;
    for (let due = offset; due < DAY.length; due += interval) {
      await clock.sleep(due + random() * 60_000 - clock.monotonic());
      await (team ? syncInTurn(at) : sync(at, number)).catch((error: unknown) => {
        if (!(error instanceof RateLimitError)) throw error;
      });
    }
  }

  async function person(number: number): Promise<void> {
    const at = machine(`person ${number}`, office);
    const times = Array.from({ length: DAY.commands }, () => timeOfDay(random)).toSorted((one, other) => one - other);
    for (const time of times) {
      await clock.sleep(time - clock.monotonic());
      const { read, write } = pick(random);
      if (team && write === 0) {
        ages.push(clock.monotonic() - (completeAt.get(0) ?? 0));
        waits.push(0);
        continue;
      }
      const send = startSvc(scene, at, false);
      const began = clock.monotonic();
      try {
        const costs = [...read.map((units) => ['read', units] as const), ...(write > 0 ? [['write', write] as const] : [])];
        for (const [kind, units] of costs) {
          const spent = await send(kind, units);
          peopleUnits += spent;
        }
        waits.push(Math.round(clock.monotonic() - began - DAY.latency * (read.length + Math.min(1, write))));
      } catch (error) {
        if (!(error instanceof RateLimitError)) throw error;
        failed += 1;
      }
    }
  }

  /** Looks at the age of each database once a minute. */
  async function look(): Promise<void> {
    for (let minute = 1; minute * 60_000 < DAY.length; minute += 1) {
      await clock.sleep(minute * 60_000 - clock.monotonic());
      if (!team) for (let each = 0; each < syncers; each += 1) ages.push(clock.monotonic() - (completeAt.get(each) ?? 0));
    }
  }

  const all = [
    ...Array.from({ length: syncers }, (_, number) => syncer(number)),
    ...Array.from({ length: DAY.people }, (_, number) => person(number)),
    look(),
  ];
  await Promise.all([clock.run(), ...all]);
  const ascending = (values: number[]) => values.sort((one, other) => one - other);
  return { syncUnits, peopleUnits, waits: ascending(waits), failed, ages: ascending(ages) };
}

/** Returns a time of the day. A third of the commands are in the first and in the last hour. */
function timeOfDay(random: () => number): number {
  const [which, within] = [random(), random()];
  const hour = 3_600_000;
  if (which < 1 / 6) return within * hour;
  if (which < 1 / 3) return DAY.length - within * hour;
  return hour + within * (DAY.length - 2 * hour);
}

function pick(random: () => number): (typeof COMMANDS)[number] {
  let left = random();
  for (const command of COMMANDS) {
    left -= command.share;
    if (left < 0) return command;
  }
  return COMMANDS[0];
}

function percentile(ascending: readonly number[], part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? Number.NaN;
}

const HEAD = [
  ...['syncs', 'database', 'addresses', 'start', 'units of syncs', 'units of people'],
  ...['wait of people: median', '99 %', 'longest', 'failed', 'age of rows: median', '99 %'],
];

/** Returns the row of a table for a scenario. */
export async function rowOf(scenario: Scenario): Promise<string> {
  const { syncers, team, office, every, spread } = scenario;
  const { syncUnits, peopleUnits, waits, failed, ages } = await simulateDay(scenario);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const minutes = (ms: number) => `${Math.round(ms / 60_000)} min`;
  const cells = [
    `${syncers} every ${every} min`,
    team ? 'one, shared' : 'own',
    office ? 'one' : 'own',
    spread ? 'spread' : 'same minute',
    syncUnits.toLocaleString('en-GB'),
    peopleUnits.toLocaleString('en-GB'),
    seconds(percentile(waits, 0.5)),
    seconds(percentile(waits, 0.99)),
    seconds(waits.at(-1) ?? 0),
    String(failed),
    minutes(percentile(ages, 0.5)),
    minutes(percentile(ages, 0.99)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The first table: how many machines sync. */
const COUNTS: readonly Scenario[] = [1, 5, 20, 50].flatMap((syncers) => [
  { syncers, team: false, office: false, every: 30, spread: false },
  { syncers, team: false, office: true, every: 30, spread: false },
  { syncers, team: true, office: true, every: 30, spread: false },
]);

/** The second table: machines that begin at their own time, and other intervals of a team database. */
const CHOICES: readonly Scenario[] = [
  { syncers: 20, team: false, office: true, every: 30, spread: true },
  { syncers: 50, team: false, office: true, every: 30, spread: true },
  ...[5, 15, 60].map((every) => ({ syncers: 20, team: true, office: true, every, spread: false })),
];

/** All scenarios of the tables. */
export const SCENARIOS: readonly Scenario[] = [...COUNTS, ...CHOICES];

/** Returns the tables in Markdown. */
async function tables(): Promise<readonly string[]> {
  const table = async (scenarios: readonly Scenario[]) => {
    const rows: string[] = [];
    for (const scenario of scenarios) rows.push(await rowOf(scenario));
    return [`| ${HEAD.join(' | ')} |`, `|${HEAD.map(() => '---').join('|')}|`, ...rows].join('\n');
  };
  return [await table(COUNTS), await table(CHOICES)];
}

if (import.meta.main) console.log((await tables()).join('\n\n'));
