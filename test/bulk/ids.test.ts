import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const sent = (method: string) => here.sandbox.requests.filter((request) => request.method === method).map(({ path }) => path);

/** Creates `count` worklogs of a day, and returns their ids, one a line. */
async function worklogsOf(date: string, count: number): Promise<string> {
  const stdin = `date,minutes\n${`${date},15\n`.repeat(count)}`;
  const { stdout, code, stderr } = await here.svc(['worklogs', 'import', '-', '--output', 'ids'], { stdin });
  expect(code, stderr).toBe(0);
  here.sandbox.requests.length = 0;
  return stdout;
}

describe('svc delete with ids from standard input', () => {
  it('deletes the record of each id, also after lost answers', async () => {
    const ids = await worklogsOf('2032-01-01', 12);
    here.sandbox.setFaults([{ method: 'DELETE', path: '/worklogs/*', skip: 2, drop: 'after' }]);
    const result = await here.svc(['worklogs', 'delete', '-', '--yes', '--output', 'ids'], { stdin: ids });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toBe(ids);
    expect((await here.svc(['worklogs', 'list', '--date', '2032-01-01', '--output', 'ids'])).stdout).toBe('');
  });

  it('exits 3 and reports no deleted record when the service answers with 404', async () => {
    here.sandbox.setFaults([{ method: 'DELETE', path: '/worklogs/*', status: 404 }]);
    const { code, stdout, stderr } = await here.svc(['worklogs', 'delete', '-', '--yes'], { stdin: '1\n2\n' });
    expect([code, stdout], stderr).toEqual([3, '']);
  });

  it('exits 2 without --yes or for an invalid id, and sends nothing', async () => {
    expect((await here.svc(['worklogs', 'delete', '-'], { stdin: '1\n' })).code).toBe(2);
    const result = await here.svc(['worklogs', 'delete', '-', '--yes'], { stdin: '1\n2\n../users/3\n' });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('line 3: ');
    expect(here.sandbox.requests).toEqual([]);
  });
});

describe('svc update with ids from standard input', () => {
  it('exits 1 and sends nothing when svc cannot record the finished ids', async () => {
    const file = join(here.home, 'a-file');
    await writeFile(file, '');
    const argv = ['worklogs', 'update', '-', '--minutes', '45'];
    const { code, stderr } = await here.svc(argv, { stdin: '1\n', env: { XDG_CACHE_HOME: file } });
    expect([code, sent('PATCH')], stderr).toEqual([1, []]);
    expect(stderr).toMatch(/svc cannot write .*\.done: .*\n +Check the path, and the free disk space\./);
  });

  it('stores refused ids, and sends only the refused ids when run again', async () => {
    const ids = await worklogsOf('2032-02-01', 3);
    const argv = ['worklogs', 'update', '-', '--minutes', '45', '--output', 'ids'];
    here.sandbox.setFaults([{ method: 'PATCH', path: '/worklogs/*', skip: 1, status: 422 }]);
    // svc writes the file of refused ids to the working directory.
    const stdin = ids;
    const first = await here.svc(argv, { stdin, cwd: here.home });
    expect(first.code).toBe(10);
    expect(first.stdout.split('\n')).toHaveLength(3);
    expect(sent('PATCH')).toHaveLength(3);
    const left = await readFile(join(here.home, 'worklogs.failed.ids'), 'utf8');
    expect(ids).toContain(left);
    here.sandbox.requests.length = 0;
    const second = await here.svc(argv, { stdin, cwd: here.home });
    expect(second.code, second.stderr).toBe(0);
    expect(sent('PATCH')).toEqual([`/api/v2/worklogs/${left.trim()}`]);
    const { stdout } = await here.svc(['worklogs', 'list', '--date', '2032-02-01', '--fields', 'minutes', '--output', 'csv']);
    expect(stdout).toBe('minutes\n45\n45\n45\n');
  });

  it('sends all ids for another value after an incomplete run', async () => {
    const stdin = await worklogsOf('2032-02-02', 3);
    const update = (minutes: string) => here.svc(['worklogs', 'update', '-', '--minutes', minutes], { stdin, cwd: here.home });
    here.sandbox.setFaults([{ method: 'PATCH', path: '/worklogs/*', skip: 1, status: 422 }]);
    expect((await update('45')).code).toBe(10);
    expect((await update('60')).stderr).toContain('3 changed.');
  });

  it('exits 10 when the service refuses all ids for different reasons', async () => {
    const stdin = await worklogsOf('2032-02-03', 2);
    here.sandbox.setFaults([422, 409].map((status) => ({ method: 'PATCH', path: '/worklogs/*', status })));
    const { code, stderr } = await here.svc(['worklogs', 'update', '-', '--minutes', '45'], { stdin, cwd: here.home });
    expect([code, stderr]).toEqual([10, expect.stringContaining('2 of 2 were refused.')]);
  });

  it('sends all ids again after a complete run, because the records possibly changed', async () => {
    const stdin = await worklogsOf('2032-03-01', 2);
    const argv = ['worklogs', 'update', '-', '--minutes', '45', '--output', 'ids'];
    expect((await here.svc(argv, { stdin })).code).toBe(0);
    expect((await here.svc(['worklogs', 'update', stdin.split('\n')[0] ?? '', '--minutes', '90'])).code).toBe(0);
    expect((await here.svc(argv, { stdin })).stderr).toContain('2 changed.');
    const { stdout } = await here.svc(['worklogs', 'list', '--date', '2032-03-01', '--fields', 'minutes', '--output', 'csv']);
    expect(stdout).toBe('minutes\n45\n45\n');
  });

  it('sends all ids again more than a day after an incomplete run', async () => {
    const stdin = await worklogsOf('2032-04-01', 3);
    const argv = ['worklogs', 'update', '-', '--minutes', '45', '--output', 'ids'];
    here.sandbox.setFaults([{ method: 'PATCH', path: '/worklogs/*', skip: 2, status: 422 }]);
    expect((await here.svc(argv, { stdin, cwd: here.home })).code).toBe(10);
    here.sandbox.setFaults([]);
    const now = Date.now() + 25 * 3_600_000;
    expect((await here.svc(argv, { stdin, now })).stderr).toContain('3 changed.');
  });
});
