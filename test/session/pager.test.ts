import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

// What is taller than the screen goes through the pager, which pulls. A real one is in test/e2e/terminal.proof.ts.

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());

const SMALL = { terminal: 80, rows: 10, env: { NO_COLOR: '1' } } as const;
const USERS = ['users', 'list', '--fields', 'id,name', '--quiet'];

/** A pager that takes so many pieces, and is left then; with what it was given. */
function pagerOf(most = Number.POSITIVE_INFINITY): {
  readonly page: Deps['programs']['page'];
  readonly seen: string[];
  readonly used: string[];
} {
  const seen: string[] = [];
  const used: string[] = [];
  return {
    seen,
    used,
    async page(command, input) {
      used.push(command);
      const pieces = input[Symbol.asyncIterator]();
      while (seen.length < most) {
        const next = await pieces.next();
        if (next.done) return 'shown';
        seen.push(next.value);
      }
      return 'left';
    },
  };
}

async function run(argv: readonly string[], options: RunOptions) {
  here.sandbox.requests.length = 0;
  const result = await here.svc(argv, options);
  return { ...result, requests: here.sandbox.requests.map(({ path }) => path.split('?')[0]) };
}

describe('the pager', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['comes from SVC_PAGER before PAGER', { SVC_PAGER: 'one -x', PAGER: 'two' }, 'one -x'],
    ['comes from PAGER', { PAGER: 'two' }, 'two'],
    ['is less by default', {}, 'less'],
    ['is off when SVC_PAGER is cat', { SVC_PAGER: 'cat', PAGER: 'two' }, undefined],
    ['is off when SVC_PAGER is empty', { SVC_PAGER: '', PAGER: 'two' }, undefined],
    ['is off by default on a dumb terminal', { TERM: 'dumb' }, undefined],
    ['comes from PAGER on a dumb terminal too', { TERM: 'dumb', PAGER: 'two' }, 'two'],
  ])('%s', async (_, env, command) => {
    const { page, used } = pagerOf();
    const { stdout } = await run(USERS, { ...SMALL, pager: page, env });
    expect(used).toEqual(command === undefined ? [] : [command]);
    expect(stdout.includes('Sanne')).toBe(command === undefined);
  });

  it('is the program of the setting when no variable names a pager', async () => {
    const { page, used } = pagerOf();
    await here.svc(['config', 'set', 'pager', 'from-config']);
    await run(USERS, { ...SMALL, pager: page });
    await run(USERS, { ...SMALL, pager: page, env: { PAGER: 'two' } });
    await here.svc(['config', 'unset', 'pager']);
    expect(used).toEqual(['from-config', 'two']);
  });

  it.each([
    ['a text that fits on the screen', USERS, { ...SMALL, rows: 40 }],
    ['the flag --no-pager', [...USERS, '--no-pager'], SMALL],
    ['JSON', [...USERS, '-o', 'json'], SMALL],
    ['the output of jq', ['users', 'list', '--jq', '.[].name'], SMALL],
    ['a pipe', USERS, {}],
    ['a table in a pipe', [...USERS, '-o', 'table'], {}],
  ])('does not open for %s', async (_, argv, options) => {
    const { page, used } = pagerOf();
    expect(await run(argv, { ...options, pager: page })).toMatchObject({ code: 0, stdout: expect.stringContaining('Sanne') });
    expect(used).toEqual([]);
  });

  it('does not open for writes, so quitting the pager cannot end an import', async () => {
    const { page, used } = pagerOf(1);
    const stdin = `name\n${Array.from({ length: 12 }, (_, index) => `pager ${index}\n`).join('')}`;
    expect((await run(['labels', 'import', '-'], { ...SMALL, stdin, pager: page })).code).toBe(0);
    expect(used).toEqual([]);
  });

  it.each([
    ['by cursor', ['worklogs', 'list']],
    ['with a count of rows', ['absences', 'list']],
  ])('costs one request for the first page of a long list, %s', async (_, argv) => {
    const { page, seen } = pagerOf(1);
    const { code, stdout, stderr, requests } = await run([...argv, '--columns', 'ids'], { ...SMALL, pager: page });
    expect({ code, stdout, stderr, requests }).toEqual({ code: 0, stdout: '', stderr: '', requests: [`/api/v2/${argv[0]}`] });
    // A long text can continue on another line, without an id.
    expect(seen[0]?.split('\n').filter((line) => /^ {0,6}\d+ /.test(line))).toHaveLength(100);
  });

  it('reads each further page on demand', async () => {
    const { page, seen } = pagerOf(3);
    expect((await run(['worklogs', 'list', '--columns', 'ids'], { ...SMALL, pager: page })).requests).toHaveLength(3);
    expect(seen).toHaveLength(3);
  });

  it('shows the first page at once, even with few rows', async () => {
    const { page, seen } = pagerOf(1);
    const argv = ['work-items', 'list', '--status', 'all', '--columns', 'ids', '--per-page', '15'];
    expect((await run(argv, { ...SMALL, pager: page })).requests).toHaveLength(1);
    expect(seen[0]).toContain('TITLE');
  });

  it('ends svc at once and without a message when you quit during a request', async () => {
    here.sandbox.requests.length = 0;
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const page: Deps['programs']['page'] = async (_, input) => {
      const pieces = input[Symbol.asyncIterator]();
      await pieces.next();
      // The second page: it is never answered.
      pieces.next().catch(() => undefined);
      await asked;
      return 'left';
    };
    const around = (deps: Deps): Deps => ({
      ...deps,
      network: {
        ...deps.network,
        async request(request) {
          if (!request.url.includes('cursor=')) return deps.network.request(request);
          ask();
          return new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason)));
        },
      },
    });
    const result = await here.svc(['worklogs', 'list', '--columns', 'ids'], { ...SMALL, pager: page, around });
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('makes svc print one line and the whole table when the program cannot start', async () => {
    const { code, stdout, stderr } = await run(['users', 'list', '--fields', 'id'], {
      ...SMALL,
      pager: async () => 'missing',
      env: { PAGER: 'nonsuch -x' },
    });
    expect([code, stdout.split('\n').length]).toEqual([0, 14]);
    expect(stderr).toBe(
      'svc cannot start the pager "nonsuch -x", so the output has no pager. To choose another pager: svc config set pager <command>\n',
    );
  });

  it('gets the first two pages when the third request fails, and svc prints the failure', async () => {
    const { page, seen } = pagerOf();
    let pages = 0;
    const around = (deps: Deps): Deps => ({
      ...deps,
      network: {
        ...deps.network,
        async request(request) {
          pages += 1;
          if (pages < 3) return deps.network.request(request);
          throw new TypeError('a mistake');
        },
      },
    });
    const { code, stderr } = await here.svc(['worklogs', 'list', '--columns', 'ids'], { ...SMALL, pager: page, around });
    expect([code, seen.filter((piece) => piece !== '').length]).toEqual([1, 2]);
    expect(stderr).toContain('a mistake');
  });

  it('does not open when a failure comes before the screen is full, and svc prints the rows', async () => {
    let requests = 0;
    const around = (deps: Deps): Deps => ({
      ...deps,
      network: {
        ...deps.network,
        async request(request) {
          requests += 1;
          if (requests === 1) return deps.network.request(request);
          throw new TypeError('a mistake');
        },
      },
    });
    const argv = ['worklogs', 'list', '--columns', 'ids', '--per-page', '5'];
    const { code, stdout } = await here.svc(argv, { ...SMALL, around });
    expect([code, stdout.split('\n').length]).toEqual([1, 7]);
  });

  it('ends before svc prints lines on stderr', async () => {
    const order: string[] = [];
    const page: Deps['programs']['page'] = async (_, input) => {
      for await (const piece of input) order.push(piece.slice(0, 2));
      order.push('left');
      return 'shown';
    };
    await here.svc(['worklogs', 'list', '--columns', 'ids', '-L', '150', '--debug'], {
      ...SMALL,
      pager: page,
      onStderr: (text) => order.push(text.includes('cursor') && text.startsWith('svc: GET') ? 'second request' : 'line'),
    });
    expect(order.indexOf('second request')).toBeGreaterThan(order.indexOf('left'));
  });
});

describe('a list command without a row', () => {
  it.each([
    [['projects', 'list', '--search', 'zzzz'], 'No projects match --search. Leave out a flag to see more.\n'],
    [['worklogs', 'list', '--from', '2031-01-01', '--mine'], 'No worklogs match --from, --mine. Leave out a flag to see more.\n'],
  ])('prints the reason to a person for %j', async (argv, line) => {
    expect(await here.svc(argv, SMALL)).toEqual({ code: 0, stdout: '', stderr: line });
  });

  it('prints an empty list to a program, and nothing with --quiet', async () => {
    expect(await here.svc(['projects', 'list', '--search', 'zzzz'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(await here.svc(['projects', 'list', '--search', 'zzzz', '-q'], SMALL)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await here.svc(['projects', 'list', '--search', 'zzzz', '-o', 'table'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
