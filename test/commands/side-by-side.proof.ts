// Lists of resources with counted rows, read several pages at once: requests, output, and when svc does not do it.
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { OutputClosed } from '../../src/deps.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn | undefined;
afterEach(async () => {
  await here?.remove();
  here = undefined;
});

const LIST = ['absences', 'list', '--per-page', '5', '--output', 'ids'];

async function start(interpretations = {}): Promise<SignedIn> {
  here = await signedIn({ limits: 'off', personalToken: true, interpretations });
  return here;
}

const asked = ({ sandbox }: SignedIn) => sandbox.requests.map(({ path }) => new URL(path, 'http://x').searchParams);
const units = ({ sandbox }: SignedIn) => sandbox.requests.reduce((sum, request) => sum + request.units, 0);

describe('a list with parallel connections', () => {
  it.each(['live', 'snapshot'] as const)(
    'is read by page number, with the rows and rate-limit units of a sequential read (pages %s, rule 8.27)',
    async (pages) => {
      const { svc, sandbox } = await start({ pages });
      const one = await svc([...LIST, '--parallel', '1']);
      const before = units(here as SignedIn);
      expect(asked(here as SignedIn).some((query) => query.has('page'))).toBe(false);
      sandbox.requests.length = 0;
      const many = await svc(LIST);
      expect(many).toEqual(one);
      const queries = asked(here as SignedIn);
      expect(queries.filter((query) => query.has('cursor'))).toEqual([]);
      expect(queries.filter((query) => query.has('page'))).toHaveLength(queries.length - 1);
      expect(units(here as SignedIn)).toBe(before);
    },
  );

  it('is read by cursor when new records exist, without a repeated row', async () => {
    const { svc, sandbox } = await start();
    const made = await svc(['absences', 'create', '--user', 'me', '--start', '2024-01-01', '-o', 'ids']);
    expect(made.code, made.stderr).toBe(0);
    sandbox.requests.length = 0;
    const many = await svc(LIST);
    expect(asked(here as SignedIn).some((query) => query.has('cursor'))).toBe(true);
    expect(many.stdout).toBe((await svc([...LIST, '--parallel', '1'])).stdout);
  });

  it('needs at most three requests when its reader closes the pipe', async () => {
    const { svc, sandbox } = await start();
    const result = await svc(LIST, {
      onStdout: () => {
        throw new OutputClosed('gone');
      },
    });
    expect(result.code, result.stderr).toBe(0);
    expect(sandbox.requests.length).toBeLessThanOrEqual(3);
  });

  it.each([
    ['when the list has a limit', [...LIST, '--limit', '40']],
    ['when people can reorder the records (rule 8.26)', ['labels', 'list', '--per-page', '1']],
    ['when the resource does not count its rows', ['events', 'list', '--per-page', '5']],
  ])('is read by cursor %s', async (_which, argv) => {
    const { svc } = await start();
    expect((await svc(argv)).code).toBe(0);
    expect(asked(here as SignedIn).some((query) => query.has('page'))).toBe(false);
    expect(asked(here as SignedIn).some((query) => query.has('cursor'))).toBe(true);
  });

  it('can be continued after a failure, from the page that svc prints', async () => {
    const { svc, sandbox } = await start();
    const whole = (await svc(LIST)).stdout;
    sandbox.setFaults([{ path: '/absences', skip: 6, status: 403, times: Number.POSITIVE_INFINITY }]);
    const first = await svc(LIST);
    expect(first.code).toBe(5);
    sandbox.setFaults([]);
    const [, page] = /svc absences list .*--page (\d+)/.exec(first.stderr) ?? [];
    const rest = await svc([...LIST, '--page', page ?? '']);
    expect(first.stdout + rest.stdout).toBe(whole);
  });

  it('cannot have more than eight parallel requests', async () => {
    const { svc } = await start();
    expect((await svc([...LIST, '--parallel', '9'])).code).toBe(2);
    expect((await svc(['config', 'set', 'parallel', '9'])).code).toBe(2);
    expect((await svc(['config', 'set', 'parallel', '1'])).code).toBe(0);
    expect((await svc(LIST)).code).toBe(0);
    expect(asked(here as SignedIn).some((query) => query.has('page'))).toBe(false);
  });
});

describe('an export in parallel', () => {
  it.each([
    ['refuses', { otherFilters: 'refused' }],
    ['accepts', { otherFilters: 'taken', refusalType: 'invalid-query-parameter' }],
  ])('equals a sequential export at a service that %s a filter by created_at (rule 18.27)', async (_, interpretations) => {
    const { svc, sandbox, home } = await start(interpretations);
    expect((await svc(['export', `${home}/one`, 'worklogs', '--parallel', '1'])).code).toBe(0);
    sandbox.requests.length = 0;
    expect((await svc(['export', `${home}/many`, 'worklogs'])).code).toBe(0);
    const filtered = sandbox.requests.filter(({ path }) => path.includes('created_at'));
    if (interpretations.otherFilters === 'refused') expect(filtered).toHaveLength(1);
    else expect(filtered.length).toBeGreaterThan(30);
    expect(await readFile(`${home}/many/worklogs.ndjson`, 'utf8')).toBe(await readFile(`${home}/one/worklogs.ndjson`, 'utf8'));
  });
});
