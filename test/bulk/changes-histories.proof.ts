// Random histories of svc changes. The feed loses nothing, and repeats a change only under the same id. A reader that applies the
// feed has the records of the service.
// Records are created, changed and deleted, rights are lost and regained, and clocks differ. Answers get lost, the service and the
// machine sleep, and other svc processes sync. Commands fail, and svc is interrupted and killed at any step. SVC_TEST_FULL=1 runs
// 1,000 histories.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { InterruptedError } from '../../src/errors.ts';
import type { Fault } from '../../src/sandbox/start.ts';
import { historiesOf, INTERPRETATION_SETS } from '../support/histories.ts';
import { IS_FULL } from '../support/parts.ts';
import { runKillable } from '../support/run-killable.ts';
import { type Result, type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

const HISTORIES = IS_FULL ? 250 : 2;

/** Faults during a run. The last one lasts longer than the retries of svc. */
const FAULTS: readonly Fault[] = [
  { method: 'GET', drop: 'after', times: 2 },
  { method: 'GET', truncate: true },
  { method: 'GET', garbage: true },
  { method: 'GET', status: 429, retryAfter: 2, times: 3 },
  { method: 'GET', status: 503, times: 30 },
];

let here: SignedIn;
afterEach(() => here.remove());

interface PrintedChange {
  readonly id: string;
  readonly position: number;
  readonly noun: string;
  readonly record_id: number;
  readonly kind: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** A reader of the feed, with records of its own. */
class Reader {
  readonly copy = new Map<string, string>();
  readonly #told = new Map<string, string>();
  last = 0;
  twice = 0;

  take(line: string): void {
    const { id, position, noun, record_id, kind, before, after } = JSON.parse(line) as PrintedChange;
    const earlier = this.#told.get(id);
    if (earlier !== undefined) {
      expect(line, 'the same id, and another change').toBe(earlier);
      this.twice += 1;
      return;
    }
    this.#told.set(id, line);
    expect(position, 'a change is missing, or has another id').toBe(this.last + 1);
    this.last = position;
    const key = `${noun} ${record_id}`;
    expect(before === null ? undefined : JSON.stringify(before), line).toBe(this.copy.get(key));
    expect(kind).toBe(before === null ? 'created' : after === null ? 'deleted' : 'updated');
    if (after === null) this.copy.delete(key);
    else this.copy.set(key, JSON.stringify(after));
  }
}

/** Returns every record of a local database, by resource and id. */
function held(file: string): { readonly records: Map<string, string>; readonly last: number } {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare('SELECT noun, "table" AS name FROM svc_tables').all() as { noun: string; name: string }[];
    const records = tables.flatMap(({ noun, name }) => {
      const rows = database.prepare(`SELECT id, record FROM "svc_record_${name}"`).all() as { id: number; record: string }[];
      return rows.map(({ id, record }) => [`${noun} ${id}`, record] as const);
    });
    return { records: new Map(records), last: Number(database.prepare('SELECT last FROM svc_log').get()?.['last']) };
  } finally {
    database.close();
  }
}

// test/bulk/sync-histories.proof.ts covers the ways to find deleted rows.
it.each(INTERPRETATION_SETS.filter(([, { trashedTakes }]) => trashedTakes === undefined))(
  `a reader of svc changes has every record after each of ${HISTORIES} histories with %s`,
  { timeout: 7_200_000 },
  async (_, interpretations) => {
    here = await signedIn({ limits: 'off', personalToken: true, interpretations });
    const { sandbox } = here;
    const { nouns, token, random, pick, happen, reveal, truth } = historiesOf(here, 20_260_102);
    const file = join(here.home, 'mirror.sqlite');
    const env = { SVC_HOST: here.host, SVC_TOKEN: token };
    const svc = (words: readonly string[], options: RunOptions = {}) =>
      here.svc([...words, '--to', file, '--max-units', '2000', '--quiet'], { hurried: true, ...options, env });
    const reader = new Reader();

    /** Returns the printed lines. Nobody reads half a line of a killed svc. */
    const lines = () => {
      let rest = '';
      return (text: string) => {
        const whole = (rest + text).split('\n');
        rest = whole.pop() ?? '';
        for (const line of whole) reader.take(line);
      };
    };
    /** A command that gets each change. It sometimes fails, before or after its work. */
    const command: NonNullable<RunOptions['program']> = async (_command, _args, input) => {
      if (random() < 0.1) return 7;
      reader.take((await Array.fromAsync(input ?? [])).join('').trimEnd());
      return random() < 0.1 ? 7 : 0;
    };

    /** Follows the changes until svc has waited long enough, or was killed. Anything can happen in between. */
    async function follow(killAt: number | undefined): Promise<Result | undefined> {
      const stop = new AbortController();
      const skew = (pick(5) - 2) * 90_000;
      let skipped = 0;
      let waits = 4 + pick(12);
      const clock: Deps['clock'] = {
        now: () => Date.now() + skew + skipped,
        monotonic: () => performance.now() + skipped,
        async sleep(ms, signal) {
          signal?.throwIfAborted();
          // The machine sometimes sleeps as well.
          skipped += ms + (random() < 0.05 ? 36_000_000 : 0);
          if (random() < 0.5) await happen(pick(4));
          if (random() < 0.15) sandbox.setFaults([FAULTS[pick(FAULTS.length)] ?? {}]);
          if (random() < 0.05) await svc(['sync', ...nouns]);
          waits -= 1;
          if (waits < 0) stop.abort(new InterruptedError('Interrupted (SIGINT).', { signal: 'SIGINT' }));
          signal?.throwIfAborted();
        },
      };
      const isRun = random() < 0.3;
      const words = ['changes', ...nouns, '--follow', ...(isRun ? ['--exec', 'on-change'] : [])];
      return runKillable(killAt, (around) =>
        svc(words, { signal: stop.signal, program: command, onStdout: lines(), around: (deps) => around({ ...deps, clock }) }),
      );
    }

    const first = await svc(['changes', ...nouns]);
    expect([first.code, first.stdout], first.stderr).toEqual([0, '']);
    for (const [key, record] of held(file).records) reader.copy.set(key, record);
    const count = { killed: 0, followed: 0, after: 0 };
    for (let history = 1; history <= HISTORIES; history += 1) {
      const began = reader.last;
      // A short run also has one killed svc, and one that finds changes.
      if (history === 2) await reveal();
      for (let runs = 1 + pick(2); runs > 0; runs -= 1) {
        const killAt = random() < 0.4 ? 1 + pick(400) : undefined;
        const result = history === 1 ? await follow(60) : await follow(history === 2 ? undefined : killAt);
        if (result === undefined) count.killed += 1;
        else expect([130, 8], result.stderr).toContain(result.code);
      }
      // Faults can hide the revealed change until svc stops. svc then follows again without faults.
      for (let more = 0; history === 2 && reader.last === began && more < 10; more += 1) {
        sandbox.setFaults([]);
        const result = await follow(undefined);
        expect([130, 8], result?.stderr).toContain(result?.code);
      }
      count.followed += reader.last - began;
      sandbox.setFaults([]);
      await happen(pick(4));
      const before = reader.last;
      const { code, stderr } = await svc(['changes', ...nouns], { onStdout: lines() });
      expect([0, 10], stderr).toContain(code);
      count.after += reader.last - before;
      const { records, last } = held(file);
      expect(reader.last).toBe(last);
      expect(reader.copy.size).toBe(records.size);
      for (const noun of nouns) {
        const there = await truth(noun);
        const told = new Map(
          [...reader.copy].flatMap(([key, text]) => (key.startsWith(`${noun} `) ? [[Number(key.split(' ')[1]), text]] : [])),
        );
        const differ = [...new Set([...there.keys(), ...told.keys()])].filter((id) => there.get(id) !== told.get(id));
        expect(differ, `history ${history}: ${noun}\n${there.get(differ[0] ?? 0)}\n${told.get(differ[0] ?? 0)}\n${stderr}`).toEqual([]);
      }
    }
    expect(count.killed).toBeGreaterThan(0);
    if (HISTORIES > 100) expect(reader.twice).toBeGreaterThan(0);
    expect(count.followed).toBeGreaterThan(0);
  },
);
