import { readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { compareDays, dayText, readDayText } from '../../src/time/day-text.ts';
import type { Entry } from '../../src/time/entry.ts';
import { loadTemporal } from '../../src/values/temporal.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

const temporal = await loadTemporal();

test('svc worklogs edit finds no change in an unchanged text, with any text in the entries', () => {
  const anyEntry = fc.record({
    id: fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 1 }).map(([id]) => id ?? 1),
    date: fc.constantFrom('2026-06-04', '2026-06-05'),
    minutes: fc.integer({ min: 0, max: 5000 }),
    description: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('# no comment', '[12] 1h', '2026-06-04', 'two\nlines\r\n\nmore', ' - ', 'Mon 2026-06-04'),
    ),
    project: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
    projectId: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
    workItemId: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
    key: fc.constantFrom(undefined, 'ABC-12', 'X9-1'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(anyEntry, { selector: ({ id }) => id }), (parts) => {
      const entries: Entry[] = parts.map((part) => ({
        ...part,
        budgetId: undefined,
        budget: undefined,
        title: undefined,
        userId: 1,
        user: undefined,
        billable: true,
        overtime: false,
        showsDescription: true,
        isProjectOver: false,
      }));
      const days = ['2026-06-04', '2026-06-05'];
      const text = dayText(
        days.map((date) => ({ date, logged: 0, target: 480, gap: 0 })),
        entries,
        temporal,
      );
      const lines = readDayText(text, new Set(entries.flatMap(({ id }) => id ?? [])), days);
      expect(compareDays(entries, lines)).toEqual({ created: [], updated: [], deleted: [] });
    }),
  );
});

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2031-06-05T10:00:00Z', { personalToken: true });
});
afterAll(() => here.remove());

/** `svc worklogs edit` with somebody who changes the text like this and answers like that. */
async function edit(
  args: readonly string[],
  change: (text: string) => string | Promise<string>,
  answers: readonly boolean[] = [],
  more: object = {},
) {
  const seen: string[] = [];
  const result = await here.svc(['worklogs', 'edit', ...args], {
    answers,
    env: { EDITOR: 'ed' },
    program: async (_, [file = '']) => {
      const text = await readFile(file, 'utf8');
      seen.push(text);
      await writeFile(file, await change(text));
      return 0;
    },
    ...more,
  });
  return { ...result, before: seen[0] ?? '', seen };
}

const writes = () => here.sandbox.requests.filter(({ method }) => method !== 'GET');

describe('svc worklogs edit', () => {
  const day = '2031-02-03';
  let first: number;
  let second: number;
  beforeEach(async () => {
    const old = JSON.parse((await here.svc(['worklogs', 'list', '--from', '2031-02-01', '--to', '2031-02-28', '-o', 'json'])).stdout) as {
      id: number;
    }[];
    if (old.length > 0) await here.svc(['worklogs', 'delete', ...old.map(({ id }) => String(id)), '--yes']);
    first = await here.addRecord('/worklogs', { date: day, minutes: 90, work_item_id: 12, description: 'Review\nof two lines' });
    second = await here.addRecord('/worklogs', { date: day, minutes: 30, project_id: 2 });
    here.sandbox.requests.length = 0;
  });

  it('shows a day as lines of text', async () => {
    const { code, stderr, before } = await edit([day], (text) => text);
    expect(code, stderr).toBe(0);
    const shown = before.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(shown).toEqual([
      `Mon ${day}  # 2h of 8h, 6h missing`,
      `[${first}]  1h30   ABC-12     Review ⏎ of two lines`,
      `[${second}]  30m    project:2`,
    ]);
    expect(stderr).toBe('svc changed nothing.\n');
    expect(writes()).toEqual([]);
  });

  it('names the projects of the day, and accepts a key or the name of a project', async () => {
    const { code, stderr, before } = await edit(
      [day],
      (text) =>
        `${text.replace(/project:2$/m, 'project:OPS').replace(/(\] +1h30 +)ABC-12 /, '$1project:"web SHOP" ')}15m project:"Web shop" Call\n20m project:Mobile App\n`,
      [true, true],
    );
    expect(code, stderr).toBe(0);
    expect(before).toContain('\n#\n# project:2 is Web shop\n\nMon');
    expect(stderr).toContain(`Change ${first}: of ABC-12 → project:web SHOP\n`);
    expect(stderr).toContain('? Use Mobile app');
    expect(writes().map(({ body }) => JSON.parse(body))).toEqual(
      expect.arrayContaining([
        { work_item_id: null, project_id: 2 },
        { work_item_id: null, project_id: 8 },
        expect.objectContaining({ project_id: 2, description: 'Call' }),
        expect.objectContaining({ project_id: 3, description: 'App' }),
      ]),
    );
  });

  it('refuses an unknown project, keeps the text, and sends no write', async () => {
    const { code, stderr } = await edit([day], (text) => text.replace(/project:2$/m, 'project:"No such thing"'));
    expect([code, writes()], stderr).toEqual([2, []]);
    expect(stderr).toContain('There is no project "No such thing".');
    expect(stderr).toContain('Your text is in');
  });

  it('creates, updates and deletes entries after a yes', async () => {
    const { code, stderr, stdout } = await edit(
      ['--week', day],
      (text) =>
        text
          .replace('1h30   ABC-12     Review ⏎ of two lines', '2h ABC-5 Review ⏎ of 3')
          .replace(/^.*project:2$/m, '15m - New one\n1h abc-7')
          .replace(/^(Wed 2031-02-05.*)$/m, '$1\n45m project:3 Plan'),
      [true],
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toBe(
      [
        `Change ${first}: time 1h30 → 2h, of ABC-12 → ABC-5, text "Review ⏎ of two lines" → "Review ⏎ of 3"`,
        'Add: 15m on Mon 2031-02-03, "New one"',
        'Add: 1h on Mon 2031-02-03, ABC-7',
        'Add: 45m on Wed 2031-02-05, project:3, "Plan"',
        `Delete ${second}: 30m on Mon 2031-02-03, project:2`,
        '? Send these 5 changes?',
        '',
      ].join('\n'),
    );
    const sent = writes().map(({ method, path, body }) => [method, path, body === '' ? '' : JSON.parse(body)]);
    const created = sent.slice(1, -1).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    // The first goes alone, and nothing is deleted before all else is done.
    expect([sent[0], ...created, sent.at(-1)]).toEqual([
      ['PATCH', `/api/v2/worklogs/${first}`, { minutes: 120, work_item_id: 5, description: 'Review\nof 3' }],
      ['POST', '/api/v2/worklogs', { date: day, minutes: 15, description: 'New one' }],
      ['POST', '/api/v2/worklogs', { date: day, minutes: 60, work_item_id: 7 }],
      ['POST', '/api/v2/worklogs', { date: '2031-02-05', minutes: 45, project_id: 3, description: 'Plan' }],
      ['DELETE', `/api/v2/worklogs/${second}`, ''],
    ]);
    for (const { method, headers } of writes()) if (method !== 'POST') expect(headers['if-match']).toMatch(/^"/);
    expect(JSON.parse(stdout)).toHaveLength(4);
  });

  it('moves an entry to another day when you put the line of the entry under that day', async () => {
    await edit(
      ['--week', day],
      (text) => {
        const line = text.split('\n').find((candidate) => candidate.startsWith(`[${second}]`)) ?? '';
        return text.replace(`${line}\n`, '').replace(/^(Tue 2031-02-04.*)$/m, `$1\n${line}`);
      },
      [true],
    );
    expect(writes().map(({ method, body }) => [method, body])).toEqual([['PATCH', '{"date":"2031-02-04"}']]);
  });

  it.each([
    ['a no', (text: string) => text.replace('1h30   ABC', '2h ABC'), [false], 1],
    ['an emptied file', () => '# only this\n', [], 0],
  ] as const)('sends no write after %s', async (_, change, answers, code) => {
    const result = await edit([day], change, answers);
    expect(result.code).toBe(code);
    expect(writes()).toEqual([]);
  });

  it('does not overwrite the change of another person', async () => {
    const { code, stderr } = await edit([day], async (text) => {
      const other = await here.svc(['worklogs', 'update', String(first), '--minutes', '3h']);
      expect(other.code, other.stderr).toBe(0);
      here.sandbox.requests.length = 0;
      return text.replace('1h30   ABC', '2h ABC');
    });
    expect(code).toBe(6);
    expect(stderr).toContain(`Somebody changed entry ${first}`);
    expect(stderr).toContain('Your text is in ');
    expect(writes()).toEqual([]);
  });

  it('lets you fix each unreadable line', async () => {
    const tries = [
      (text: string) => text.replace('30m    project:2', '30 minuts project:2').replace('1h30   ABC-12     Review', '1h30 the Review'),
      (text: string) => text.replace('30 minuts project:2', '40m project:2').replace('1h30 the Review', '1h30 ABC-12 Review'),
    ];
    const { code, stderr } = await edit([day], (text) => tries.shift()?.(text) ?? text, [true, true]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(
      /svc cannot read 2 lines\.\nline \d+: "the" is neither a work item.*\nline \d+: "minuts" is neither a work item/,
    );
    expect(writes().map(({ body }) => body)).toEqual(['{"minutes":40}']);
  });

  it.each([
    ['twice; a line without an id', (text: string, id: number) => text.replace(/$/, `\n[${id}] 1h - again\n`)],
    ['no entry [999999] was in this text', (text: string) => `${text}[999999] 1h - x\n`],
    ['the line is above the first day', (text: string) => `1h - x\n${text}`],
    ['2031-02-09 is not a day in this text', (text: string) => `${text}2031-02-09\n1h - x\n`],
    ['"1h5" could be 1h05 or 1.5h', (text: string) => `${text}1h5 - x\n`],
    ['the work item or project is missing', (text: string) => `${text}1h\n`],
  ])('refuses a text, and prints: %s', async (words, change) => {
    const { code, stderr } = await edit([day], (text) => change(text, first), [false]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(writes()).toEqual([]);
  });

  it('exits 3 and names the line whose work item does not exist', async () => {
    const { code, stderr } = await edit([day], (text) => `${text}1h NOPE-1 x\n`);
    expect(code).toBe(3);
    expect(stderr).toMatch(/line \d+: there is no work item NOPE-1\./);
    expect(writes()).toEqual([]);
  });

  it('accepts one entry by id, and exits 2 outside a terminal', async () => {
    const one = await here.svc(['worklogs', 'edit', String(first)], { answers: [], env: { EDITOR: 'ed' }, program: async () => 0 });
    expect(one.stderr).toContain('svc changed nothing.');
    expect(here.sandbox.requests.map(({ path }) => path.replace(/\?include=.*/, ' with names'))).toEqual([
      `/api/v2/worklogs/${first}`,
      `/api/v2/worklogs/${first} with names`,
    ]);
    expect((await here.svc(['worklogs', 'edit', day])).code).toBe(2);
  });

  it('sends no write in a dry run', async () => {
    const { stdout } = await edit([day, '--dry-run'], (text) => text.replace('30m ', '40m '));
    expect(JSON.parse(stdout)).toMatchObject([{ method: 'PATCH', body: { minutes: 40 } }]);
    expect(writes()).toEqual([]);
  });
});

it('svc worklogs edit reports that deleting needs a personal access token, and sends no write', async () => {
  const other = await signInAt('2031-06-05T10:00:00Z');
  try {
    await other.addRecord('/worklogs', { date: '2031-02-03', minutes: 90 });
    other.sandbox.requests.length = 0;
    const result = await other.svc(['worklogs', 'edit', '2031-02-03'], {
      answers: [],
      env: { EDITOR: 'ed' },
      program: async (_, [file = '']) => {
        await writeFile(file, 'Mon 2031-02-03\n1h - new\n');
        return 0;
      },
    });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('personal access token');
    expect(other.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  } finally {
    await other.remove();
  }
});
