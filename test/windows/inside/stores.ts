/**
 * Tests the token stores on Windows: the real Credential Manager through the real keytar, and files.
 * test/windows/machine.ts bundles this file with contract-tools.ts in place of vitest, and Node for Windows runs it.
 */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import keytar from 'keytar';
import { createFileStore } from '../../../src/auth/stores/file-store.ts';
import { KEYCHAIN_SERVICE } from '../../../src/auth/stores/keychain-chunks.ts';
import { createKeychainStore } from '../../../src/auth/stores/keychain-store.ts';
import type { Keychain } from '../../../src/deps.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { nodeFiles } from '../../../src/system/files.ts';
import { openKeychain } from '../../../src/system/keychain.ts';
import { sampleRecord, storeContract } from '../../auth/fixtures/store-contract.ts';
import { runTests, test } from './contract-tools.ts';

const HOST = 'acme.example.com';
const keychain = await openKeychain(process.platform, (call) => call);
let directory = '';

const keychainStore = (over: Keychain = keychain) =>
  createKeychainStore({
    open: async () => over,
    platform: process.platform,
    files: nodeFiles(),
    directory: join(directory, 'keychain'),
    lock: { clock: systemClock },
    notify: () => undefined,
  });

const accounts = async () => (await keytar.findCredentials(KEYCHAIN_SERVICE)).map(({ account }) => account).sort();

/** Returns the keychain of a process that dies before its n-th change. */
function mortal(changes: number): Keychain {
  let left = changes;
  const live = () => {
    if (left-- <= 0) throw new Error('died here');
  };
  return {
    ...keychain,
    async set(...entry) {
      live();
      await keychain.set(...entry);
    },
    async delete(...entry) {
      if ((await keychain.get(...entry)) === undefined) return false;
      live();
      return keychain.delete(...entry);
    },
  };
}

storeContract(async () => keychainStore());
storeContract(async () => createFileStore(nodeFiles(), join(directory, 'tokens'), process.platform));

// Wine accepts longer entries than Windows, so this test can’t show the limit.
test('an entry of the Credential Manager stores the 2,560 bytes that svc puts into one entry', async () => {
  const limit = keychain.maxBytes ?? 0;
  await keychain.set(KEYCHAIN_SERVICE, 'limit', 'x'.repeat(limit));
  deepStrictEqual(await keychain.get(KEYCHAIN_SERVICE, 'limit'), 'x'.repeat(limit));
});

test('the keychain store splits a value that is too long for one entry, and removes every piece', async () => {
  const record = sampleRecord(`https://${HOST}`, 'x', 9_000);
  await keychainStore().write(record);
  ok((await accounts()).length > 4);
  deepStrictEqual(await keychainStore().read(HOST), record);
  await keychainStore().remove(HOST);
  deepStrictEqual(await accounts(), []);
});

test('a write that dies at any step leaves the old or the new record, and the next write completes', async () => {
  const [before, after, tidy] = ['before', 'after', 'tidy'].map((marker, index) =>
    sampleRecord(`https://${HOST}`, marker, 6_000 + index * 1_000),
  );
  if (before === undefined || after === undefined || tidy === undefined) throw new Error('three records');
  let step = 0;
  for (let whole = false; !whole; step++) {
    await keychainStore().write(before);
    whole = await keychainStore(mortal(step))
      .write(after)
      .then(
        () => true,
        () => false,
      );
    const read = await keychainStore().read(HOST);
    deepStrictEqual(read, whole || read?.grant?.refresh_token === after.grant?.refresh_token ? after : before);
    await keychainStore().write(tidy);
    deepStrictEqual(await keychainStore().read(HOST), tidy);
    await keychainStore().remove(HOST);
    deepStrictEqual(await accounts(), []);
  }
  ok(step > 4);
});

test('svc does not report a token file as open to others, because Windows has no file modes', async () => {
  const store = createFileStore(nodeFiles(), join(directory, 'tokens'), process.platform);
  await store.write(sampleRecord(`https://${HOST}`));
  deepStrictEqual(await store.exposed(HOST), []);
});

await runTests(async () => {
  for (const account of await accounts()) await keytar.deletePassword(KEYCHAIN_SERVICE, account);
  if (directory !== '') await rm(directory, { recursive: true });
  directory = await mkdtemp(join(tmpdir(), 'svc-stores-'));
});
for (const account of await accounts()) await keytar.deletePassword(KEYCHAIN_SERVICE, account);
