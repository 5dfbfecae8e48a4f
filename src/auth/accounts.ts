import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Paths } from '../config/paths.ts';
import type { Deps } from '../deps.ts';
import { SvcError } from '../errors.ts';
import { signInWords } from '../values/sign-in-names.ts';
import { withLock } from './lock.ts';
import type { HostRecord } from './record.ts';
import { chooseStores, forcedStore } from './stores/choose.ts';
import { createFileStore } from './stores/file-store.ts';
import { createKeychainStore } from './stores/keychain-store.ts';
import { createProfileHosts } from './stores/profile-hosts.ts';
import { recordToText } from './stores/record-text.ts';
import { type StoreKind, type TokenStore, WithheldError } from './stores/token-store.ts';

export type Accounts = ReturnType<typeof createAccounts>;

export interface HoldOptions {
  readonly store?: TokenStore;
  readonly signal?: AbortSignal;
  readonly onWait?: () => void;
}

export interface StoredHost {
  readonly host: string;
  readonly kind: StoreKind;
  readonly where: string;
}

export interface StoredRecord {
  readonly record: HostRecord;
  readonly store: TokenStore;
}

export type HostRecordUpdate = (record: HostRecord | undefined) => HostRecord | undefined | Promise<HostRecord | undefined>;

export interface HeldAccount {
  /** The store that has, or will get, the host’s sign-in record. Undefined if svc has no record and has chosen no store. */
  readonly store: TokenStore | undefined;
  read(): Promise<HostRecord | undefined>;
  /**
   * Writes the sign-in record, reads the stored record back, and removes the record from any other store.
   *
   * @throws SvcError unless the whole record is stored.
   */
  write(record: HostRecord): Promise<void>;
  remove(): Promise<boolean>;
  /**
   * Reserves disk space for a sign-in record. A later {@link write} then succeeds even on a full disk.
   *
   * @throws SvcError if svc cannot reserve the space.
   */
  reserveSpace(): Promise<void>;
  /**
   * Stores a sign-in record in a fallback place after {@link write} failed. svc reads the record from the fallback place until a write
   * succeeds. For the keychain, the fallback place is a file of mode 0600. For the file store, the fallback place is the reserved space.
   * Use this method for the successor of a spent token, which would otherwise be lost. Rejects if the fallback fails too.
   */
  park(record: HostRecord): Promise<void>;
  releaseSpace(): Promise<void>;
  /** Records a digest of the refresh token that svc is sending. Undefined removes the digest. */
  recordSending(refreshToken: string | undefined): Promise<void>;
  /** Returns true if an earlier process sent this refresh token, but did not store the answer. */
  wasSent(refreshToken: string): Promise<boolean>;
}

export type AccountsDeps = Pick<Deps, 'clock' | 'env' | 'files' | 'keychain' | 'system' | 'interrupts'>;

function digestOf(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('base64url');
}

/** The longest wait for a lock in milliseconds, before an error. The slowest refresh takes two attempts of twenty seconds and a pause. */
const LOCK_TIMEOUT_MS = 60_000;

export interface AccountsOptions {
  /**
   * Returns the longest wait for one read of the keychain, in milliseconds. svc calls the function before the first keychain call. Default:
   * three seconds.
   */
  readonly keychainWaitMs?: () => Promise<number | undefined>;
  readonly attended?: () => boolean;
  readonly configuredHost?: () => Promise<readonly string[]>;
}

/**
 * Creates the object that reads and changes the stored sign-ins. Opens no store.
 *
 * @throws UsageError unless `SVC_TOKEN_STORE` is `keychain`, `file` or unset.
 */
export function createAccounts(
  deps: AccountsDeps,
  paths: Pick<Paths, 'tokens' | 'keychain'>,
  notify: (line: string) => void,
  { keychainWaitMs, attended, configuredHost }: AccountsOptions = {},
) {
  const lock = {
    clock: deps.clock,
    signal: deps.interrupts.signal,
    timeoutMs: LOCK_TIMEOUT_MS,
    onWait: () => notify('Waiting for another svc that is changing the same sign-in.'),
  };
  const { platform } = deps.system;
  const file = createFileStore(deps.files, paths.tokens, platform);
  const keychain = createKeychainStore({
    open: deps.keychain,
    platform,
    files: deps.files,
    directory: paths.keychain,
    lock,
    waitMs: keychainWaitMs,
    attended,
    notify,
  });
  const parked = createFileStore(deps.files, join(paths.keychain, 'parked'), platform);
  const profile = createProfileHosts(deps.files, dirname(paths.tokens), async () => (await configuredHost?.()) ?? []);
  const choice = chooseStores({ keychain, file }, forcedStore(deps.env), notify);

  async function storesOf(host: string): Promise<readonly TokenStore[]> {
    const found: TokenStore[] = [];
    for (const store of choice.stores) if ((await store.hosts()).includes(host)) found.push(store);
    return found;
  }

  /**
   * Runs `work` with the locks of each store that has the host’s sign-in record, and of the record’s new store. svc takes the locks in a
   * fixed order. If another process moves the record during the wait, svc restarts with the other locks.
   */
  async function hold<T>(host: string, work: (held: HeldAccount) => Promise<T>, options: HoldOptions = {}): Promise<T> {
    for (;;) {
      const before = await storesOf(host);
      const involved = choice.stores.filter((store) => before.includes(store) || store === options.store);
      const outcome = await withLocks(involved, host, options, async () => {
        const now = await storesOf(host);
        if (now.length !== before.length || now.some((store, at) => store !== before[at])) return undefined;
        return { value: await work(heldAccount(host, now, options.store ?? now[0])) };
      });
      if (outcome !== undefined) return outcome.value;
    }
  }

  function withLocks<T>(stores: readonly TokenStore[], host: string, options: HoldOptions, work: () => Promise<T>): Promise<T> {
    const [first, ...rest] = stores;
    if (first === undefined) return work();
    const { signal = lock.signal } = options;
    const lockOptions = {
      ...lock,
      subject: `the sign-in of ${host}`,
      signal: AbortSignal.any([lock.signal, signal]),
      onWait() {
        options.onWait?.();
        if (!signal.aborted) lock.onWait();
      },
    };
    return withLock(first.lockPath(host), lockOptions, () => withLocks(rest, host, options, work));
  }

  function heldAccount(host: string, sources: readonly TokenStore[], target: TokenStore | undefined): HeldAccount {
    /** True if a sign-in record of this host is in the fallback place. Undefined until svc has checked. */
    let isParked: boolean | undefined;
    return {
      store: target,
      async read() {
        const [source] = sources;
        if (source === undefined) return undefined;
        const waiting = await readParked(source, host);
        if (source === keychain) isParked = waiting !== undefined;
        return waiting ?? source.read(host);
      },
      reserveSpace: async () => (target === file ? file.reserveSpace(host) : target?.probe()),
      park: (record) => (target === file ? file.writeIntoRoom(record) : parked.write(record)),
      releaseSpace: async () => (target === file ? file.releaseSpace(host) : undefined),
      async recordSending(refreshToken) {
        const note = digestPathOf(target, host);
        if (refreshToken === undefined) {
          await deps.files.remove(note);
          return;
        }
        // svc writes no temporary file here, because a killed process would leave the file behind. An incomplete digest matches no token.
        await deps.files.truncate(note, 0);
        await deps.files.append(note, digestOf(refreshToken));
      },
      wasSent: async (refreshToken) => (await deps.files.readText(digestPathOf(target, host))) === digestOf(refreshToken),
      async write(record) {
        if (target === undefined)
          throw new SvcError(`svc no longer has a sign-in to ${host}.`, { hint: `Sign in: svc login ${signInWords(host)}` });
        // A parked record takes precedence over the keychain, so svc replaces the parked record first. svc checks for a parked record
        // before spending the token, because every later step can fail.
        if (target === keychain && (isParked ?? (await parked.hosts()).includes(host))) await parked.write(record).catch(() => undefined);
        await target.write(record);
        const stored = await target.read(host);
        if (stored === undefined || recordToText(stored) !== recordToText(record)) {
          throw new SvcError(`svc stored the tokens for ${host}, but read other data from ${target.where}.`, {
            hint: 'Run "svc doctor". To keep the tokens in a file instead, set SVC_TOKEN_STORE=file.',
          });
        }
        if (target === keychain) await profile.add(host);
        for (const other of sources) if (other !== target) await forgetOld(host, other);
        await parked.remove(host);
      },
      async remove() {
        let removed = false;
        for (const store of sources) if (await store.remove(host)) removed = true;
        if (await parked.remove(host)) removed = true;
        await deps.files.remove(digestPathOf(target, host));
        return removed;
      },
    };
  }

  async function readParked(store: TokenStore, host: string): Promise<HostRecord | undefined> {
    return store === keychain ? parked.read(host) : undefined;
  }

  /** Reads the host’s record from a store. A record in the fallback place takes precedence, because that record is newer. */
  async function readFrom(store: TokenStore, host: string): Promise<HostRecord | undefined> {
    const waiting = await readParked(store, host);
    return waiting ?? store.read(host);
  }

  /** Returns the path of the digest file. The file is next to the lock file of the host. */
  function digestPathOf(store: TokenStore | undefined, host: string): string {
    return (store ?? keychain).lockPath(host).replace(/\.lock$/, '.sending');
  }

  /** Removes an old sign-in record from another store. The new record is already stored, so a failure only prints a notice. */
  async function forgetOld(host: string, store: TokenStore): Promise<void> {
    try {
      await store.remove(host);
    } catch (error) {
      notify(`The older sign-in of ${host} is still stored in ${store.where}. ${error instanceof Error ? error.message : ''}`);
    }
  }

  /**
   * Changes the host’s sign-in record under the host’s lock, and resolves with the record that is then stored. `change` gets the current
   * record. The result of `change` replaces the record; `undefined` deletes the record. Keep `change` short, because other processes wait
   * for the lock.
   *
   * With `store` (from `storeForLogin`) the record moves to that store, and replaces an unreadable old record. Without `store` the record
   * stays in its store. A new host goes to the store for new sign-ins.
   */
  async function update(
    host: string,
    change: HostRecordUpdate,
    options: { readonly store?: TokenStore } = {},
  ): Promise<HostRecord | undefined> {
    const replace = options.store !== undefined;
    const store = options.store ?? (await storesOf(host))[0] ?? (await choice.forLogin());
    return hold(
      host,
      async (held) => {
        const before = await held.read().catch((error: unknown) => {
          if (!replace || !(error instanceof SvcError)) throw error;
          notify(`svc replaces the stored sign-in of ${host}. ${error.message}`);
          return undefined;
        });
        const after = await change(before);
        if (after === undefined) await held.remove();
        else await held.write(after);
        return after;
      },
      { store },
    );
  }

  /** Returns the hosts of this configuration that have a sign-in record, sorted. Opens no keychain. */
  async function hosts(): Promise<readonly StoredHost[]> {
    const found = new Map<string, StoredHost>();
    for (const { kind, where, hosts: read } of choice.stores) {
      const listed = await read();
      const own = kind === 'keychain' && listed.length > 0 ? await profile.hosts() : undefined;
      for (const host of listed) if (!found.has(host) && own?.includes(host) !== false) found.set(host, { host, kind, where });
    }
    return [...found.values()].sort((one, other) => (one.host < other.host ? -1 : 1));
  }

  return {
    hosts,
    /** Returns the names of the sign-ins: `acme.example.com`, `work@acme.example.com`. */
    names: async (): Promise<readonly string[]> => (await hosts()).map(({ host }) => host),

    /**
     * Reads the host’s sign-in record. Returns undefined without a record.
     *
     * @throws SignInError if the keychain with the record is locked or no longer exists.
     * @throws SvcError if the record is damaged.
     */
    async find(host: string): Promise<StoredRecord | undefined> {
      const [store] = await storesOf(host);
      const record = await (store && readFrom(store, host))?.catch((error: unknown) => {
        if (!(error instanceof WithheldError)) throw error;
        // Without the lock, svc can see half of a logout: a deleted secret with a host that is still listed. svc reads again with the lock.
        return hold(host, (held) => held.read());
      });
      if (store === undefined || record === undefined) return undefined;
      const exposed = store === file ? await file.exposed(host) : [];
      if (exposed.length > 0) {
        await file.closeDirectory();
        await hold(host, async (held) => {
          const current = await held.read();
          if (current !== undefined) await held.write(current);
        });
        const which = exposed.join(' and ');
        notify(
          `Other users of this machine could open ${which}, and svc has removed this permission. If you did not give this permission, sign in again: svc login ${signInWords(host)}`,
        );
      }
      return { record, store };
    },

    update,
    hold,
    /** Deletes the host’s sign-in record from every store, even a damaged record. Does not revoke tokens. Returns false without a record. */
    forget: (host: string) => hold(host, (held) => held.remove()),
    /** Tests the stores and returns the store for a new sign-in. Prints a notice if files replace an unavailable keychain. */
    storeForLogin: () => choice.forLogin(),
  };
}
