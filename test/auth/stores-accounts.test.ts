import { access, chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccounts } from '../../src/auth/accounts.ts';
import { KeychainUnavailable } from '../../src/deps.ts';
import { SignInError, UsageError } from '../../src/errors.ts';
import { createAuthWorld, recordFor } from './fixtures/auth-world.ts';
import { createFakeKeychain } from './fixtures/fake-keychain.ts';

const HOST = 'acme.example.com';
const record = recordFor(`https://${HOST}`);

test('a new sign-in goes to the keychain, without a word', async () => {
  const keychain = createFakeKeychain();
  const { accounts, notices } = await createAuthWorld({ keychain });
  const store = await accounts.storeForLogin();
  await accounts.update(HOST, () => record, { store });
  expect(await accounts.hosts()).toEqual([{ host: HOST, kind: 'keychain', where: 'Secret Service keyring' }]);
  expect((await accounts.find(HOST))?.record).toEqual(record);
  expect([...keychain.entries.keys()]).toEqual([HOST]);
  expect(notices).toEqual([]);
});

test('without a keychain it goes to a file, and each login says so and why', async () => {
  const { accounts, notices, paths } = await createAuthWorld();
  for (let login = 0; login < 2; login++) await accounts.update(HOST, () => record, { store: await accounts.storeForLogin() });
  expect(await accounts.hosts()).toEqual([{ host: HOST, kind: 'file', where: paths.tokens }]);
  expect(notices).toHaveLength(2);
  expect(notices[0]).toContain(paths.tokens);
  expect(notices[0]).toContain('there is none in this test');
});

test('a keychain that is locked fails the login: nothing falls back to files', async () => {
  const keychain = createFakeKeychain();
  keychain.locked = true;
  const { accounts, notices, paths } = await createAuthWorld({ keychain });
  await expect(accounts.storeForLogin()).rejects.toMatchObject({
    message: expect.stringContaining('locked'),
    hint: expect.stringContaining('SVC_TOKEN_STORE=file'),
  });
  expect(notices).toEqual([]);
  await expect(access(paths.tokens)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each(['Cannot autolaunch D-Bus without X11 $DISPLAY', 'The name org.freedesktop.secrets was not provided by any .service files'])(
  'a keychain whose every call fails as there is none counts as none: %s',
  async (message) => {
    const keychain = { ...createFakeKeychain(), set: () => Promise.reject(new KeychainUnavailable(message)) };
    const { accounts, notices } = await createAuthWorld({ keychain });
    expect((await accounts.storeForLogin()).kind).toBe('file');
    expect(notices).toEqual([expect.stringContaining(message.slice(0, 20))]);
  },
);

test('SVC_TOKEN_STORE=keychain does not fall back', async () => {
  const { accounts } = await createAuthWorld({ store: 'keychain' });
  await expect(accounts.storeForLogin()).rejects.toBeInstanceOf(SignInError);
});

test('SVC_TOKEN_STORE=file never opens the keychain', async () => {
  const world = await createAuthWorld({ store: 'file' });
  const accounts = createAccounts({ ...world.deps, keychain: () => Promise.reject(new Error('opened')) }, world.paths, () => undefined);
  await accounts.update(HOST, () => record);
  expect((await accounts.find(HOST))?.store.kind).toBe('file');
  expect(await accounts.forget(HOST)).toBe(true);
});

test('SVC_TOKEN_STORE=elsewhere is refused', async () => {
  await expect(createAuthWorld({ store: 'elsewhere' })).rejects.toBeInstanceOf(UsageError);
});

test('a host that was never signed in to opens no keychain', async () => {
  const world = await createAuthWorld();
  const accounts = createAccounts({ ...world.deps, keychain: () => Promise.reject(new Error('opened')) }, world.paths, () => undefined);
  expect(await accounts.find(HOST)).toBeUndefined();
  expect(await accounts.hosts()).toEqual([]);
  expect(await accounts.forget(HOST)).toBe(false);
});

test('a login with a keychain takes over what an earlier one without left in a file', async () => {
  const { accounts, directory, paths } = await createAuthWorld();
  await accounts.update(HOST, () => ({ ...record, personal: { token: 'kept', added_at: 1 } }));
  const later = await createAuthWorld({ directory, keychain: createFakeKeychain() });
  const store = await later.accounts.storeForLogin();
  await later.accounts.update(HOST, (old) => ({ ...record, ...(old?.personal && { personal: old.personal }) }), { store });
  expect(await later.accounts.hosts()).toMatchObject([{ host: HOST, kind: 'keychain' }]);
  expect((await later.accounts.find(HOST))?.record.personal?.token).toBe('kept');
  await expect(access(join(paths.tokens, `${HOST}.json`))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('tokens in a file stay there when a keychain appears: only a login moves them', async () => {
  const { accounts, directory } = await createAuthWorld();
  await accounts.update(HOST, () => record);
  const later = await createAuthWorld({ directory, keychain: createFakeKeychain() });
  await later.accounts.update(HOST, (old) => old && { ...old, account: { user_name: 'Ada' } });
  expect((await later.accounts.find(HOST))?.store.kind).toBe('file');
});

test('a login replaces a record that cannot be read, and says so; any other change does not', async () => {
  const { accounts, paths, notices } = await createAuthWorld({ store: 'file' });
  await mkdir(paths.tokens, { recursive: true, mode: 0o700 });
  await writeFile(join(paths.tokens, `${HOST}.json`), 'garbage');
  await expect(accounts.find(HOST)).rejects.toThrow('damaged');
  await expect(accounts.update(HOST, () => record)).rejects.toThrow('damaged');
  await accounts.update(HOST, () => record, { store: await accounts.storeForLogin() });
  expect((await accounts.find(HOST))?.record).toEqual(record);
  expect(notices).toEqual([expect.stringContaining('damaged')]);
});

test('forgets a record that cannot be read', async () => {
  const { accounts, paths } = await createAuthWorld({ store: 'file' });
  await mkdir(paths.tokens, { recursive: true, mode: 0o700 });
  await writeFile(join(paths.tokens, `${HOST}.json`), 'garbage');
  expect(await accounts.forget(HOST)).toBe(true);
  expect(await accounts.hosts()).toEqual([]);
});

test('forgetting reaches both stores, so that nothing old comes back', async () => {
  const keychain = createFakeKeychain();
  const inKeychain = await createAuthWorld({ keychain, store: 'keychain' });
  const { directory } = inKeychain;
  await inKeychain.accounts.update(HOST, () => record);
  const inFile = await createAuthWorld({ directory, store: 'file' });
  await inFile.accounts.update(HOST, () => record);
  const { accounts } = await createAuthWorld({ directory, keychain });
  expect(await accounts.forget(HOST)).toBe(true);
  expect(await accounts.hosts()).toEqual([]);
  expect(keychain.entries.size).toBe(0);
});

test('a keychain that swallows what is written fails the login', async () => {
  const keychain = createFakeKeychain();
  const { accounts } = await createAuthWorld({ keychain, store: 'keychain' });
  const store = await accounts.storeForLogin();
  const set = keychain.set;
  keychain.set = (service, account, secret) => set(service, account, secret.replace('access-0', 'access-X'));
  await expect(accounts.update(HOST, () => record, { store })).rejects.toThrow('returned something else');
});

test('changes of one host happen one after the other: no update is lost', async () => {
  const { accounts } = await createAuthWorld({ store: 'file' });
  await accounts.update(HOST, () => ({ ...record, account: { user_id: 0 } }));
  const add = () => accounts.update(HOST, (old) => old && { ...old, account: { user_id: (old.account?.user_id ?? 0) + 1 } });
  await Promise.all(Array.from({ length: 10 }, add));
  expect((await accounts.find(HOST))?.record.account?.user_id).toBe(10);
});

test('a reader that comes in the middle of a logout waits for its end: not signed in, and not "locked"', async () => {
  const keychain = createFakeKeychain();
  const { accounts } = await createAuthWorld({ keychain, store: 'keychain' });
  await accounts.update(HOST, () => record);
  let found: Promise<unknown> = Promise.resolve();
  const forget = keychain.delete;
  keychain.delete = async (service, account) => {
    const gone = await forget(service, account);
    const read = Promise.withResolvers<void>();
    const { get } = keychain;
    keychain.get = (...entry) => get(...entry).finally(read.resolve);
    found = accounts.find(HOST);
    // The reader has seen that there is nothing; the index still lists the host.
    await read.promise;
    return gone;
  };
  await accounts.forget(HOST);
  await expect(found).resolves.toBeUndefined();
});

test('a change that returns nothing forgets the host', async () => {
  const { accounts } = await createAuthWorld({ store: 'file' });
  await accounts.update(HOST, () => record);
  expect(await accounts.update(HOST, () => undefined)).toBeUndefined();
  expect(await accounts.find(HOST)).toBeUndefined();
});

test('a file that others may read is closed, and said', async () => {
  const { accounts, paths, notices } = await createAuthWorld({ store: 'file' });
  await accounts.update(HOST, () => record);
  const path = join(paths.tokens, `${HOST}.json`);
  await chmod(path, 0o644);
  expect((await accounts.find(HOST))?.record).toEqual(record);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(notices).toEqual([expect.stringContaining(`Others on this machine could get at ${path}`)]);
});
