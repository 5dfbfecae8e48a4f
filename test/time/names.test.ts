import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PinnedSandbox, signInAt } from './support.ts';

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2026-06-05T10:00:00Z');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const add = (...args: readonly string[]) => here.svc(['worklogs', 'add', ...args, '--no-check', '--no-context']);
const posted = () =>
  here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>);

describe('the words of an entry', () => {
  it.each([
    [['30m', 'project:Web shop'], { project_id: 2 }, 'Web shop'],
    [['30m', 'project:web shop', 'Plan'], { project_id: 2, description: 'Plan' }, 'Web shop, "Plan"'],
    [['30m', 'project:2'], { project_id: 2 }, 'project 2'],
    [['30m', 'item:ABC-12', 'Plan'], { work_item_id: 12, description: 'Plan' }, 'ABC-12'],
    [['30m', 'item:12'], { work_item_id: 12 }, 'ABC-12'],
    [['30m', 'feat:login', 'done'], { description: 'feat:login done' }, 'no work item and no project, "feat:login done"'],
  ])('set the fields that svc prints, in %j', async (words, fields, said) => {
    const { code, stderr } = await add(...words);
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([{ minutes: 30, date: '2026-06-05', ...fields }]);
    expect(stderr).toContain(`Understood: 30m on Fri 2026-06-05, ${said}`);
  });

  it.each([
    [['30m', 'project:Wep shop'], 'There is no project "Wep shop".', 'Did you mean "Web shop"?'],
    [['30m', 'project:Intra'], '"Intra" is only a part of the name of a project.', 'Did you mean "Old intranet"?'],
    [['30m', 'project:Nothing like it'], 'There is no project "Nothing like it".', 'See: svc projects list'],
    [['30m', 'item:ABC-4711'], 'There is no work item ABC-4711.', 'If the key begins the text'],
    [['30m', 'user:12', 'x'], '"user:12" looks like a field', '--user 12'],
    [['30m', 'Plan', 'project:Web'], '"project:Web" is inside the text', 'Put the word before the text'],
  ])('are refused with a hint in %j', async (words, message, hint) => {
    const { code, stderr } = await add(...words);
    expect([2, 3]).toContain(code);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(posted()).toEqual([]);
  });
});

it('svc timers start accepts the name of a project', async () => {
  // The one that the sandbox comes with.
  const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
  expect((await here.svc(['timers', 'cancel', '--yes'], { env })).code).toBe(0);
  const { code, stderr } = await here.svc(['timers', 'start', 'project:Web shop', 'Plan']);
  expect(code, stderr).toBe(0);
  expect(posted()).toEqual([{ project_id: 2, description: 'Plan' }]);
});
