import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { divide } from '../../src/time/suggest.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

test('svc worklogs suggest proposes quarters of an hour, and at most the missing hours', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 15, max: 600 }), { maxLength: 12 }), fc.integer({ min: 0, max: 1000 }), (weights, most) => {
      const parts = divide(weights, most);
      expect(parts).toHaveLength(weights.length);
      for (const part of parts) expect(part >= 0 && part % 15 === 0).toBe(true);
      const sum = parts.reduce((total, part) => total + part, 0);
      expect(sum).toBeLessThanOrEqual(most);
      // Nothing that weighs and fits is lost to rounding.
      const whole = weights.reduce((total, weight) => total + weight, 0);
      expect(Math.min(whole, most) - sum).toBeLessThan(15);
    }),
  );
});

let here: PinnedSandbox;
let repository: string;

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: repository, stdio: 'pipe', env: { PATH: process.env['PATH'], HOME: here.home } });
}

/** A commit on the branch that is checked out, at a time. */
function commit(at: string, message: string, author = 'Sanne <sanne@example.com>'): void {
  const [, name = '', email = ''] = /^(.*) <(.*)>$/.exec(author) ?? [];
  execFileSync('git', ['commit', '--allow-empty', '-q', '-m', message], {
    cwd: repository,
    stdio: 'pipe',
    env: {
      PATH: process.env['PATH'],
      HOME: here.home,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_AUTHOR_DATE: at,
      GIT_COMMITTER_DATE: at,
    },
  });
}

beforeAll(async () => {
  // Years after the entries that the sandbox comes with. A Wednesday.
  const still = await signInAt('2026-06-05T10:00:00Z');
  here = { ...still, svc: (argv, options) => still.svc(argv, { now: Date.parse('2031-02-05T20:00:00Z'), ...options }) };
  repository = join(here.home, 'repository');
  await mkdir(repository);
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'sanne@example.com');
  commit('2031-02-03T10:00:00+01:00', 'Begin');
  commit('2031-02-04T09:30:00+01:00', 'ABC-5: Draw the form');
  commit('2031-02-04T11:00:00+01:00', 'ABC-5 Check the form');
  commit('2031-02-04T11:20:00+01:00', 'Not mine', 'Olumide <olumide@example.com>');
  git('checkout', '-q', '-b', 'feature/ABC-7-login');
  commit('2031-02-04T11:30:00+01:00', 'Add the login page');
  // Late on Tuesday in Amsterdam, though it is Wednesday in Tokyo.
  commit('2031-02-05T07:45:00+09:00', 'Mend the login page');
  commit('2031-02-05T09:00:00+01:00', 'Follow UTF-8 rules');
  git('checkout', '-q', 'main');
  // Older than what is on the branch: what both began from must not be taken for the branch's own.
  commit('2031-02-04T11:25:00+01:00', 'Not mine either', 'Olumide <olumide@example.com>');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const suggest = (args: readonly string[], options: object = {}) =>
  here.svc(['worklogs', 'suggest', '--git', ...args], { cwd: repository, ...options });
const posted = () =>
  here.sandbox.requests
    .filter(({ method, path }) => method === 'POST' && path === '/api/v2/worklogs')
    .map(({ body }) => JSON.parse(body) as unknown);

describe('svc worklogs suggest', () => {
  it('proposes an entry for each work item in the messages or branches of commits', async () => {
    const { code, stdout, stderr } = await suggest(['2031-02-04']);
    expect(code, stderr).toBe(0);
    // 60 for the first, 90 to the second; 30 to the third, and two hours at most to the one at night.
    expect(JSON.parse(stdout)).toMatchObject([
      { date: '2031-02-04', minutes: 150, work_item_id: 5, description: 'Draw the form; Check the form' },
      { date: '2031-02-04', minutes: 150, work_item_id: 7, description: 'Add the login page; Mend the login page' },
    ]);
    expect(stderr).toBe('svc sent nothing. To log 2 entries, 5h in all, run the same command with --yes.\n');
    expect(posted()).toEqual([]);
  });

  it('keeps an unknown key as text, and proposes an entry also for commits without a key', async () => {
    const { stdout } = await suggest(['--week', '2031-02-05']);
    const rows = JSON.parse(stdout) as { date: string; work_item_id: number | null; description: string }[];
    expect(
      rows.filter(({ date }) => date !== '2031-02-04').map(({ date, work_item_id, description }) => [date, work_item_id, description]),
    ).toEqual([
      ['2031-02-03', null, 'Begin'],
      ['2031-02-05', null, 'UTF-8 Follow rules'],
    ]);
  });

  it('sends entries after a yes, and leaves out existing entries', async () => {
    const no = await suggest(['2031-02-04'], { answers: [false] });
    expect(no.code).toBe(1);
    expect(posted()).toEqual([]);
    const yes = await suggest(['2031-02-04'], { answers: [true] });
    expect(yes.code, yes.stderr).toBe(0);
    expect(yes.stderr).toContain('? Log 2 entries, 5h in all?');
    expect(posted()).toEqual([
      { date: '2031-02-04', minutes: 150, description: 'Draw the form; Check the form', work_item_id: 5 },
      { date: '2031-02-04', minutes: 150, description: 'Add the login page; Mend the login page', work_item_id: 7 },
    ]);
    const again = await suggest(['2031-02-04', '--yes']);
    expect(again.stderr).toBe('3h are missing, and svc found no commits for this time.\n');
  });

  it.each([
    [{ assumedIncludes: 'refused' }],
    [{ summary: 'bare', falseInSummary: 'left-out', me: 'documented' }],
    [{ hoursFilters: 'refused', assumedIncludes: 'refused', summary: 'bare' }],
  ] as const)('sends no entry twice when entries show no work item key, with %j (rules 18.23, 18.27)', async (interpretations) => {
    const before = { ...here.sandbox.interpretations };
    Object.assign(here.sandbox.interpretations, interpretations);
    const again = await suggest(['2031-02-04', '--yes']);
    Object.assign(here.sandbox.interpretations, before);
    expect(again.stderr).toContain('3h are missing, and svc found no commits for this time.\n');
    expect(posted()).toEqual([]);
  });

  it.each(['text', 'null'] as const)(
    'proposes nothing when missing hours are unknown because working hours are %s (rule 18.24)',
    async (workingHours) => {
      here.sandbox.interpretations.workingHours = workingHours;
      const { code, stdout, stderr } = await suggest(['2031-02-03', '--yes']);
      here.sandbox.interpretations.workingHours = 'start-end';
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toContain('so svc does not know which hours are missing.');
      expect(stderr).not.toContain('No hours are missing');
      expect(posted()).toEqual([]);
    },
  );

  it('proposes no more than the missing hours', async () => {
    await here.addRecord('/worklogs', { date: '2031-02-03', minutes: 450 });
    const { stdout } = await suggest(['2031-02-03']);
    expect(JSON.parse(stdout)).toMatchObject([{ minutes: 30 }]);
  });

  it('reports a missing or empty repository', async () => {
    const outside = await here.svc(['worklogs', 'suggest', '--git'], { cwd: here.home });
    expect(outside.code).toBe(2);
    expect(outside.stderr).toMatch(/Git has no e-mail address for you here|There is no git repository/);
    const empty = join(here.home, 'empty');
    await mkdir(empty);
    execFileSync('git', ['init', '-q', empty], { stdio: 'pipe' });
    const none = await here.svc(['worklogs', 'suggest', '--git', '--author', 'x@example.com'], { cwd: empty });
    expect(none.stderr).toBe('8h are missing, and svc found no commits for this time.\n');
  });

  it('logs commits with an unknown key only once', async () => {
    expect((await suggest(['2031-02-05', '--yes'])).stderr).toContain('Logged: 1h');
    expect((await suggest(['2031-02-05', '--yes'])).stderr).toContain('svc found no commits for this time');
    expect(posted()).toEqual([{ date: '2031-02-05', minutes: 60, description: 'UTF-8 Follow rules' }]);
  });

  it('runs no program that the repository configures', async () => {
    const mark = join(here.home, 'ran');
    const program = join(here.home, 'program.sh');
    await writeFile(program, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    for (const setting of ['core.fsmonitor', 'gpg.program', 'core.pager', 'core.editor', 'diff.external']) git('config', setting, program);
    git('config', 'log.showSignature', 'true');
    const { code } = await suggest(['2031-02-05']);
    expect(code).toBe(0);
    expect(() => execFileSync('test', ['-e', mark])).toThrow();
  });
});
