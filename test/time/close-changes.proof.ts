// Random changes at the service after a month is closed: svc names exactly these changes, with their hours and amounts.
// SVC_TEST_CLOSE_CHANGES=200 makes more changes for each service.
import { describe, expect, it } from 'vitest';
import { INTERPRETATIONS, type Interpretations } from '../../src/sandbox/interpretations.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { randomOf } from '../support/random.ts';
import { closedMonth } from './closed-month.ts';

const CHANGES = Number(process.env['SVC_TEST_CLOSE_CHANGES'] ?? 25);
/** The hourly rate of the project, in cents. */
const RATE = 9000;

/** The entry, as far as the changes concern it. */
interface Known {
  readonly date: string;
  readonly minutes: number;
  readonly isBillable: boolean;
}

const SERVICES: readonly [name: string, options: Partial<Interpretations>][] = [
  ['the documented service', {}],
  [
    'a service that filters nothing',
    { hoursFilters: 'refused', otherFilters: 'refused', assumedIncludes: 'refused', wrapSingleRecords: false },
  ],
  [
    'a service that shows deleted records',
    { deletedRecords: 'readable', deleteAnswers: 'record', hoursFilters: 'by-date', missingRecordType: 'endpoint-not-found' },
  ],
];

describe.each(SERVICES)('svc close --verify at %s', (_, options) => {
  it('names exactly the random changes of a closed month', async () => {
    const random = randomOf(40);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const here = await closedMonth(Array.from({ length: Math.ceil(CHANGES / 3) }, (_, at) => at + 1));
    try {
      Object.assign(
        here.sandbox.interpretations,
        Object.fromEntries(Object.entries(INTERPRETATIONS).map(([name, [usual]]) => [name, usual])),
        options,
      );
      const closed = await here.close(['--team']);
      expect(closed.code, closed.stderr).toBe(0);
      const sealed = (await here.seal(here.sealPath('2026-10-team')))['entries'] as { readonly id: number }[];
      const before = new Map<number, Known>();
      for (const { id } of sealed) before.set(id, { date: String((await here.record(id))['date']), minutes: 60, isBillable: false });
      const now = new Map(before);
      const touched = new Set<number>();
      const change = async (id: number, more: Partial<Known>, body: JsonObject) => {
        await here.change(id, body);
        const known = now.get(id);
        if (known !== undefined) now.set(id, { ...known, ...more });
      };
      while (touched.size < CHANGES) {
        const id = pick([...before.keys()].filter((one) => !touched.has(one)));
        const minutes = 1 + Math.floor(random() * 600);
        const date = `2026-10-${String(1 + Math.floor(random() * 31)).padStart(2, '0')}`;
        const kinds: (() => Promise<number>)[] = [
          async () => change(id, { minutes }, { minutes }).then(() => id),
          async () => change(id, {}, { description: `Changed ${minutes}` }).then(() => id),
          async () => change(id, { date: '2026-11-01' }, { date: '2026-11-01' }).then(() => id),
          async () => change(id, { isBillable: true, minutes }, { is_not_billable: false, minutes }).then(() => id),
          async () => change(id, {}, { user_id: 1, description: 'Given to another person' }).then(() => id),
          async () => {
            await here.deleteEntry(id);
            now.delete(id);
            return id;
          },
          async () => {
            const isBillable = random() < 0.5;
            const added = await here.add({ date, minutes, project_id: 1, description: 'Added', is_not_billable: !isBillable });
            now.set(added, { date, minutes, isBillable });
            return added;
          },
        ];
        touched.add(await pick(kinds)());
        // An entry of another month is no difference.
        if (random() < 0.1) await here.add({ date: '2026-09-30', minutes, project_id: 1, description: 'Earlier' });
      }
      const inMonth = (known: Known | undefined) => (known?.date.startsWith('2026-10') ? known.minutes : 0);
      const worth = (known: Known | undefined) => (known?.isBillable ? inMonth(known) * RATE : 0);
      const expected = [...touched]
        .sort((one, other) => one - other)
        .map((id) => {
          const [old, present] = [before.get(id), now.get(id)];
          const kind = old === undefined ? 'added' : present === undefined ? 'deleted' : 'changed';
          return [kind, id, inMonth(old), inMonth(present), ((worth(present) - worth(old)) / 6000).toFixed(2)].join(' ');
        });
      const { code, rows, stderr } = await here.close(['--team', '--verify']);
      expect(code, stderr).toBe(1);
      expect(rows.map((row) => ['kind', 'id', 'minutes_before', 'minutes_after', 'amount'].map((name) => row[name]).join(' '))).toEqual(
        expected,
      );
      const cents = [...touched].reduce((sum, id) => sum + worth(now.get(id)) - worth(before.get(id)), 0);
      expect(stderr).toContain(`rates: ${(Math.round(cents / 60) / 100).toFixed(2)}.`);
    } finally {
      await here.remove();
    }
  }, 120_000);
});
