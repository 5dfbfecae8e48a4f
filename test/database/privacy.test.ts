// What is copied is nobody else's to read, can be left out, and goes where a person says so.
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());

async function done(...argv: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { code, ...said } = await here.svc(argv, { answers: [] });
  expect(code, said.stderr).toBe(0);
  return said;
}

describe('a file with records', () => {
  it.skipIf(process.platform === 'win32')('is readable only by its owner after exports, syncs and reports, with umask 0', async () => {
    const directory = join(here.home, 'export');
    const before = process.umask(0);
    try {
      await done('export', directory, 'projects', 'labels', '--format', 'sqlite');
      await done('export', join(directory, 'csv'), 'labels', '--format', 'csv');
      await done('sync', 'projects', '--to', join(directory, 'copy.sqlite'));
      await done('report', '2025-03', '--html', join(directory, 'report.html'));
      await done('week', '--html', join(directory, 'week.html'));
      await done('absences', 'calendar', '2025-03', '--html', join(directory, 'calendar.html'));
      await done('absences', 'calendar', '2025-03', '--ics', join(directory, 'calendar.ics'));
      await done('budgets', 'burn', '--html', join(directory, 'burn.html'));
    } finally {
      process.umask(before);
    }
    const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['export.sqlite', 'labels.csv', 'calendar.ics', 'burn.html']));
    for (const { name, parentPath } of files) expect([name, (await stat(join(parentPath, name))).mode & 0o777]).toEqual([name, 0o600]);
  });
});

describe('the setting sync-exclude', () => {
  const file = () => join(here.home, 'without.sqlite');
  const rows = (table: string) => {
    const database = new DatabaseSync(file(), { readOnly: true });
    const [found] = database.prepare(`SELECT count(*) AS n FROM svc_record_${table}`).all();
    database.close();
    return Number(found?.['n']);
  };

  it('leaves resources out of local databases and exports, also out of an existing database', async () => {
    await done('sync', 'absences', 'labels', '--to', file());
    expect(rows('absences')).toBeGreaterThan(0);
    await done('config', 'set', 'sync-exclude', 'absences, contact');
    expect((await done('config', 'get', 'sync-exclude')).stdout).toBe('absences contact\n');
    const { stderr } = await done('sync', 'labels', '--to', file());
    expect(stderr).toContain('svc removed absences from the local database');
    expect(() => rows('absences')).toThrow('no such table');
    const { stdout } = await done('changes', '--to', file(), '--since', '0');
    expect(stdout).toBe('');
    here.sandbox.requests.length = 0;
    const directory = join(here.home, 'all');
    await done('export', directory, '--no-children');
    const names = await readdir(directory);
    expect(names).toContain('customers.ndjson');
    expect(names).not.toContain('absences.ndjson');
    expect(names).not.toContain('contacts.ndjson');
    expect(here.sandbox.requests.filter(({ path }) => /absences|contacts/.test(path))).toEqual([]);
    const named = await here.svc(['sync', 'absences', '--to', file()]);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('The setting sync-exclude excludes absences.')]);
    await done('config', 'set', 'sync-exclude', 'absense contact');
    const slip = (await done('sync', 'users', '--to', file())).stderr;
    expect(slip).toMatch(/names "absense", which is not a resource here, so the name excludes\s+nothing\.\s+Did\s+you mean absences\?/);
    expect(slip).not.toContain('names "contact"');
    const strange = await here.svc(['config', 'set', 'sync-exclude', 'a/b']);
    expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining('"a/b" is not the name of a resource.')]);
    await done('config', 'unset', 'sync-exclude');
  });

  it('leaves out child records by the names of parent and child, and keeps other child records', async () => {
    await done('config', 'set', 'sync-exclude', 'work-items.comments');
    const directory = join(here.home, 'children');
    await done('export', directory, 'work-items');
    const names = await readdir(directory);
    expect(names).toEqual(expect.arrayContaining(['work-items.ndjson', 'work-items.attachments.ndjson']));
    expect(names).not.toContain('work-items.comments.ndjson');
    await done('config', 'unset', 'sync-exclude');
  });
});

describe('svc logout', () => {
  const copies = async () => {
    const names = await readdir(join(here.home, '.local', 'state', 'svc', 'mirror')).catch(() => []);
    return names.filter((name) => name.endsWith('.sqlite')).length;
  };

  it('asks at a terminal whether to remove the local database, and in a pipe prints the command', async () => {
    await done('sync', 'labels');
    const history = join(here.home, '.local', 'state', 'svc', 'sql-history');
    await writeFile(history, 'SELECT 1;\n');
    const stored = await here.svc(['logout']);
    expect(existsSync(history)).toBe(false);
    expect(stored.stderr).toMatch(/svc keeps the local database \S+\. To remove it: svc sync --forget --to \S+\n$/);
    expect(await copies()).toBe(1);
    await done('login', here.host);
    const asked = await here.svc(['logout'], { answers: [false] });
    expect(asked.stderr).toContain('Remove the local database of');
    expect(await copies()).toBe(1);
    await done('login', here.host);
    expect((await here.svc(['logout'], { answers: [true] })).stderr).toContain('Removed the local database.');
    expect(await copies()).toBe(0);
    await done('login', here.host);
    expect((await here.svc(['logout'], { answers: [] })).stderr).toBe(`Signed out of ${here.host}.\n`);
    await done('login', here.host);
    await done('sync', 'labels');
    // As a sync into a database leaves them that was killed while it read.
    const state = join(here.home, '.local', 'state', 'svc', 'mirror');
    const [own = ''] = (await readdir(state)).filter((name) => name.endsWith('.sqlite'));
    await mkdir(join(state, own.replace('.sqlite', '-0123456789abcdef.sync')));
    expect((await here.svc(['logout', '--yes'], { answers: [] })).stderr).toContain('Removed the local database.');
    expect(await readdir(state)).toEqual([]);
    await done('login', here.host);
  });

  it('prints a command that removes the local database after the logout', async () => {
    await done('sync', 'labels');
    const { stderr } = await here.svc(['logout']);
    const [, path = ''] = /--to (\S+)\n$/.exec(stderr) ?? [];
    await done('sync', '--forget', '--to', path);
    expect(await copies()).toBe(0);
  });
});
