import { expect } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import type { RunOptions } from '../support/svc.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

/** The time of the tests: Friday, 12:00 in Amsterdam. */
export const NOON = '2026-06-05T10:00:00Z';

type Options = Parameters<typeof signInAt>[1];

/** A sandbox without running timers, and its events. */
export interface Place extends PinnedSandbox {
  /** Starts a timer of the user at a time, as the administrator. Returns its id. */
  begin(started: string, fields?: JsonObject): Promise<number>;
  /** Logs hours as the administrator, without svc. */
  log(fields: JsonObject): Promise<void>;
  /** Returns the ids of the running timers. */
  running(): readonly number[];
  /** Returns the hours logged since the start, without fields that vary. */
  logged(): readonly JsonObject[];
  /** Removes all timers and new hours. */
  clear(): Promise<void>;
}

/** Signs in as the administrator, number 1, in Amsterdam. */
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

/** The hours of a timer on ABC-12 that started at 10:30 in Amsterdam. */
export const HOUR_AND_HALF = { date: '2026-06-05', minutes: 90, description: 'Review', work_item_id: 12, project_id: 1, user_id: 1 };

/** Returns a clock whose waits end at once and move the time forward. */
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
