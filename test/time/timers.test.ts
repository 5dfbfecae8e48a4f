import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import type { RunOptions } from '../support/svc.ts';
import { type Still, standStill } from './support.ts';

/** Friday, 12:00 in Amsterdam. */
const NOON = '2026-06-05T10:00:00Z';

type Options = Parameters<typeof standStill>[1];

/** A sandbox in which nothing runs, and what happens there. */
interface Place extends Still {
  /** Starts a timer of one's own at this moment, as the administrator; gives its id. */
  begin(started: string, fields?: JsonObject): Promise<number>;
  /** Ids of the timers that run. */
  running(): readonly number[];
  /** Hours that were logged since the place was made, without what nobody decides. */
  logged(): readonly JsonObject[];
  /** Takes all timers and new hours away. */
  clear(): Promise<void>;
}

async function makePlace(moment = NOON, options: Options = {}): Promise<Place> {
  const here = await standStill(moment, options);
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
    running,
    logged: () =>
      rows('worklogs')
        .filter(({ id }) => id > taken)
        .map(
          ({ date, minutes, description, work_item_id, project_id, user_id }) =>
            ({ date, minutes, description, work_item_id, project_id, user_id }) as JsonObject,
        ),
    async clear() {
      for (const id of running()) await send('DELETE', `/timers/${id}`);
      taken = Math.max(taken, ...sandbox.rows('worklogs').map(({ id }) => id));
      sandbox.setFaults([]);
    },
  };
  await place.clear();
  return place;
}

const HOUR_AND_HALF = { date: '2026-06-05', minutes: 90, description: 'Review', work_item_id: 12, project_id: 1, user_id: 1 };

describe('with a personal token', () => {
  let here: Place;
  beforeAll(async () => {
    here = await makePlace(NOON, { personalToken: true });
  });
  afterAll(() => here.remove());
  beforeEach(() => here.clear());
  const svc = (words: string, options: RunOptions = {}) => here.svc(words.split(' '), options);

  it('stop logs the time on what the timer is on, and ends it', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const { code, stdout, stderr } = await svc('timers stop');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      timer_id: id,
      ended: true,
      elapsed_minutes: 90,
      minutes: 90,
      work_item_id: 12,
      logged_by: 'svc',
    });
    expect([here.logged(), here.running()]).toEqual([[HOUR_AND_HALF], []]);
    expect(here.sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v2/worklogs',
      `DELETE /api/v2/timers/${id}`,
    ]);
    expect(await svc('timers stop')).toMatchObject({ code: 3, stdout: '' });
    expect(here.logged()).toHaveLength(1);
  });
});
