import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Still, standStill } from './support.ts';

let here: Still;
let cwd: string;
beforeAll(async () => {
  here = await standStill('2026-06-05T10:00:00Z');
  cwd = join(here.home, 'checkout', 'src');
  await mkdir(cwd, { recursive: true });
  await write(join(here.home, 'checkout'), {
    project: 1,
    templates: {
      standup: { minutes: '15m', project: 'Web shop', description: 'Stand-up' },
      review: { work_item: 'ABC-12', minutes: 30 },
      note: { description: 'Only a text' },
      evil: { minutes: 5, host: 'evil.example.com' },
      nested: { minutes: { $gt: 1 } },
      long: { minutes: 'for ever' },
    },
  });
  await write(cwd, { templates: { standup: { minutes: 10, description: 'Nearer' } } });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const write = (directory: string, content: unknown) => writeFile(join(directory, '.svc.json'), JSON.stringify(content));
const above = () => join(here.home, 'checkout');
const add = (args: readonly string[], options: object = {}) => here.svc(['worklogs', 'add', ...args], { cwd: above(), ...options });
const posted = () =>
  here.sandbox.requests
    .filter(({ method, path }) => method === 'POST' && path === '/api/v2/worklogs')
    .map(({ body }) => JSON.parse(body) as unknown);

describe('worklogs add --template', () => {
  it.each([
    ['all of it', ['--template', 'standup'], { minutes: 15, project_id: 2, description: 'Stand-up' }],
    ['a typed duration goes before it', ['20m', '--template', 'standup'], { minutes: 20, project_id: 2, description: 'Stand-up' }],
    [
      'so do flags',
      ['--template', 'standup', '--minutes', '5', '--description', 'Short'],
      { minutes: 5, project_id: 2, description: 'Short' },
    ],
    [
      'a typed work item takes the place of its project',
      ['ABC-7', '--template', 'standup'],
      { minutes: 15, work_item_id: 7, description: 'Stand-up' },
    ],
    [
      'so does a field',
      ['--template', 'standup', '-F', 'project_id=3', '-F', 'minutes=25'],
      { minutes: 25, project_id: 3, description: 'Stand-up' },
    ],
    [
      'times of the day stand for its duration',
      ['--template', 'review', '--from', '9:00', '--to', '9:20'],
      { minutes: 20, work_item_id: 12 },
    ],
    [
      'what it leaves open comes from the directory',
      ['10m', '--template', 'note'],
      { minutes: 10, project_id: 1, description: 'Only a text' },
    ],
  ])('%s', async (_, args, body) => {
    const { code, stderr } = await add(args);
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([{ date: '2026-06-05', ...body }]);
    expect(stderr).toMatch(/Template \w+ of .*checkout\/\.svc\.json: /);
  });

  it('the nearest file that has it counts', async () => {
    expect((await add(['--template', 'standup'], { cwd })).code).toBe(0);
    expect((await add(['--template', 'review'], { cwd })).code).toBe(0);
    expect(posted()).toMatchObject([
      { minutes: 10, description: 'Nearer', project_id: 1 },
      { minutes: 30, work_item_id: 12 },
    ]);
  });

  it('on several days, and as a dry run', async () => {
    const { stdout } = await add(['--template', 'standup', '--repeat', 'mon-fri', '--dry-run']);
    expect(JSON.parse(stdout)).toHaveLength(5);
    expect(posted()).toEqual([]);
  });

  it.each([
    ['one that there is not', ['--template', 'standups'], 3, 'Did you mean --template standup?'],
    ['anything but fields of the entry', ['--template', 'evil'], 2, 'the template evil holds host'],
    ['what is no text', ['--template', 'nested'], 2, 'has a minutes that is no text'],
    ['no duration', ['--template', 'long'], 2, '"for ever" is not a duration'],
    ['another source of the same fields', ['--template', 'standup', '--like', 'last'], 2, '--template and --like cannot be used together'],
  ])('refuses %s', async (_, args, code, said) => {
    const result = await add(args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
    expect(posted()).toEqual([]);
  });

  it('a file for another organisation fills nothing', async () => {
    const other = join(here.home, 'other');
    await mkdir(other);
    await write(other, { host: 'acme.example.com', templates: { standup: { minutes: 15 } } });
    const { code, stderr } = await add(['--template', 'standup', '--host', here.host], { cwd: other });
    expect([code, stderr]).toEqual([2, expect.stringContaining('.svc.json is for acme.example.com')]);
    expect(posted()).toEqual([]);
  });

  it('shells complete their names', async () => {
    const { stdout } = await here.svc(['__complete', '--', 'worklogs', 'add', '--template', 'st'], { cwd });
    expect(stdout.split('\n')[0]?.split('\t')[0]).toBe('standup');
  });
});
