import { describe, expect, it } from 'vitest';
import { IS_FULL, startOf } from '../support/parts.ts';
import { runKillable } from '../support/run-killable.ts';
import { HOUR_AND_HALF, makePlace, NOON, type Place } from './timing.ts';

// svc is killed before every third step of a stop, from another step each day, and the same is typed again two minutes later.
// SVC_TEST_FULL=1 uses each step.

const STRIDE = IS_FULL ? 1 : 3;

describe('svc timers stop, killed at a step and repeated,', () => {
  it.each([
    ['delete', false, true],
    ['delete', true, true],
    ['delete', true, false],
    ['action', false, false],
    ['action', true, true],
    ['logging-action', false, false],
  ] as const)(
    'logs the hours once (timerEnds %s, worklogEndsTimers %s, personal access token %s; rule 18.32)',
    async (timerEnds, worklogEndsTimers, personalToken) => {
      const here = await makePlace(NOON, { personalToken, interpretations: { timerEnds, worklogEndsTimers } });
      try {
        for (let step = startOf(STRIDE); ; step += STRIDE) {
          await here.clear();
          await here.begin('2026-06-05T08:30:00Z');
          const lived = await runKillable(step, (around) => here.svc(['timers', 'stop'], { around }));
          const again = await here.svc(['timers', 'stop'], { now: here.now + 120_000 });
          const what = `step ${step}: ${again.stderr}`;
          expect([0, 3], what).toContain(again.code);
          const [only, ...more] = here.logged();
          expect(more, what).toEqual([]);
          // By the second, two minutes more may have passed.
          // What the service logs by itself does not name the project.
          expect({ ...only, minutes: 90, project_id: 1 }, what).toEqual(HOUR_AND_HALF);
          expect([90, 92], what).toContain(only?.['minutes']);
          expect(here.running(), what).toEqual([]);
          const outbox = await here.svc(['outbox', 'list'], { now: here.now + 120_000 });
          expect(JSON.parse(outbox.stdout), what).toEqual([]);
          const third = await here.svc(['timers', 'stop'], { now: here.now + 240_000 });
          expect([third.code, here.logged().length], what).toEqual([3, 1]);
          if (lived !== undefined) {
            expect(lived.code, lived.stderr).toBe(0);
            expect(step).toBeGreaterThan(10);
            break;
          }
        }
      } finally {
        await here.remove();
      }
    },
  );
});

describe('svc timers switch, killed at a step and repeated,', () => {
  it.each([
    ['delete', true],
    ['action', false],
  ] as const)(
    'logs the hours once and starts one timer (timerEnds %s, personal access token %s; rule 18.32)',
    async (timerEnds, personalToken) => {
      const here = await makePlace(NOON, { personalToken, interpretations: { timerEnds } });
      try {
        for (let step = startOf(2 * STRIDE); ; step += 2 * STRIDE) {
          await here.clear();
          const old = await here.begin('2026-06-05T08:30:00Z');
          // Each another text: the same start typed again is the same write.
          const words = ['timers', 'switch', 'ABC-7', `Step ${step}`];
          const lived = await runKillable(step, (around) => here.svc(words, { around }));
          // Killed when all was done, known and printed: typed again, it would be the next switch.
          const isOver = lived === undefined && here.logged().length === 1 && here.running()[0] !== old && (await isResolved(here));
          if (isOver) continue;
          const again = lived ?? (await here.svc(words, { now: here.now + 120_000 }));
          const what = `step ${step}: ${again.stderr}`;
          expect(again.code, what).toBe(0);
          expect(
            here.logged().map(({ work_item_id: item }) => item),
            what,
          ).toEqual([12]);
          expect(here.running(), what).toEqual([expect.any(Number)]);
          expect(here.running(), what).not.toEqual([old]);
          if (lived !== undefined) {
            expect(step).toBeGreaterThan(10);
            break;
          }
        }
      } finally {
        await here.remove();
      }
    },
  );
});

/** Whether nothing that was written is open in the journal. */
async function isResolved(here: Place): Promise<boolean> {
  return (await here.svc(['outbox', 'list'])).stdout.trim() === '[]';
}
