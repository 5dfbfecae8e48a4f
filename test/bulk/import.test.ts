import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import type { Fault } from '../../src/sandbox/http/faults.ts';
import { svcBinary } from '../support/binary.ts';
import { forgetLimits, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(async () => {
  // The rate limit of earlier answers is over.
  await forgetLimits(here.home);
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

/** Writes a file. All its rows have one day, by which the test finds them. */
async function file(name: string, content: string): Promise<string> {
  const path = join(here.home, name);
  await writeFile(path, content);
  return path;
}

/** Returns the descriptions of the worklogs of a day, sorted. */
async function logged(date: string): Promise<string[]> {
  const { stdout, code, stderr } = await here.svc(['worklogs', 'list', '--date', date, '--output', 'json']);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { description: string }[]).map(({ description }) => description).sort();
}

const posts = () => here.sandbox.requests.filter(({ method }) => method === 'POST');

it('an import of projects recognises earlier rows by their values when the file has grown', async () => {
  const file = (...rows: string[]) => `name,customer_id,budget_hours\n${rows.join('\n')}\n`;
  const path = join(here.home, 'projects.csv');
  const add = async (text: string, ...flags: string[]) => {
    await writeFile(path, text);
    here.sandbox.requests.length = 0;
    return here.svc(['projects', 'import', path, ...flags]);
  };
  await add(file('Bridge,1,', 'Tunnel,1,'));
  const grown = await add(file('Tunnel,1,', 'Tower,1,', 'Bridge,1,'));
  expect(grown.code, grown.stderr).toBe(0);
  expect(grown.stderr).toContain('1 new, 2 known, 0 changed.');
  expect(here.sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

describe('an import that is killed twice while 5 percent of the connections drop', () => {
  it('creates each row exactly once', async () => {
    const wanted = Array.from({ length: 120 }, (_, index) => `row ${String(index).padStart(4, '0')}`);
    const path = await file('many.csv', `date,minutes,description\n${wanted.map((text) => `2031-01-01,15,${text}\n`).join('')}`);
    // Every twentieth connection drops, half of them after the write was done.
    here.sandbox.setFaults(
      Array.from(
        { length: 50 },
        (_, index): Fault => ({ method: 'POST', path: '/worklogs', skip: 19, drop: index % 2 === 0 ? 'before' : 'after' }),
      ),
    );
    for (const killAt of [30, 75]) {
      const { child, ended } = start(['worklogs', 'import', path]);
      await vi.waitFor(() => expect(posts().length).toBeGreaterThanOrEqual(killAt), { timeout: 50_000, interval: 2 });
      child.kill('SIGKILL');
      expect(await ended).toMatchObject({ code: null });
    }
    expect(await start(['worklogs', 'import', path]).ended).toMatchObject({ code: 0 });
    expect(await logged('2031-01-01')).toEqual(wanted);
    // Every row is done.
    here.sandbox.requests.length = 0;
    expect(await start(['worklogs', 'import', path]).ended).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(posts()).toEqual([]);
  });
});

/** Starts svc in a process of its own. */
function start(argv: readonly string[]) {
  const env = {
    PATH: process.env['PATH'],
    HOME: here.home,
    SVC_TOKEN_STORE: 'file',
    SVC_TOKEN: here.sandbox.tokens[0]?.value,
    SVC_HOST: here.host,
  };
  const child = spawn(process.execPath, [svcBinary().path, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    text.stdout += String(piece);
  });
  child.stderr.on('data', (piece) => {
    text.stderr += String(piece);
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...text })) };
}

describe('rows that the service refuses', () => {
  it('are written to a file with the reason, and can be imported after a fix', async () => {
    const path = await file(
      'some.csv',
      'date,minutes,project_id,description\n2031-02-01,15,1,good\n2031-02-01,15,99999,\n2031-02-01,15,99999,"bad, really"\n',
    );
    const first = await here.svc(['worklogs', 'import', path]);
    expect(first.code).toBe(10);
    expect(first.stderr).toContain('2 of 3 were refused.');
    expect(first.stderr).toContain('line 3: ');
    const left = `${path}.failed.csv`;
    const text = await readFile(left, 'utf8');
    // The file has each column of a refused row, also a column that is empty in the first of these rows.
    expect(text).toMatch(/^date,minutes,project_id,description,#error\n2031-02-01,15,99999,,.+\n2031-02-01,15,99999,"bad, really",.+\n$/);
    await writeFile(left, text.replaceAll('99999', '3'));
    const second = await here.svc(['worklogs', 'import', left]);
    expect(second.code, second.stderr).toBe(0);
    expect(await logged('2031-02-01')).toEqual(['', 'bad, really', 'good']);
  });

  it('can be fixed in the original file, and the other rows are not sent again', async () => {
    const path = await file(
      'mended.ndjson',
      '{"date":"2031-02-02","minutes":15,"description":"a"}\n{"date":"2031-02-02","minutes":15,"description":"b","project_id":99999}\n',
    );
    expect((await here.svc(['worklogs', 'import', path])).code).toBe(10);
    await writeFile(path, (await readFile(path, 'utf8')).replace(',"project_id":99999', ''));
    here.sandbox.requests.length = 0;
    const second = await here.svc(['worklogs', 'import', path]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain('1 new, 1 known, 0 changed.\n1 created, 1 done before.');
    expect(posts()).toHaveLength(1);
    expect(await logged('2031-02-02')).toEqual(['a', 'b']);
  });

  it('make svc exit 9 when the service refuses every row', async () => {
    const path = await file('none.csv', 'date,minutes,project_id\n2031-02-03,15,99999\n');
    const result = await here.svc(['worklogs', 'import', path]);
    expect(result.code).toBe(9);
    expect(result.stdout).toBe('[\n]\n'.replace('\n]', ']'));
  });
});

describe('rows that cannot be sent', () => {
  it('are listed by line number before the first request', async () => {
    const path = await file('wrong.csv', 'date,minutes\n2031-03-01,15\n2031-03-01,soon\n"2031-03-01\n",15\nnever,15\n');
    const result = await here.svc(['worklogs', 'import', path]);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/line 3: column "minutes": /);
    expect(result.stderr).toMatch(/line 6: column "date": /);
    expect(here.sandbox.requests).toEqual([]);
  });
});

describe('equal rows of an import', () => {
  it('become two records when a file contains the row twice', async () => {
    const path = await file('twice.csv', 'date,minutes,description\n2031-04-01,15,same\n2031-04-01,15,same\n');
    expect((await here.svc(['worklogs', 'import', path])).code).toBe(0);
    expect(await logged('2031-04-01')).toEqual(['same', 'same']);
  });

  it('become one record when a longer file has an earlier row again', async () => {
    const path = await file('weekly.csv', 'date,minutes,description\n2031-04-02,15,stand-up\n');
    expect((await here.svc(['worklogs', 'import', path])).code).toBe(0);
    await writeFile(path, 'date,minutes,description\n2031-04-02,15,stand-up\n2031-04-02,15,review\n');
    expect((await here.svc(['worklogs', 'import', path])).code).toBe(0);
    expect(await logged('2031-04-02')).toEqual(['review', 'stand-up']);
  });

  it('create no second record after the journal is lost, because their keys are the same', async () => {
    const stdin = 'date,minutes,description\n2031-04-03,15,piped\n';
    expect((await here.svc(['worklogs', 'import', '-'], { stdin })).code).toBe(0);
    expect((await here.svc(['worklogs', 'import', '-'], { stdin, env: { XDG_STATE_HOME: join(here.home, 'other') } })).code).toBe(0);
    expect(posts()).toHaveLength(2);
    expect(await logged('2031-04-03')).toEqual(['piped']);
  });
});

describe('an import that stops', () => {
  it('prints the command to resume after Ctrl-C, and that command creates the rest', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `2031-05-01,15,row ${String(index).padStart(2, '0')}`);
    const path = await file('stopped.csv', `date,minutes,description\n${rows.join('\n')}\n`);
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', skip: 12, times: Number.POSITIVE_INFINITY, delayMs: 60_000 }]);
    const interrupt = new AbortController();
    const running = here.svc(['worklogs', 'import', path], { signal: interrupt.signal });
    await vi.waitFor(() => expect(posts().length).toBeGreaterThanOrEqual(13), 30_000);
    interrupt.abort(new InterruptedError('Interrupted (SIGINT).'));
    const first = await running;
    expect(first.code).toBe(130);
    expect(first.stderr).toContain(`svc worklogs import ${path}`);
    here.sandbox.setFaults([]);
    expect((await here.svc(['worklogs', 'import', path])).code).toBe(0);
    expect(await logged('2031-05-01')).toHaveLength(30);
  });

  it('exits 7 with the command to resume if --max-wait is too short, and resumes later', async () => {
    const path = await file('patient.csv', `date,minutes\n${'2031-05-03,15\n'.repeat(30)}`);
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', skip: 12, status: 429, retryAfter: 50 }]);
    const first = await here.svc(['worklogs', 'import', path, '--max-wait', '10s']);
    expect(first.code).toBe(7);
    expect(first.stderr).toContain(`svc worklogs import ${path} --max-wait 10s`);
    expect((await here.svc(['worklogs', 'import', path], { hurried: true })).code).toBe(0);
    expect(await logged('2031-05-03')).toHaveLength(30);
  });

  it('exits 5 after a 403, which concerns no single row', async () => {
    const path = await file('forbidden.csv', `date,minutes\n${'2031-05-02,15\n'.repeat(40)}`);
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', skip: 5, times: Number.POSITIVE_INFINITY, status: 403 }]);
    const result = await here.svc(['worklogs', 'import', path]);
    expect(result.code).toBe(5);
    // Five are done, and at most eight were under way.
    expect(posts().length).toBeLessThanOrEqual(5 + 8);
  });
});
