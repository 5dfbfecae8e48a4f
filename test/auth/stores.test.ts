import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFileStore } from '../../src/auth/stores/file-store.ts';
import { createKeychainStore } from '../../src/auth/stores/keychain-store.ts';
import { fileNameOf, hostOfFileName } from '../../src/auth/stores/token-store.ts';
import { type Keychain, KeychainUnavailable } from '../../src/deps.ts';
import { SignInError, SvcError } from '../../src/errors.ts';
import { systemClock } from '../../src/system/clock.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { createManualClock } from '../support/clock.ts';
import { createFakeKeychain, type FakeKeychain } from './fixtures/fake-keychain.ts';
import { sampleRecord, storeContract } from './fixtures/store-contract.ts';

const HOST = 'acme.example.com';
const record = sampleRecord(`https://${HOST}`);
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-stores-'));
  return () => rm(directory, { recursive: true });
});

const fileStore = () => createFileStore(nodeFiles(), join(directory, 'tokens'), 'linux');

function keychainStore(keychain: Keychain, notify: (line: string) => void = () => undefined) {
  return createKeychainStore({
    open: async () => keychain,
    platform: 'linux',
    files: nodeFiles(),
    directory: join(directory, 'keychain'),
    lock: { clock: systemClock },
    notify,
  });
}

describe('the file store', () => {
  storeContract(async () => fileStore());

  test('writes one file per host with mode 0600, in a directory of 0700', async () => {
    await fileStore().write(record);
    const tokens = join(directory, 'tokens');
    expect(await readdir(tokens)).toEqual([`${HOST}.json`]);
    expect((await stat(tokens)).mode & 0o777).toBe(0o700);
    expect((await stat(join(tokens, `${HOST}.json`))).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['invalid JSON', 'secret-text{'],
    ['half a record', '{"version":1,"host":"acme.example.com","origin":"https://acme.example.com","grant":{"access_token":"secret-text"}}'],
    ["another host's record", JSON.stringify({ ...record, host: 'other.example.com' })],
    ['an empty file', ''],
  ])('reports a file with %s as damaged, without quoting its content', async (_name, content) => {
    await fileStore().write(record);
    await writeFile(join(directory, 'tokens', `${HOST}.json`), content);
    const failure: unknown = await fileStore()
      .read(HOST)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SvcError);
    expect(failure).toMatchObject({ message: expect.stringContaining('damaged'), hint: expect.stringContaining(`svc logout ${HOST}`) });
    expect(JSON.stringify([String(failure), failure])).not.toContain('secret-text');
  });

  test('suggests an update for a sign-in record of a later version', async () => {
    await fileStore().write(record);
    await writeFile(join(directory, 'tokens', `${HOST}.json`), JSON.stringify({ ...record, version: 2 }));
    await expect(fileStore().read(HOST)).rejects.toMatchObject({ hint: 'Update svc.' });
  });

  test('reports a file that others can read, and makes the file private at the next write', async () => {
    const store = fileStore();
    await store.write(record);
    expect(await store.exposed(HOST)).toEqual([]);
    await chmod(join(directory, 'tokens', `${HOST}.json`), 0o640);
    expect(await store.exposed(HOST)).toEqual([join(directory, 'tokens', `${HOST}.json`)]);
    await store.write(record);
    expect(await store.exposed(HOST)).toEqual([]);
  });

  test('reports an unwritable directory at a trial write', async () => {
    await writeFile(join(directory, 'tokens'), 'a file where the directory should be');
    await expect(fileStore().probe()).rejects.toMatchObject({ name: 'SvcError', message: expect.stringContaining('svc cannot write to') });
  });

  test('deletes the leftover temporary files of only the written or removed host', async () => {
    const store = fileStore();
    const tokens = join(directory, 'tokens');
    const others = ['.other.example.com.json.00.tmp', `.${HOST}.jsonx.00.tmp`];
    for (const change of [() => store.write(record), () => store.remove(HOST)]) {
      await store.write(record);
      for (const name of [`.${HOST}.json.0123.tmp`, ...others]) await writeFile(join(tokens, name), 'half a secret');
      await change();
      expect((await readdir(tokens)).filter((name) => name.endsWith('.tmp'))).toEqual([...others].sort());
    }
  });

  test('lists no host for other files in its directory', async () => {
    await fileStore().write(record);
    for (const name of ['notes.txt', '%zz.json', 'A B.json', '.hidden.tmp']) await writeFile(join(directory, 'tokens', name), '{}');
    expect(await fileStore().hosts()).toEqual([HOST]);
  });

  test.each(['acme.example.com', '127.0.0.1:4010', '[::1]:4010', 'https://localhost:8443', '..', 'a*b'])(
    'turns %s into a file name, and the file name back into the host',
    (host) => {
      expect(fileNameOf(host)).toMatch(/^[\w.%-]+$/);
      expect(hostOfFileName(fileNameOf(host))).toBe(host);
    },
  );
});

describe.each([
  ['a keychain without a size limit', undefined],
  ['a keychain of 2,560 bytes an entry', 2_560],
  ['a keychain of 500 bytes an entry', 500],
])('the keychain store with %s', (_name, maxBytes) => {
  let keychain: FakeKeychain;
  beforeEach(() => {
    keychain = createFakeKeychain(maxBytes);
  });
  storeContract(async () => keychainStore(keychain));

  test('leaves no entry in the keychain after a removal', async () => {
    const store = keychainStore(keychain);
    for (const size of [9_000, 100, 6_000]) await store.write(sampleRecord(`https://${HOST}`, 'x', size));
    await store.probe();
    await store.remove(HOST);
    expect([...keychain.entries.keys()]).toEqual([]);
  });

  test('has an index with host names and no secret', async () => {
    await keychainStore(keychain).write(record);
    const index = await readFile(join(directory, 'keychain', 'hosts.json'), 'utf8');
    expect(JSON.parse(index)).toEqual({ version: 1, hosts: [HOST] });
  });

  test('fails at a read from a locked keychain, instead of finding no sign-in', async () => {
    const store = keychainStore(keychain);
    await store.write(record);
    keychain.locked = true;
    const failure: unknown = await store.read(HOST).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure).toMatchObject({ message: expect.stringContaining('is locked'), hint: expect.stringContaining('Unlock the keychain') });
    expect(await store.read('never.example.com')).toBeUndefined();
    expect(await store.hosts()).toEqual([HOST]);
  });

  test('fails at a removal from a locked keychain, and keeps the sign-in record', async () => {
    const store = keychainStore(keychain);
    await store.write(record);
    keychain.locked = true;
    await expect(store.remove(HOST)).rejects.toBeInstanceOf(SignInError);
    keychain.locked = false;
    expect(await store.read(HOST)).toEqual(record);
  });

  test('removes a host whose keychain entry was deleted by hand', async () => {
    const store = keychainStore(keychain);
    await store.write(record);
    keychain.entries.clear();
    expect(await store.remove(HOST)).toBe(true);
    expect(await store.hosts()).toEqual([]);
  });

  test('fails at a trial write to a locked keychain', async () => {
    keychain.locked = true;
    await expect(keychainStore(keychain).probe()).rejects.toMatchObject({ message: expect.stringContaining('locked collection') });
  });

  test('has the old or new sign-in record after a write that fails at any step', async () => {
    const before = sampleRecord(`https://${HOST}`, 'before', 6_000);
    const after = sampleRecord(`https://${HOST}`, 'after', 7_000);
    const tidy = sampleRecord(`https://${HOST}`, 'tidy', 8_000);
    let step = 0;
    for (let whole = false; !whole; step++) {
      keychain.entries.clear();
      keychain.changesLeft = Number.POSITIVE_INFINITY;
      const store = keychainStore(keychain);
      await store.write(before);
      keychain.changesLeft = step;
      whole = await store.write(after).then(
        () => true,
        () => false,
      );
      keychain.changesLeft = Number.POSITIVE_INFINITY;
      const read = await store.read(HOST);
      expect([before, after]).toContainEqual(read);
      if (whole) expect(read).toEqual(after);
      await store.write(tidy);
      expect(await store.read(HOST)).toEqual(tidy);
      await store.remove(HOST);
      expect([...keychain.entries.keys()]).toEqual([]);
    }
    expect(step).toBeGreaterThan(maxBytes === undefined ? 1 : 4);
  });
});

describe('a sign-in record in several keychain entries', () => {
  test('is read completely when two writes replace the entries during the read', async () => {
    const keychain = createFakeKeychain(500);
    const writer = keychainStore(keychain);
    await writer.write(sampleRecord(`https://${HOST}`, 'first', 3_000));
    let overtakes = 0;
    const reader = keychainStore({
      ...keychain,
      async get(service, account) {
        // After the header and one entry were read, two writes replace both sets of entries.
        if (account.endsWith('2') && overtakes++ === 0) {
          await writer.write(sampleRecord(`https://${HOST}`, 'second', 3_000));
          await writer.write(sampleRecord(`https://${HOST}`, 'third', 3_000));
        }
        return keychain.get(service, account);
      },
    });
    expect(await reader.read(HOST)).toEqual(sampleRecord(`https://${HOST}`, 'third', 3_000));
  });

  test.each([
    ['a piece is missing', (entries: Map<string, string>) => entries.delete(`${HOST}#a2`)],
    ['a piece is of another write', (entries: Map<string, string>) => entries.set(`${HOST}#a2`, 'something else')],
    ['the header is cut short', (entries: Map<string, string>) => entries.set(HOST, 'svc-pieces:{"set":')],
  ])('is reported as incomplete when %s', async (_name, damage) => {
    const keychain = createFakeKeychain(500);
    await keychainStore(keychain).write(sampleRecord(`https://${HOST}`, 'x', 3_000));
    damage(keychain.entries);
    await expect(keychainStore(keychain).read(HOST)).rejects.toMatchObject({ message: expect.stringContaining('is incomplete') });
  });
});

describe('the wait for a keychain', () => {
  const hanging: Keychain = { ...createFakeKeychain(), get: () => new Promise(() => undefined), set: () => new Promise(() => undefined) };

  function slowStore(clock = createManualClock(), signal?: AbortSignal, lines: string[] = []) {
    return createKeychainStore({
      open: async () => hanging,
      platform: 'darwin',
      files: nodeFiles(),
      directory,
      lock: { clock, signal },
      notify: (line) => lines.push(line),
    });
  }

  test('causes one notice after two seconds, and ends at Ctrl-C', async () => {
    const clock = createManualClock();
    const controller = new AbortController();
    const lines: string[] = [];
    const probing = slowStore(clock, controller.signal, lines).probe();
    await clock.sleeping(2_000);
    clock.advance(1_999);
    expect(lines).toEqual([]);
    clock.advance(1);
    await clock.sleeping(1_000);
    controller.abort(new Error('Ctrl-C'));
    await expect(probing).rejects.toThrow('Ctrl-C');
    expect(lines).toEqual(['Waiting up to 3 s for the Secret Service keyring. Unlock the keychain if a window asks you to do so.']);
  });

  test('ends after three seconds with an error, and a second wait fails at once', async () => {
    const clock = createManualClock();
    const store = slowStore(clock);
    const probing = store.probe();
    await clock.sleeping(2_000);
    clock.advance(2_000);
    await clock.sleeping(1_000);
    clock.advance(1_000);
    const silent = {
      name: 'SilentKeychainError',
      message: 'The Secret Service keyring did not answer within 3 s: the keychain is locked or hangs.',
    };
    await expect(probing).rejects.toMatchObject(silent);
    await expect(store.probe()).rejects.toMatchObject(silent);
  });

  test('causes no notice when the keychain answers at once', async () => {
    const lines: string[] = [];
    await keychainStore(createFakeKeychain(), (line) => lines.push(line)).probe();
    expect(lines).toEqual([]);
  });
});

test('the error for a keychain that svc cannot open names the keychain of the system', async () => {
  const store = createKeychainStore({
    open: async () => {
      throw new KeychainUnavailable('the module "keytar" is not installed');
    },
    platform: 'win32',
    files: nodeFiles(),
    directory,
    lock: { clock: systemClock },
    notify: () => undefined,
  });
  await expect(store.probe()).rejects.toMatchObject({
    name: 'SignInError',
    message: 'svc cannot open the Windows Credential Manager: the module "keytar" is not installed.',
  });
  expect(await store.read(HOST)).toBeUndefined();
});

test('svc reports a damaged list of hosts, and names the file to remove', async () => {
  await writeFile(join(directory, 'hosts.json'), '{"hosts":"all"}');
  const store = createKeychainStore({
    open: async () => createFakeKeychain(),
    platform: 'linux',
    files: nodeFiles(),
    directory,
    lock: { clock: systemClock },
    notify: () => undefined,
  });
  await expect(store.hosts()).rejects.toMatchObject({
    message: expect.stringContaining('damaged'),
    hint: expect.stringContaining('Remove that file'),
  });
});
