import { access, chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccounts } from '../../src/auth/accounts.ts';
import { KeychainUnavailable } from '../../src/deps.ts';
import { SignInError, UsageError } from '../../src/errors.ts';
import { createAuthScenario, recordFor } from './fixtures/auth-scenario.ts';
import { createFakeKeychain } from './fixtures/fake-keychain.ts';

const HOST = 'acme.example.com';
const record = recordFor(`https://${HOST}`);

test('a login stores the tokens in the keychain without a notice', async () => {
  const keychain = createFakeKeychain();
  const { accounts, notices } = await createAuthScenario({ keychain });
  const store = await accounts.storeForLogin();
  await accounts.update(HOST, () => record, { store });
  expect(await accounts.hosts()).toEqual([{ host: HOST, kind: 'keychain', where: 'Secret Service keyring' }]);
  expect((await accounts.find(HOST))?.record).toEqual(record);
  expect([...keychain.entries.keys()]).toEqual([HOST]);
  expect(notices).toEqual([]);
});

test('a login without a keychain stores the tokens in a file, and prints the path and the reason', async () => {
  const { accounts, notices, paths } = await createAuthScenario();
  for (let login = 0; login < 2; login++) await accounts.update(HOST, () => record, { store: await accounts.storeForLogin() });
  expect(await accounts.hosts()).toEqual([{ host: HOST, kind: 'file', where: paths.tokens }]);
  expect(notices).toHaveLength(2);
  expect(notices[0]).toContain(paths.tokens);
  expect(notices[0]).toContain('there is none in this test');
});

test('a locked keychain fails the login and stores nothing in files', async () => {
  const keychain = createFakeKeychain();
  keychain.locked = true;
  const { accounts, notices, paths } = await createAuthScenario({ keychain });
  await expect(accounts.storeForLogin()).rejects.toMatchObject({
    message: expect.stringContaining('locked'),
    hint: expect.stringContaining('SVC_TOKEN_STORE=file'),
  });
  expect(notices).toEqual([]);
  await expect(access(paths.tokens)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each(['Cannot autolaunch D-Bus without X11 $DISPLAY', 'The name org.freedesktop.secrets was not provided by any .service files'])(
  'a keychain that fails with "%s" counts as missing',
  async (message) => {
    const keychain = { ...createFakeKeychain(), set: () => Promise.reject(new KeychainUnavailable(message)) };
    const { accounts, notices } = await createAuthScenario({ keychain });
    expect((await accounts.storeForLogin()).kind).toBe('file');
    expect(notices).toEqual([expect.stringContaining(message.slice(0, 20))]);
  },
);

test('a login with SVC_TOKEN_STORE=keychain fails when there is no keychain', async () => {
  const { accounts } = await createAuthScenario({ store: 'keychain' });
  await expect(accounts.storeForLogin()).rejects.toBeInstanceOf(SignInError);
});

test('svc with SVC_TOKEN_STORE=file never opens the keychain', async () => {
  const scenario = await createAuthScenario({ store: 'file' });
  const accounts = createAccounts(
    { ...scenario.deps, keychain: () => Promise.reject(new Error('opened')) },
    scenario.paths,
    () => undefined,
  );
  await accounts.update(HOST, () => record);
  expect((await accounts.find(HOST))?.store.kind).toBe('file');
  expect(await accounts.forget(HOST)).toBe(true);
});

test('svc refuses SVC_TOKEN_STORE=elsewhere', async () => {
  await expect(createAuthScenario({ store: 'elsewhere' })).rejects.toBeInstanceOf(UsageError);
});

test('svc opens no keychain for a host without a sign-in', async () => {
  const scenario = await createAuthScenario();
  const accounts = createAccounts(
    { ...scenario.deps, keychain: () => Promise.reject(new Error('opened')) },
    scenario.paths,
    () => undefined,
  );
  expect(await accounts.find(HOST)).toBeUndefined();
  expect(await accounts.hosts()).toEqual([]);
  expect(await accounts.forget(HOST)).toBe(false);
});

test('a login with a keychain moves an earlier sign-in record from its file into the keychain', async () => {
  const { accounts, directory, paths } = await createAuthScenario();
  await accounts.update(HOST, () => ({ ...record, personal: { token: 'kept', added_at: 1 } }));
  const later = await createAuthScenario({ directory, keychain: createFakeKeychain() });
  const store = await later.accounts.storeForLogin();
  await later.accounts.update(HOST, (old) => ({ ...record, ...(old?.personal && { personal: old.personal }) }), { store });
  expect(await later.accounts.hosts()).toMatchObject([{ host: HOST, kind: 'keychain' }]);
  expect((await later.accounts.find(HOST))?.record.personal?.token).toBe('kept');
  await expect(access(join(paths.tokens, `${HOST}.json`))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a login whose write to the keychain fails leaves the earlier sign-in record in its file', async () => {
  const { accounts, directory } = await createAuthScenario();
  await accounts.update(HOST, () => record);
  const keychain = createFakeKeychain();
  const later = await createAuthScenario({ directory, keychain });
  const store = await later.accounts.storeForLogin();
  keychain.changesLeft = 0;
  await expect(later.accounts.update(HOST, () => record, { store })).rejects.toThrow();
  expect((await (await createAuthScenario({ directory })).accounts.find(HOST))?.record).toEqual(record);
});

test('tokens in a file stay in the file when a keychain becomes available', async () => {
  const { accounts, directory } = await createAuthScenario();
  await accounts.update(HOST, () => record);
  const later = await createAuthScenario({ directory, keychain: createFakeKeychain() });
  await later.accounts.update(HOST, (old) => old && { ...old, account: { user_name: 'Ada' } });
  expect((await later.accounts.find(HOST))?.store.kind).toBe('file');
});

test('only a login replaces a damaged sign-in record, and prints a notice', async () => {
  const { accounts, paths, notices } = await createAuthScenario({ store: 'file' });
  await mkdir(paths.tokens, { recursive: true, mode: 0o700 });
  await writeFile(join(paths.tokens, `${HOST}.json`), 'garbage');
  await expect(accounts.find(HOST)).rejects.toThrow('damaged');
  await expect(accounts.update(HOST, () => record)).rejects.toThrow('damaged');
  await accounts.update(HOST, () => record, { store: await accounts.storeForLogin() });
  expect((await accounts.find(HOST))?.record).toEqual(record);
  expect(notices).toEqual([expect.stringContaining('damaged')]);
});

test('a logout deletes a damaged sign-in record', async () => {
  const { accounts, paths } = await createAuthScenario({ store: 'file' });
  await mkdir(paths.tokens, { recursive: true, mode: 0o700 });
  await writeFile(join(paths.tokens, `${HOST}.json`), 'garbage');
  expect(await accounts.forget(HOST)).toBe(true);
  expect(await accounts.hosts()).toEqual([]);
});

test('a logout deletes the sign-in record from the keychain and from the file', async () => {
  const keychain = createFakeKeychain();
  const inKeychain = await createAuthScenario({ keychain, store: 'keychain' });
  const { directory } = inKeychain;
  await inKeychain.accounts.update(HOST, () => record);
  const inFile = await createAuthScenario({ directory, store: 'file' });
  await inFile.accounts.update(HOST, () => record);
  const { accounts } = await createAuthScenario({ directory, keychain });
  expect(await accounts.forget(HOST)).toBe(true);
  expect(await accounts.hosts()).toEqual([]);
  expect(keychain.entries.size).toBe(0);
});

test('a login fails when the keychain stores another value than svc wrote', async () => {
  const keychain = createFakeKeychain();
  const { accounts } = await createAuthScenario({ keychain, store: 'keychain' });
  const store = await accounts.storeForLogin();
  const set = keychain.set;
  keychain.set = (service, account, secret) => set(service, account, secret.replace('access-0', 'access-X'));
  await expect(accounts.update(HOST, () => record, { store })).rejects.toThrow('but read other data');
});

test('ten updates of one host at once lose no change', async () => {
  const { accounts } = await createAuthScenario({ store: 'file' });
  await accounts.update(HOST, () => ({ ...record, account: { user_id: 0 } }));
  const add = () => accounts.update(HOST, (old) => old && { ...old, account: { user_id: (old.account?.user_id ?? 0) + 1 } });
  await Promise.all(Array.from({ length: 10 }, add));
  expect((await accounts.find(HOST))?.record.account?.user_id).toBe(10);
});

test('a read during a logout waits for the end of the logout, and finds no sign-in', async () => {
  const keychain = createFakeKeychain();
  const { accounts } = await createAuthScenario({ keychain, store: 'keychain' });
  await accounts.update(HOST, () => record);
  let found: Promise<unknown> = Promise.resolve();
  const forget = keychain.delete;
  keychain.delete = async (service, account) => {
    const gone = await forget(service, account);
    const read = Promise.withResolvers<void>();
    const { get } = keychain;
    keychain.get = (...entry) => get(...entry).finally(read.resolve);
    found = accounts.find(HOST);
    // The reader has seen no entry, and the index still lists the host.
    await read.promise;
    return gone;
  };
  await accounts.forget(HOST);
  await expect(found).resolves.toBeUndefined();
});

test('an update that returns nothing deletes the sign-in record', async () => {
  const { accounts } = await createAuthScenario({ store: 'file' });
  await accounts.update(HOST, () => record);
  expect(await accounts.update(HOST, () => undefined)).toBeUndefined();
  expect(await accounts.find(HOST)).toBeUndefined();
});

test('a token file that others can read gets mode 0600, with a notice', async () => {
  const { accounts, paths, notices } = await createAuthScenario({ store: 'file' });
  await accounts.update(HOST, () => record);
  const path = join(paths.tokens, `${HOST}.json`);
  await chmod(path, 0o644);
  expect((await accounts.find(HOST))?.record).toEqual(record);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(notices).toEqual([expect.stringContaining(`Other users of this machine could open ${path}`)]);
});
