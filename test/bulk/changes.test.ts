// svc changes: its output, where it starts, how often a change comes, and how it continues.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { OutputClosed } from '../../src/deps.ts';
import { InterruptedError } from '../../src/errors.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let token: string;
let number = 0;
let file: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  token = here.sandbox.tokens[0]?.value ?? '';
});
afterAll(() => here.remove());
beforeEach(async () => {
  number += 1;
  file = join(here.home, `copy-${number}.sqlite`);
  expect((await changes(['projects', 'customers'])).stdout).toBe('');
  here.sandbox.requests.length = 0;
});

interface PrintedChange {
  readonly id: string;
  readonly position: number;
  readonly kind: string;
  readonly noun: string;
  readonly record_id: number;
  readonly seen_at: string;
  readonly changed: readonly string[];
  readonly before: { readonly name: string } | null;
  readonly after: { readonly name: string } | null;
}

async function changes(words: readonly string[], options: RunOptions = {}) {
  const result = await here.svc(['changes', '--to', file, ...words], options);
  return { ...result, printed: () => printedIn(result.stdout) };
}
const printedIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PrintedChange);

async function write(method: string, path: string, body?: object): Promise<number> {
  const answer = await fetch(`${here.sandbox.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return ((await answer.json().catch(() => ({}))) as { data?: { id: number }; id?: number }).data?.id ?? 0;
}
const rename = (id: number, name: string) => write('PATCH', `/customers/${id}`, { name });
const line = ({ kind, noun, record_id, before, after }: PrintedChange) =>
  `${kind} ${noun} ${record_id}: ${before?.name ?? '-'} > ${after?.name ?? '-'}`;

describe('svc changes', () => {
  it('prints changes of child records that have a list of their own', async () => {
    expect((await changes(['work-items'])).code).toBe(0);
    const subtask = await write('POST', '/work-items/1/subtasks', { title: 'Call back' });
    const { code, stderr, printed } = await changes(['work-items']);
    expect(code, stderr).toBe(0);
    expect(printed().map(({ kind, noun, record_id }) => [kind, noun, record_id])).toContainEqual(['created', 'subtasks', subtask]);
  });

  it('prints each create, update and delete once, with the record before and after', async () => {
    const before = here.sandbox.rows('customers').find(({ id }) => id === 1)?.['name'];
    const made = await write('POST', '/customers', { name: 'New' });
    await rename(1, 'Renamed');
    const [first, second, ...others] = (await changes([])).printed();
    expect([first, second].map((printed) => line(printed as PrintedChange)).sort()).toEqual([
      `created customers ${made}: - > New`,
      `updated customers 1: ${before} > Renamed`,
    ]);
    expect(others).toEqual([]);
    expect([first?.position, second?.position]).toEqual([1, 2]);
    expect(first?.id).toMatch(/^[0-9a-f]{12}-1$/);
    const renamed = first?.kind === 'updated' ? first : second;
    expect(renamed?.changed).toEqual(['name', 'updated_at']);
    await write('DELETE', `/customers/${made}`);
    expect((await changes([])).printed().map(line)).toEqual([`deleted customers ${made}: New > -`]);
    expect((await changes([])).stdout).toBe('');
  });

  it('--since accepts a position, a change, a time, 0 or now', async () => {
    await rename(2, 'One');
    await changes([]);
    await rename(2, 'Two');
    const [second] = (await changes([])).printed();
    const since = async (where: string) => (await changes(['--since', where])).printed().map(({ after }) => after?.name);
    expect(await since('0')).toEqual(['One', 'Two']);
    expect(await since('1')).toEqual(['Two']);
    expect(await since(second?.id ?? '')).toEqual([]);
    expect(await since('today')).toEqual(['One', 'Two']);
    expect(await since('tomorrow')).toEqual([]);
    await rename(2, 'Three');
    expect(await since('now')).toEqual(['Three']);
    // --since does not move the stored position.
    expect(await since('last')).toEqual(['Three']);
    const wrong = await Promise.all(['9', 'abcdefabcdef-1', 'nonsense'].map((where) => changes(['--since', where])));
    expect(wrong.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
      [2, 'svc: There is no change 9 yet; the last change is 3.'],
      [2, 'svc: The change "abcdefabcdef-1" is not in the log: the change is from another database, or this database is new.'],
      [2, expect.stringContaining('"nonsense"')],
    ]);
    expect(wrong[2]?.stderr).toContain('Give last, now, the id of a change, or a time.');
  });

  it.each([
    ['17', 'There is no change 17 yet; there is no local database.'],
    ['abcdefabcdef-1', 'There is no change 1 yet; there is no local database.'],
    ['nonsense', '"nonsense"'],
  ])('exits 2 for --since %s without a local database, and creates no database', async (where, printed) => {
    const to = join(here.home, 'none.sqlite');
    const { code, stderr } = await changes(['--to', to, '--since', where]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(printed)]);
    expect(existsSync(to)).toBe(false);
  });

  it('stores a position per consumer, and prints only the named resources', async () => {
    await changes(['projects', '--consumer', 'team']);
    await rename(3, 'Another');
    await write('PATCH', '/projects/1', { name: 'Project' });
    expect((await changes(['--fields', 'noun', '-o', 'csv'])).stdout.split('\n').sort()).toEqual(['', 'customers', 'noun', 'projects']);
    expect((await changes(['project', '--consumer', 'team'])).printed().map(({ noun }) => noun)).toEqual(['projects']);
    expect((await changes(['--consumer', 'team'])).stdout).toBe('');
    expect((await changes(['--jq', 'length'])).stdout).toBe('0\n');
    const shown = (await changes(['customers', '--since', '0', '--no-color'], { terminal: 80 })).stdout.split('\n');
    expect(shown[0]).toMatch(/^SEEN AT +KIND +RESOURCE +RECORD ID +CHANGED *$/);
    const none = await changes(['customers', '--since', 'now'], { terminal: 80 });
    expect([none.stdout, none.stderr]).toEqual(['', expect.stringContaining('Nothing has changed.')]);
    const early = await changes(['labels', '--since', '2020-01-01'], { terminal: 80 });
    expect(early.stderr).toContain('svc recorded no change. svc records the changes of a table after its first read.');
    expect(shown[1]).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d +updated +customers +3 +name, updated_at *$/);
  });

  it('prints a change again under the same id when the reader closed the pipe', async () => {
    await rename(4, 'Untaken');
    let shown = '';
    const gone = await changes([], {
      onStdout: (text) => {
        shown += text;
        throw new OutputClosed();
      },
    });
    expect(gone.code).toBe(0);
    const again = await changes([]);
    expect(again.printed().map(({ after }) => after?.name)).toEqual(['Untaken']);
    expect(again.stdout).toBe(shown);
  });

  it('exits 1 for a start before the log, and restarts the log of an older database', async () => {
    await rename(5, 'Old');
    await changes([]);
    const database = new DatabaseSync(file);
    database.exec("UPDATE svc_changes SET seen_at = '2020-01-01T00:00:00Z'");
    await rename(5, 'New');
    expect((await changes([])).printed()).toHaveLength(1);
    const refused = await changes(['--since', 'yesterday', '--consumer', 'slow']);
    expect(refused.code, refused.stderr).toBe(0);
    for (const [where, said] of [
      ['2020-01-01', 'The log no longer has all changes since'],
      [(refused.printed()[0]?.id ?? '').replace(/2$/, '0'), 'The log no longer has the next changes after position 0.'],
    ] as const) {
      const { code, stderr } = await changes(['--since', where]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    }
    expect((await changes(['--since', '0'])).printed().map(({ position }) => position)).toEqual([2]);

    database.exec('DROP TABLE svc_changes; DROP TABLE svc_log; DELETE FROM svc_kept; PRAGMA user_version = 1');
    database.close();
    await rename(5, 'Newer');
    // This run starts the log, so its first change has position 1.
    expect((await changes([])).printed().map(({ position, after }) => [position, after?.name])).toEqual([[1, 'Newer']]);
  });

  it('exits 2 for flags that conflict, and for an unusable value or flag', async () => {
    for (const [words, said] of [
      [['--follow', '-o', 'json'], 'Use --output ndjson'],
      [['--follow', '--jq', '.'], '.sqlite --follow | jq'],
      [['--exec', 'cat', '-o', 'csv'], 'svc prints none'],
      [['--exec', ' '], 'the command is empty'],
      [['--consumer', ''], 'the name is empty'],
      [['--max-units', '-1'], '--max-units takes 0 or more'],
      [['--dry-run'], 'svc changes only reads'],
    ] as const) {
      const { code, stderr } = await changes([...words]);
      expect([code, stderr], words.join(' ')).toEqual([2, expect.stringContaining(said)]);
    }
  });
});

describe('svc changes --exec', () => {
  it('passes each change to a command without a shell, and resumes with the change that failed', async () => {
    const names = ['$(touch here)', '; rm -rf x', 'Fine'];
    for (const [index, name] of names.entries()) await rename(index + 1, name);
    const got: string[] = [];
    const ends = [0, 3, 0, 0];
    const program: NonNullable<RunOptions['program']> = async (command, args, input) => {
      expect([command, args]).toEqual(["notify 'a b'", []]);
      got.push((await Array.fromAsync(input ?? [])).join(''));
      return ends.shift() ?? 1;
    };
    const failed = await changes(['--exec', "notify 'a b'"], { program });
    expect([failed.code, failed.stdout, failed.stderr]).toEqual([
      10,
      '',
      expect.stringMatching(/exited with 3 .*-2, after 1 other changes/),
    ]);
    expect((await changes(['--exec', "notify 'a b'"], { program })).code).toBe(0);
    expect(got.map((text) => printedIn(text).map(({ position, after }) => [position, after?.name]))).toEqual(
      [0, 1, 1, 2].map((at) => [[at + 1, names[at]]]),
    );
    expect(got[1]).toBe(got[2]);
  });

  it('exits 2 when the command cannot be started, and keeps the change', async () => {
    await rename(1, 'Waiting');
    const { code, stderr } = await changes(['--exec', 'no-such-command']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('could not start the command of --exec: "no-such-command"')]);
    expect((await changes([])).printed()).toHaveLength(1);
  });
});

describe('svc changes --follow', () => {
  /** Follows on a clock without real waits. `at` runs in each wait, and the last one ends the run. */
  async function follow(words: readonly string[], at: readonly ((ms: number) => Promise<unknown>)[], options: RunOptions = {}) {
    const stop = new AbortController();
    const waits: number[] = [];
    let skipped = 0;
    const clock: Deps['clock'] = {
      now: () => Date.now() + skipped,
      monotonic: () => skipped,
      async sleep(ms, signal) {
        signal?.throwIfAborted();
        skipped += ms;
        waits.push(ms);
        const said = await at[waits.length - 1]?.(ms);
        if (said === 'enough' || waits.length > at.length) stop.abort(new InterruptedError('Interrupted (SIGINT).', { signal: 'SIGINT' }));
        signal?.throwIfAborted();
      },
    };
    const result = await changes(['--follow', ...words], { ...options, signal: stop.signal, around: (deps) => ({ ...deps, clock }) });
    return { ...result, waits };
  }
  const nothing = async () => undefined;

  it('prints a change as soon as a check finds the change', async () => {
    let shown = '';
    const result = await follow(
      [],
      [
        nothing,
        () => rename(1, 'While it follows'),
        async () => expect(printedIn(shown).map(({ after }) => after?.name)).toEqual(['While it follows']),
        nothing,
      ],
      {
        onStdout: (text) => {
          shown += text;
        },
      },
    );
    expect(result.code, result.stderr).toBe(130);
    expect(result.printed()).toHaveLength(1);
    expect((await changes([])).stdout).toBe('');
  });

  it('checks a recently changed table often, and spends at most a tenth of the rate limit', async () => {
    file = join(here.home, 'all.sqlite');
    // The sandbox has more worklogs each day.
    await here.svc(['config', 'set', 'sync-exclude', 'worklogs']);
    await changes([]);
    here.sandbox.requests.length = 0;
    const spent: { readonly at: number; readonly units: number; readonly paths: readonly string[] }[] = [];
    let now = 0;
    /** Index of the check of everything in `spent`. */
    let all: number | undefined;
    const { waits, stderr } = await follow(
      [],
      Array.from({ length: 60 }, () => async (ms: number) => {
        const paths = here.sandbox.requests.map(({ path }) => path.replace(/^\/api\/v2|\?.*$/g, ''));
        const units = here.sandbox.requests.reduce((sum, each) => sum + each.units, 0);
        spent.push({ at: now, units, paths: [...new Set(paths)].filter((path) => path !== '/') });
        now += ms;
        // No request waits so long.
        if (all === undefined && ms > 61_000) {
          all = spent.length - 1;
          await rename(2, 'Lively');
        }
        here.sandbox.requests.length = 0;
        return all !== undefined && spent.length > all + 3 ? 'enough' : undefined;
      }),
    );
    if (all === undefined) throw new Error(stderr);
    const unitsOf = (some: typeof spent) => some.reduce((sum, { units }) => sum + units, 0);
    for (const { at: from } of spent) expect(unitsOf(spent.filter(({ at }) => at >= from && at < from + 60_000))).toBeLessThanOrEqual(60);
    // Half of a tenth of 600 units a minute.
    expect(waits.slice(all, all + 3)).toEqual([unitsOf(spent.slice(0, all + 1)) * 2_000, 15_000, 30_000]);
    expect(spent.slice(all + 2, all + 4).map(({ paths }) => paths)).toEqual([['/customers'], ['/customers']]);
    await here.svc(['config', 'unset', 'sync-exclude']);
  });

  it('reports an outage, and continues when the service answers again', async () => {
    here.sandbox.setFaults([]);
    const result = await follow(
      [],
      [
        async () => {
          await rename(2, 'During the outage');
          here.sandbox.setFaults([{ method: 'GET', path: '/customers', status: 503, times: 5 }]);
        },
        ...Array.from({ length: 12 }, () => nothing),
      ],
    );
    here.sandbox.setFaults([]);
    expect(result.printed().map(({ after }) => after?.name)).toEqual(['During the outage']);
    expect(result.stderr).toMatch(/svc keeps trying\.\n(?:.*\n)*svc can check for changes again\./);
  });

  it('repeats a failed command until success, and skips no change', async () => {
    await rename(3, 'First');
    await rename(4, 'Second');
    const ends = [1, 1, 0, 0];
    const ran: number[] = [];
    const { code, waits, stderr } = await follow(['--exec', 'notify'], [nothing, nothing, nothing], {
      program: async (_command, _args, input) => {
        ran.push(printedIn((await Array.fromAsync(input ?? [])).join(''))[0]?.position ?? 0);
        return ends.shift() ?? 1;
      },
    });
    expect([code, ran], stderr).toEqual([130, [1, 1, 1, 2]]);
    expect(waits.slice(0, 2)).toEqual([1000, 2000]);
  });
});
