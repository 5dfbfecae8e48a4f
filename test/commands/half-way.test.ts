import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OutputClosed } from '../../src/deps.ts';
import { InterruptedError } from '../../src/errors.ts';
import { splitWords } from '../../src/values/command-line.ts';
import { type Result, type SignedIn, signedIn } from '../support/svc.ts';

/** A list that stops before its end. Nobody must take a part for the complete list, and you can continue. */
let here: SignedIn;
let all: readonly number[];
const LIST = ['worklogs', 'list', '--sort', 'id', '--fields', 'id'];
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
  all = (await here.svc([...LIST, '-o', 'ids'])).stdout.trim().split('\n').map(Number);
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const FAILING_THIRD_PAGE = [{ path: '/worklogs', skip: 2, status: 500, times: Number.POSITIVE_INFINITY }];

/** Returns the words of the command that continues, as a shell splits them. */
function onward({ stderr }: Result): string[] {
  const [svc, ...argv] = splitWords(/(?:Resume with|To continue): (.*)$/m.exec(stderr)?.[1] ?? '');
  expect(svc, stderr).toBe('svc');
  return argv;
}

describe('a list with a page that fails', () => {
  it('leaves the JSON array open, prints the number of rows, and exits 8', async () => {
    here.sandbox.setFaults(FAILING_THIRD_PAGE);
    const result = await here.svc(LIST, { hurried: true });
    expect(result.code).toBe(8);
    expect(() => JSON.parse(result.stdout)).toThrow(SyntaxError);
    const rows = JSON.parse(`${result.stdout}]`) as { id: number }[];
    expect(rows.map(({ id }) => id)).toEqual(all.slice(0, 200));
    expect(result.stderr).toContain('200 rows were written');
  });

  it('prints the command to resume, which prints exactly the remaining rows', async () => {
    here.sandbox.setFaults(FAILING_THIRD_PAGE);
    const first = await here.svc([...LIST, '-o', 'ids'], { hurried: true });
    here.sandbox.setFaults([]);
    const rest = await here.svc(onward(first));
    expect(rest.code, rest.stderr).toBe(0);
    expect((first.stdout + rest.stdout).trim().split('\n').map(Number)).toEqual(all);
  });

  it('prints a command to resume with the typed flags and the remaining limit', async () => {
    here.sandbox.setFaults(FAILING_THIRD_PAGE);
    const typed = [...LIST, '-o', 'ids', '--filter', 'user_id.in=1,2,3', '-L', '250'];
    const first = await here.svc(typed, { hurried: true });
    const argv = onward(first);
    expect(argv).toEqual(expect.arrayContaining(['--filter', 'user_id.in=1,2,3']));
    here.sandbox.setFaults([]);
    const rest = await here.svc(argv);
    expect(rest.code, rest.stderr).toBe(0);
    const whole = await here.svc(typed);
    expect(first.stdout + rest.stdout).toBe(whole.stdout);
  });

  it('prints the command to resume in the error of --error-format json', async () => {
    here.sandbox.setFaults(FAILING_THIRD_PAGE);
    const result = await here.svc([...LIST, '--error-format', 'json'], { hurried: true });
    const error = JSON.parse(result.stderr) as Record<string, unknown>;
    expect(error).toMatchObject({ exit_code: 8, resume: expect.stringMatching(/^svc worklogs list .*--cursor /) });
  });

  it.each(['ndjson', 'csv', 'table'])('prints the rows read so far in %s output', async (format) => {
    here.sandbox.setFaults(FAILING_THIRD_PAGE);
    const result = await here.svc([...LIST, '-o', format], { hurried: true });
    expect(result.code).toBe(8);
    const header = format === 'ndjson' ? 0 : 1;
    expect(result.stdout.trim().split(/\r?\n/)).toHaveLength(200 + header);
  });

  it('writes nothing to stdout when the first page fails', async () => {
    here.sandbox.setFaults([{ path: '/worklogs', status: 500, times: Number.POSITIVE_INFINITY }]);
    const result = await here.svc(LIST, { hurried: true });
    expect(result).toMatchObject({ code: 8, stdout: '' });
    expect(result.stderr).not.toContain('Resume with');
  });

  it('prints no partial output with --jq', async () => {
    here.sandbox.setFaults(FAILING_THIRD_PAGE);
    const result = await here.svc([...LIST, '--jq', 'length'], { hurried: true });
    expect(result).toMatchObject({ code: 8, stdout: '' });
  });
});

describe('Ctrl-C in the middle of a list', () => {
  it('makes svc exit 130 and print the command to resume', async () => {
    const stop = new AbortController();
    here.sandbox.setFaults([{ path: '/worklogs', skip: 2, delayMs: 60_000 }]);
    const running = here.svc([...LIST, '-o', 'ids'], { signal: stop.signal });
    await expect.poll(() => here.sandbox.requests.length).toBe(3);
    stop.abort(new InterruptedError('Interrupted (SIGINT).'));
    const first = await running;
    expect(first.code).toBe(130);
    here.sandbox.setFaults([]);
    const rest = await here.svc(onward(first));
    const ids = (first.stdout + rest.stdout).trim().split('\n').map(Number);
    expect([...new Set(ids)].sort((one, other) => one - other)).toEqual([...all].sort((one, other) => one - other));
  });
});

describe('a list', () => {
  it('stops at --limit, reports the limit, and prints the command to resume', async () => {
    const first = await here.svc([...LIST, '-o', 'ids', '-L', '130']);
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('There are more rows than these 130');
    expect(here.sandbox.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('per_page'))).toEqual(['100', '30']);
    const rest = await here.svc(onward(first));
    const ids = (first.stdout + rest.stdout).trim().split('\n').map(Number);
    expect(ids).toEqual(all.slice(0, 260));
  });

  it('prints no notice about the limit when no row is left out, or with --quiet', async () => {
    expect((await here.svc(['users', 'list', '-o', 'ids'])).stderr).toBe('');
    expect((await here.svc([...LIST, '-o', 'ids', '-L', '3', '--quiet'])).stderr).toBe('');
  });
});

describe('a reader that closes the pipe (`| head`)', () => {
  it('ends the list with exit 0 after at most three requests', async () => {
    let rows = 0;
    const result = await here.svc([...LIST, '-o', 'ids'], {
      onStdout: (text) => {
        rows += text.split('\n').length - 1;
        if (rows > 100) throw new OutputClosed('The program that reads the output has stopped.');
      },
    });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(here.sandbox.requests.length).toBeLessThanOrEqual(3);
  });
});
