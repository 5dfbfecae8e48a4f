import { expect } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import type { RunOptions } from '../support/svc.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** Friday, 12:00 in Amsterdam. */
export const NOON = '2026-06-05T10:00:00Z';

type Options = Parameters<typeof signInAt>[1];

/** A sandbox in which nothing runs, and what happens there. */
export interface Place extends PinnedSandbox {
  /** Starts a timer of one's own at this moment, as the administrator; gives its id. */
  begin(started: string, fields?: JsonObject): Promise<number>;
  /** Logs hours as the administrator, not through svc. */
  log(fields: JsonObject): Promise<void>;
  /** Ids of the timers that run. */
  running(): readonly number[];
  /** Hours that were logged since the place was made, without what nobody decides. */
  logged(): readonly JsonObject[];
  /** Takes all timers and new hours away. */
  clear(): Promise<void>;
}

/** Signed in as the administrator, number 1, in Amsterdam. */
export async function makePlace(timestamp = NOON, options: Options = {}): Promise<Place> {
  const here = await signInAt(timestamp, options);
  const { sandbox } = here;
  const first = Math.max(0, ...sandbox.rows('worklogs').map(({ id }) => id));
  const rows = (name: string) => sandbox.rows(name).filter((row) => (row['deleted_at'] ?? null) === null);
  const isRunning = (row: Readonly<Record<string, unknown>>) => row['user_id'] === 1 && (row['stopped_at'] ?? null) === null;
  const send = async (method: string, path: string, body?: JsonObject) => {
    const authorization = `Bearer ${sandbox.tokens[0]?.value}`;
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const response = await fetch(`${sandbox.baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect(response.ok, `${method} ${path}`).toBe(true);
    sandbox.requests.length = 0;
  };
  let taken = first;
  const running = () =>
    rows('timers')
      .filter(isRunning)
      .map(({ id }) => id);
  const place: Place = {
    ...here,
    async begin(started, fields = { work_item_id: 12, description: 'Review' }) {
      await send('POST', '/timers', { user_id: 1, started_at: started, ...fields } as JsonObject);
      return Math.max(...running());
    },
    log: (fields) => send('POST', '/worklogs', { user_id: 1, ...fields }),
    running,
    logged: () =>
      rows('worklogs')
        .filter(({ id }) => id > taken)
        .map(
          ({ date, minutes, description, work_item_id, project_id, user_id }) =>
            ({ date, minutes, description, work_item_id, project_id, user_id }) as JsonObject,
        ),
    async clear() {
      sandbox.requests.length = 0;
      sandbox.setFaults([]);
      for (const id of running()) await send('DELETE', `/timers/${id}`);
      taken = Math.max(taken, ...sandbox.rows('worklogs').map(({ id }) => id));
    },
  };
  await place.clear();
  return place;
}

/** The hours of a timer on ABC-12 that began at 10:30 in Amsterdam. */
export const HOUR_AND_HALF = { date: '2026-06-05', minutes: 90, description: 'Review', work_item_id: 12, project_id: 1, user_id: 1 };

/** Every wait is over at once, and the clock says that it took its time. */
export function hurriedFrom(now: number): Pick<RunOptions, 'around'> {
  let skipped = 0;
  return {
    around: (deps) => ({
      ...deps,
      clock: {
        ...deps.clock,
        now: () => now + skipped,
        monotonic: () => deps.clock.monotonic() + skipped,
        async sleep(ms, signal) {
          signal?.throwIfAborted();
          skipped += ms;
        },
      },
    }),
  };
}
