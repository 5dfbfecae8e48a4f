import { chmod, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountPath } from '../../src/config/account-path.ts';
import { setAside } from '../../src/journal/connection.ts';
import type { Journal } from '../../src/journal/open-journal.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { createManualClock, type ManualClock } from '../support/clock.ts';
import { aWrite } from './fixtures/entries.ts';

const START = Date.UTC(2026, 0, 15, 9);

let directory: string;
let path: string;
let clock: ManualClock;
let said: string[];
let open: Journal[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-journal-'));
  path = join(directory, 'state', 'journal', 'acme.sqlite');
  clock = createManualClock(START, true);
  said = [];
  open = [];
});
afterEach(async () => {
  for (const journal of open) journal.close();
  await rm(directory, { recursive: true });
});

/** Another svc: its own connection, its own sender. */
async function openAnother(): Promise<Journal> {
  const journal = await openJournal(path, { clock, onSetAside: (line) => said.push(line) });
  open.push(journal);
  return journal;
}

describe('the journal file', () => {
  test('is readable only by its owner, like the files next to the journal', async () => {
    const before = process.umask(0);
    try {
      const journal = await openAnother();
      await journal.begin(aWrite());
      const names = await readdir(dirname(path));
      expect(names).toContain('acme.sqlite-wal');
      for (const name of names) expect([name, (await stat(join(dirname(path), name))).mode & 0o777]).toEqual([name, 0o600]);
      expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  test('gets the mode 0600 again when svc opens the file', async () => {
    (await openAnother()).close();
    await chmod(path, 0o644);
    await openAnother();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('exists once for each account and organisation, and its name does not contain the account', () => {
    const paths = [
      accountPath('/s', 'journal', 'https://acme.example.com', '12'),
      accountPath('/s', 'journal', 'https://acme.example.com', '13'),
      accountPath('/s', 'journal', 'https://beta.example.com', '12'),
      accountPath('/s', 'journal', 'http://127.0.0.1:4010', 'a-long-secret'),
    ];
    expect(new Set(paths).size).toBe(4);
    expect(paths[0]).toMatch(/^\/s\/journal\/acme\.example\.com-[0-9a-f]{32}\.sqlite$/);
    expect(paths[3]).toMatch(/^\/s\/journal\/127\.0\.0\.1_4010-[0-9a-f]{32}\.sqlite$/);
  });

  test.each([
    ['garbage', async () => writeFile(path, 'x'.repeat(5000), { mode: 0o600 })],
    ['a database with its pages overwritten', () => overwritePages()],
    ['a truncated database', () => cutShort()],
  ])('is moved away with a message, and svc starts a new journal, when the file is %s', async (_name, damage) => {
    const first = await openAnother();
    for (let count = 0; count < 40; count++) await first.begin(aWrite());
    first.close();
    foldLog();
    await damage();
    const journal = await openAnother();
    const number = await journal.begin(aWrite());
    expect(await journal.history()).toMatchObject([{ number, outcome: 'sent' }]);
    const aside = `${path}.damaged-${START}`;
    expect(said).toEqual([expect.stringMatching(`${path} was damaged. svc moved the file to ${aside}, and started a new journal`)]);
    expect((await stat(aside)).mode & 0o777).toBe(0o600);
  });

  /** Whatever stands in the log still is read from there, and its damage in the file itself shows nowhere. */
  function foldLog(): void {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  }

  test('is repaired from its write-ahead log, which svc keeps while the log is small', async () => {
    const first = await openAnother();
    const number = await first.begin(aWrite());
    first.close();
    expect(await readdir(dirname(path))).toContain('acme.sqlite-wal');
    await writeFile(path, 'x'.repeat(5000));
    expect(await (await openAnother()).history()).toMatchObject([{ number }]);
    expect(said).toEqual([]);
  });

  test('gets all entries of a large write-ahead log when svc closes the file', async () => {
    const first = await openAnother();
    for (let count = 0; count < 60; count++) await first.begin(aWrite({ body: Buffer.alloc(20_000) }));
    first.close();
    expect(await readdir(dirname(path))).toEqual(['acme.sqlite', 'acme.sqlite.sender-1']);
    expect(await (await openAnother()).history()).toHaveLength(60);
  });

  async function overwritePages(): Promise<void> {
    const pages = await stat(path);
    const database = new DatabaseSync(path);
    const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
    database.close();
    const bytes = Buffer.alloc(pages.size - size, 0xa5);
    const { open: openFile } = await import('node:fs/promises');
    const file = await openFile(path, 'r+');
    await file.write(bytes, 0, bytes.length, size);
    await file.close();
  }

  async function cutShort(): Promise<void> {
    await truncate(path, 8192 + 100);
  }

  test('is replaced once when two connections find the damage at the same time', async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'x'.repeat(5000));
    const [one, other] = await Promise.all([openAnother(), openAnother()]);
    const first = await one.begin(aWrite());
    const second = await other.begin(aWrite());
    expect((await other.history()).map(({ number }) => number)).toEqual([second, first]);
    expect(said).toHaveLength(1);
  });

  test('stays in place when another svc has just created the file', async () => {
    (await openAnother()).close();
    expect(setAside(DatabaseSync, path, 1)).toBeUndefined();
    await writeFile(path, 'x'.repeat(5000));
    expect(setAside(DatabaseSync, path, 1)).toBe(`${path}.damaged-1`);
  });

  test('is refused with a hint, not moved away, when a newer svc wrote the file', async () => {
    (await openAnother()).close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(openAnother()).rejects.toMatchObject({ name: 'JournalError', fault: 'newer', hint: expect.any(String) });
    expect(said).toEqual([]);
  });

  test('causes an error when another connection keeps a lock for two seconds', async () => {
    const journal = await openAnother();
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    const started = clock.now();
    await expect(journal.begin(aWrite())).rejects.toMatchObject({ name: 'JournalError', fault: 'locked' });
    expect(clock.now() - started).toBeGreaterThanOrEqual(2000);
    expect(clock.now() - started).toBeLessThan(2200);
    holder.exec('ROLLBACK');
    holder.close();
    expect(await journal.begin(aWrite())).toBe(1);
  });

  test('makes svc wait until another connection releases a lock', async () => {
    clock = createManualClock(START);
    const journal = await openJournal(path, { clock, random: () => 0.5, onSetAside: (line) => said.push(line) });
    open.push(journal);
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    const begun = journal.begin(aWrite());
    await clock.sleeping(1);
    holder.exec('COMMIT');
    holder.close();
    clock.advance(1);
    expect(await begun).toBe(1);
  });

  test.each([
    ['a file at the place of its directory', 'JournalError', () => writeFile(join(directory, 'state'), '')],
    ['a directory at the place of the file', 'SvcError', () => mkdir(path, { recursive: true })],
  ])('causes an error that names the path for %s', async (_name, name, spoil) => {
    await spoil();
    await expect(openAnother()).rejects.toMatchObject({ name, message: expect.stringContaining(path) });
  });
});
