// Child records, entries of discovery without a list, and the cost of an export, in several interpretations.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn | undefined;
afterEach(async () => {
  await here?.remove();
  here = undefined;
});

async function start(interpretations: Partial<Interpretations> = {}): Promise<SignedIn> {
  here = await signedIn({ limits: 'off', personalToken: true, interpretations });
  return here;
}

interface ManifestFile {
  readonly collections: readonly { readonly noun: string; readonly rows: number; readonly below?: Record<string, number> }[];
  readonly left_out: readonly { readonly noun: string; readonly reason: string }[];
  readonly not_collections: readonly { readonly path: string; readonly reason: string }[];
  readonly held_elsewhere: readonly { readonly path: string; readonly in: string }[];
}

/** Returns access to the files of an export in the home. */
function exported({ home }: SignedIn, name: string) {
  const directory = join(home, name);
  const text = (file: string) => readFile(join(directory, file), 'utf8');
  return {
    directory,
    text,
    files: () => readdir(directory),
    manifest: async () => JSON.parse(await text('manifest.json')) as ManifestFile,
    records: async (noun: string) =>
      (await text(`${noun}.ndjson`))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

const living = (sandbox: SignedIn['sandbox'], resource: string) =>
  sandbox
    .rows(resource)
    .filter((row) => (row['deleted_at'] ?? null) === null)
    .map(({ id }) => id)
    .sort((a, b) => a - b);

const byId = (records: readonly Record<string, unknown>[]) => records.map(({ id }) => Number(id)).sort((a, b) => a - b);

describe('an export of parent records', () => {
  const INTERPRETATION_SETS: readonly Partial<Interpretations>[] = [
    {},
    { discoveryPaths: 'absolute', discoveryOperations: 'texts' },
    { discoveryPaths: 'rooted', discoveryOperations: 'map', summary: 'documented' },
    { discoveryOperations: 'unnamed', summary: 'bare', discoveryName: 'key' },
  ];

  it.each(INTERPRETATION_SETS)('has every comment and attachment when discovery uses %j (rules 18.2, 18.23)', async (interpretations) => {
    const { svc, sandbox } = await start(interpretations);
    const out = exported(here as SignedIn, 'out');
    const { code, stderr } = await svc(['export', out.directory, 'work-items', 'subtasks', 'work-item-links']);
    expect(code, stderr).toBe(0);
    const comments = await out.records('work-items.comments');
    expect(byId(comments)).toEqual(living(sandbox, 'comments'));
    expect(comments.every(({ work_item_id: parent }) => Number.isInteger(parent))).toBe(true);
    expect(byId(await out.records('work-items.attachments'))).toEqual(living(sandbox, 'attachments'));
    expect((await out.manifest()).left_out).toEqual([]);
  });

  it('has the records of a top-level list, or of the parents’ lists (rule 18.18)', async () => {
    const { svc, sandbox } = await start();
    const top = exported(here as SignedIn, 'top');
    expect((await svc(['export', top.directory, 'work-items', 'subtasks', '--quiet'])).code).toBe(0);
    expect((await top.manifest()).held_elsewhere).toContainEqual({ path: '/work-items/{work_item}/subtasks', in: 'subtasks' });
    expect(await top.files()).not.toContain('work-items.subtasks.ndjson');
    sandbox.interpretations.topLevelChildren = false;
    const below = exported(here as SignedIn, 'below');
    const result = await svc(['export', below.directory, 'work-items', '--no-cache']);
    expect(result.code, result.stderr).toBe(0);
    expect(byId(await below.records('work-items.subtasks'))).toEqual(byId(await top.records('subtasks')));
  });

  it('requests no children of a parent whose counter is 0 (rule 2.6)', async () => {
    const { svc, sandbox } = await start();
    const out = exported(here as SignedIn, 'out');
    sandbox.requests.length = 0;
    expect((await svc(['export', out.directory, 'work-items'])).code).toBe(0);
    // The lists of the first parents show that related comments have all fields. After that, svc uses the relation.
    const asked = new Set(sandbox.requests.flatMap(({ path }) => /^\/api\/v2\/work-items\/(\d+)\/comments/.exec(path)?.[1] ?? []));
    const commented = new Set(sandbox.rows('comments').map((row) => row['work_item_id']));
    const { below } = (await out.manifest()).collections.find(({ noun }) => noun === 'work-items.comments') ?? {};
    expect([...asked].filter((id) => !commented.has(Number(id)))).toEqual([]);
    expect(asked.size).toBeLessThan(commented.size);
    expect(below?.['asked']).toBeGreaterThanOrEqual(commented.size);
    expect(below?.['asked']).toBeLessThan(sandbox.rows('work-items').length);
  });

  it.each([
    ['the attachments of a parent', /\/attachments/, 45, 30],
    ['a page of parents with their comments', '/work-items', 6, 0],
  ] as const)('resumes after an interruption at %s, and equals an uninterrupted export', async (_, path, answered, spared) => {
    const { svc, sandbox } = await start();
    const stopped = exported(here as SignedIn, 'stopped');
    const whole = exported(here as SignedIn, 'whole');
    const attachments = () => sandbox.requests.filter((request) => request.path.includes('/attachments?'));
    sandbox.setFaults([{ path, skip: answered, delayMs: 60_000, times: Number.POSITIVE_INFINITY }]);
    const interrupt = new AbortController();
    const running = svc(['export', stopped.directory, 'work-items'], { signal: interrupt.signal });
    const isMatch = (asked: string) => (typeof path === 'string' ? asked.startsWith(`/api/v2${path}?`) : path.test(asked));
    const matching = () => sandbox.requests.filter((request) => isMatch(request.path)).length;
    await vi.waitFor(() => expect(matching()).toBeGreaterThan(answered), { timeout: 30_000 });
    interrupt.abort(new InterruptedError('Interrupted (SIGINT).'));
    expect((await running).code).toBe(130);
    sandbox.setFaults([]);
    const before = attachments().length;
    const second = await svc(['export', stopped.directory, 'work-items']);
    expect(second.code, second.stderr).toBe(0);
    const again = attachments().length - before;
    expect((await svc(['export', whole.directory, 'work-items'])).code).toBe(0);
    const all = attachments().length - before - again;
    expect(all - again).toBeGreaterThanOrEqual(spared);
    for (const file of (await whole.files()).filter((name) => name.endsWith('.ndjson'))) {
      expect(await stopped.text(file), file).toBe(await whole.text(file));
    }
  });

  it('finds new child records of an unchanged parent with --since last (rule 18.35)', async () => {
    const { svc, sandbox } = await start({ recordClock: 'behind' });
    const out = exported(here as SignedIn, 'out');
    expect((await svc(['export', out.directory, 'work-items', 'worklogs'])).code).toBe(0);
    sandbox.advance(5_000);
    const made = await svc(['work-items', 'comments', 'create', 'ABC-12', '--body', 'Later']);
    expect(made.code, made.stderr).toBe(0);
    expect((await svc(['worklogs', 'add', '--minutes', '8'])).code).toBe(0);
    const result = await svc(['export', out.directory, 'work-items', 'worklogs', '--since', 'last']);
    expect(result.code, result.stderr).toBe(0);
    expect(byId(await out.records('work-items.comments'))).toEqual(living(sandbox, 'comments'));
    expect(byId(await out.records('worklogs'))).toEqual(living(sandbox, 'worklogs'));
  });

  it('exits 10 when one parent hides its children, and has all other children', async () => {
    const { svc, sandbox } = await start();
    const out = exported(here as SignedIn, 'out');
    sandbox.setFaults([{ path: '/work-items/3/attachments', status: 403, times: Number.POSITIVE_INFINITY }]);
    const { code, stderr } = await svc(['export', out.directory, 'work-items']);
    expect(code).toBe(10);
    expect(stderr).toContain('work-items.attachments: 1 of ');
    const { left_out: left } = await out.manifest();
    expect(left).toMatchObject([{ noun: 'work-items.attachments', reason: expect.stringContaining('did not show their child records') }]);
    const others = sandbox.rows('attachments').filter((row) => row['work_item_id'] !== 3);
    expect(await out.records('work-items.attachments')).toHaveLength(others.length);
  });

  it('has no child records with --no-children', async () => {
    const { svc } = await start();
    const out = exported(here as SignedIn, 'out');
    expect((await svc(['export', out.directory, 'work-items', '--no-children'])).code).toBe(0);
    expect((await out.files()).sort()).toEqual(['manifest.json', 'work-items.ndjson']);
  });
});

describe('an entry of discovery that is not a list (rule 18.26)', () => {
  const ALL = { discoveryMe: true, discoveryUploads: true, uploads: 'both', discoveryActions: 'own-entry' } as const;
  it.each(['named', 'unnamed', 'texts', 'map'] as const)(
    'is listed in the manifest without an error, with operations %s',
    async (discoveryOperations) => {
      const { svc, sandbox } = await start({ ...ALL, discoveryOperations });
      const out = exported(here as SignedIn, 'out');
      const { code, stderr } = await svc(['export', out.directory, '--no-children', '--quiet']);
      expect(code, stderr).toBe(0);
      const manifest = await out.manifest();
      expect(manifest.left_out).toEqual([]);
      expect(manifest.not_collections).toContainEqual({ path: '/me', reason: 'The path returns one record, not a list.' });
      expect(manifest.not_collections).toContainEqual({ path: '/upload-tickets', reason: 'The path has no GET operation.' });
      expect(manifest.not_collections).toContainEqual({
        path: '/work-items/{work_item}/actions/transition',
        reason: 'The path is an action, not a list.',
      });
      expect(manifest.collections.map(({ noun }) => noun)).not.toContain('me');
      expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    },
  );
});

describe('the view of an export', () => {
  it('is detail by default, and the export costs as much as svc printed', async () => {
    const { svc, sandbox } = await start();
    const out = exported(here as SignedIn, 'out');
    sandbox.requests.length = 0;
    const { code, stderr } = await svc(['export', out.directory, 'worklogs', 'users', '--parallel', '1']);
    expect(code, stderr).toBe(0);
    const units = Number(/About (\d+) rate-limit units for \d+ rows in the detail view/.exec(stderr)?.[1]);
    const spent = () =>
      sandbox.requests.filter(({ path }) => path.includes('per_page=100')).reduce((sum, request) => sum + request.units, 0);
    expect(units).toBe(spent());
    // In parallel it costs a little more, because some pages are not full.
    sandbox.requests.length = 0;
    const again = exported(here as SignedIn, 'again');
    expect((await svc(['export', again.directory, 'worklogs', 'users'])).code).toBe(0);
    expect(spent()).toBeGreaterThan(units);
    expect(spent()).toBeLessThanOrEqual(units * 1.05);
    for (const file of ['worklogs.ndjson', 'users.ndjson']) expect(await again.text(file)).toBe(await out.text(file));
    expect((await out.records('worklogs'))[0]).toHaveProperty('is_not_billable');
  });

  it('can be summary, and --since last in another view reads all records again', async () => {
    const { svc } = await start({ summary: 'documented' });
    const out = exported(here as SignedIn, 'out');
    const { stderr } = await svc(['export', out.directory, 'worklogs', '--view', 'summary']);
    expect(stderr).toMatch(/About \d+ rate-limit units for \d+ rows in the summary view\./);
    expect((await out.records('worklogs'))[0]).not.toHaveProperty('is_not_billable');
    // svc never mixes two views in one file.
    const later = await svc(['export', out.directory, 'worklogs', '--since', 'last']);
    expect(later.stderr).toContain('in another view, so svc reads all records again');
    expect((await out.records('worklogs')).every((record) => 'is_not_billable' in record)).toBe(true);
  });
});
