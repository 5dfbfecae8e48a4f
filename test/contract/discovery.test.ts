import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn({ personalToken: true });
});
afterEach(() => here.remove());

/** Returns each request since the last call, such as `GET / 200`. */
function sent(): string[] {
  return here.sandbox.requests.splice(0).map(({ method, path, status }) => `${method} ${path.replace('/api/v2', '')} ${status}`);
}

/** Returns the cached discovery files of every account. */
async function storedFiles(): Promise<string[]> {
  const directory = join(here.home, '.cache/svc/answers');
  return (await readdir(directory, { recursive: true })).filter((name) => name.includes('discovery-')).map((name) => join(directory, name));
}

const START = Date.parse('2026-06-10T10:00:00Z');

describe('the answer of discovery', () => {
  it('is cached for as long as the service allows, then revalidated (rules 6.6, 6.7, 7.3, 9.7)', async () => {
    const at = (seconds: number, ...more: string[]) => here.svc(['resources', 'absences', ...more], { now: START + seconds * 1000 });
    await at(0);
    expect(sent()).toEqual(['GET / 200']);
    await at(299);
    expect(sent()).toEqual([]);
    await at(301);
    expect(sent()).toEqual(['GET / 304']);
    await at(600);
    expect(sent()).toEqual([]);
    await at(601, '--no-cache');
    expect(sent()).toEqual(['GET / 200']);
    // A clock that was set back does not make the answer fresh for ever.
    await at(-100_000);
    expect(sent()).toEqual(['GET / 304']);
  });

  it('is requested again for another account, and the cached file has no token (rule 7.7)', async () => {
    const [full] = here.sandbox.tokens;
    await here.svc(['resources']);
    await here.svc(['resources'], { env: { SVC_TOKEN: full?.value ?? '', SVC_HOST: here.host } });
    expect(sent()).toEqual(['GET / 200', 'GET / 200']);
    const files = await storedFiles();
    expect(files).toHaveLength(2);
    for (const file of files) expect(await readFile(file, 'utf8')).not.toContain(full?.value);
  });

  it('is requested again when the cached file is damaged', async () => {
    await here.svc(['resources']);
    const [file = ''] = await storedFiles();
    await writeFile(file, '{"url": "https://acme.example.com/api/v2", "headers": 7');
    sent();
    expect((await here.svc(['resources'])).code).toBe(0);
    expect(sent()).toEqual(['GET / 200']);
  });
});

describe('an answer that must not be cached (rule 7.1)', () => {
  it.each([['private, no-store'], ['no-store, max-age=300'], [undefined]])(
    'is requested again when Cache-Control is %s',
    async (control) => {
      const recording = await startRecording();
      const entry = { name: 'absences', path: '/absences', item_path: '/absences/{absence}' };
      const headers: Record<string, string> = control === undefined ? {} : { 'cache-control': control };
      recording.server.fallback(json(200, { data: [entry], meta: {}, links: { next: null } }, { etag: 'W/"e"', ...headers }));
      await recording.svc(['resources', 'absences']);
      await recording.svc(['resources', 'absences']);
      expect(recording.sent()).toEqual(['GET /', 'GET /']);
      expect(recording.server.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
      await recording.remove();
    },
  );
});

describe('svc resources', () => {
  it('lists the available resources, and names the disabled resources (rules 1.19, 4.43, 4.44, 4.53, 9.4, 9.6, 18.2)', async () => {
    for (const way of ['relative', 'rooted', 'absolute'] as const) {
      here.sandbox.interpretations.discoveryPaths = way;
      const result = await here.svc(['resources', '--no-cache', '--jq', '[.[].noun | select(. != null)] | length']);
      expect(result.stdout.trim()).toBe('40');
      expect(result.stderr).toContain('Not enabled for this organisation: furlough-balance-mutations.');
    }
  });

  it('marks the assumed facts of a resource (rules 4.47, 19.3)', async () => {
    const result = await here.svc(['resources', 'worklog', '--output', 'json']);
    const described = JSON.parse(result.stdout);
    expect(described.operations).toContain('POST /worklogs');
    expect(described.abilities.delete).toEqual(['api:destroy:times']);
    expect(described.filters.find(({ field }: { field: string }) => field === 'project_id')).toMatchObject({ assumed: true });
    expect(described.fields.find(({ field }: { field: string }) => field === 'minutes')).toMatchObject({
      assumed: false,
      flag: '--minutes',
    });
    const absences = JSON.parse((await here.svc(['resources', 'absences', '--output', 'json'])).stdout);
    expect(absences.filters.every(({ assumed }: { assumed: boolean }) => !assumed)).toBe(true);
  });

  it('prints the operations that a resource lacks', async () => {
    const recording = await startRecording();
    const operations = ['GET /holidays', { method: 'GET', path: '/api/v2/holidays/{id}' }];
    recording.server.fallback(json(200, { data: [{ path: '/holidays', item_path: '/holidays/{id}', operations }], links: { next: null } }));
    const { stdout } = await recording.svc(['resources', 'holidays']);
    expect(JSON.parse(stdout).lacks).toEqual(['create', 'update', 'delete']);
    expect((await recording.svc(['resources', 'holidays'], { terminal: 100 })).stdout).toContain(
      'no operation for: create, update, delete',
    );
    await recording.remove();
  });

  it('prints a resource as text with columns at a terminal', async () => {
    const { stdout } = await here.svc(['resources', 'drive-items'], { terminal: 100 });
    expect(stdout).toContain('drive-items: Files, documents and notes in the drives');
    expect(stdout).toMatch(/drive_folder +folder_id/);
    expect(stdout).toContain('svc drive-items files');
  });

  it('suggests the nearest resource for a typo, and sends nothing', async () => {
    const result = await here.svc(['resources', 'abscences']);
    expect([result.code, sent()]).toEqual([2, []]);
    expect(result.stderr).toContain('Did you mean: svc resources absences');
  });
});

describe('a resource that the organisation does not have', () => {
  it.each([
    [['furlough-balance-mutations', 'list']],
    [['furlough-balance-mutations', 'get', '1']],
    [['furlough-balance-mutations', 'create', '--user', 'me', '--minutes', '8h']],
    [['resources', 'furlough-balance-mutations']],
    [['furlough-balance-mutations', 'import', '-']],
  ])('makes svc exit 3 and print its name for %j (rules 1.20, 14.20)', async (argv) => {
    const result = await here.svc(argv, { stdin: 'minutes,date\n8h,today\n4h,today\n' });
    const said = result.stderr.split('\n').find((line) => line.startsWith('svc: '));
    expect([result.code, said]).toEqual([3, 'svc: furlough-balance-mutations is not enabled for this organisation.']);
  });

  it('is distinguished from a missing record, even with the type endpoint-not-found (rules 18.15, 19.20)', async () => {
    here.sandbox.interpretations.missingRecordType = 'endpoint-not-found';
    const result = await here.svc(['worklogs', 'get', '999999']);
    expect([result.code, result.stderr.split('\n')[0]]).toEqual([3, 'svc: There is no worklog 999999.']);
    const moved = await here.svc(['work-items', 'move', 'XYZ-9', '--after', 'ABC-1']);
    expect([moved.code, moved.stderr.split('\n')[0]]).toEqual([3, 'svc: There is no work item XYZ-9.']);
  });

  it('is distinguished from an API that is switched off (rule 1.22)', async () => {
    here.sandbox.switchApi(false);
    const result = await here.svc(['worklogs', 'list']);
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('switched off');
  });

  it('is distinguished from a resource that exists only under its parents (rule 18.18)', async () => {
    here.sandbox.interpretations.topLevelChildren = false;
    const result = await here.svc(['subtasks', 'list']);
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('svc work-items subtasks list');
    expect((await here.svc(['work-items', 'subtasks', 'list', 'ABC-12'])).code).toBe(0);
    expect((await here.svc(['subtasks', 'get', '1'])).code).toBe(0);
  });

  it('is not looked up by a successful command', async () => {
    await here.svc(['worklogs', 'list', '--limit', '1']);
    expect(sent().map((line) => line.replace(/\?.*? /, ' '))).toEqual(['GET /worklogs 200']);
  });
});

describe('an operation that the service does not have', () => {
  it('makes svc exit 9 and name the resource (rule 14.21)', async () => {
    here.sandbox.setFaults([{ method: 'PATCH', path: '/api/v2/holidays/1', status: 405 }]);
    const result = await here.svc(['holidays', 'update', '1', '--name', 'Other']);
    expect([result.code, result.stderr.split('\n')[0]]).toEqual([
      9,
      'svc: holidays cannot be changed here: the service has no such operation.',
    ]);
  });
});
