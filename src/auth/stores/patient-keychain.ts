import { type Clock, type Keychain, KeychainUnavailable } from '../../deps.ts';
import { SignInError } from '../../errors.ts';

export interface PatienceOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for a read, in milliseconds. A write waits at least as long. Default: three seconds. */
  readonly waitMs?: number | undefined;
  /**
   * Returns true if a user at a terminal can answer a keychain that asks at each write. Default: false. svc calls the function before each
   * write.
   */
  readonly attended?: (() => boolean) | undefined;
  readonly notify: (line: string) => void;
}

export type PatientKeychain = ReturnType<typeof patientKeychain>;

/** The default wait for a read, in milliseconds. A slower keychain usually hangs, or shows a window. */
const KEYCHAIN_WAIT_MS = 3_000;
const UNHURRIED_WAIT_MS = 30_000;
const PERSON_WAIT_MS = 60_000;

/** The time in milliseconds after which the keychain is probably showing a window. */
const NOTICE_AFTER_MS = 2_000;

export class SilentKeychainError extends SignInError {}

/**
 * Limits the duration of keychain calls. By default, a read has three seconds, and a write has up to a minute. After two seconds, svc prints
 * a notice that the call still waits. svc stops waiting at the limit, or when the signal aborts. The system call continues, and blocks one
 * of Node’s few pool threads until the keychain answers. After a call that reached the limit, svc refuses further calls until then.
 *
 * The calls reject with SignInError if the keychain fails or does not answer, or with `signal.reason`.
 */
export function patientKeychain(keychain: Keychain, options: PatienceOptions) {
  const { clock, signal, notify, waitMs = KEYCHAIN_WAIT_MS, attended = () => false } = options;
  let silence: SilentKeychainError | undefined;

  async function attend<T>(call: () => Promise<T>, longestMs: number): Promise<T> {
    signal?.throwIfAborted();
    if (silence !== undefined) throw silence;
    const over = new AbortController();
    const refusal = Promise.withResolvers<never>();
    const abort = () => refusal.reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const waiting = patience(longestMs, over.signal).then(
      () => {
        silence = silent(keychain.name, longestMs);
        refusal.reject(silence);
      },
      () => undefined,
    );
    try {
      const answer = call().catch(rejectAsUnusable);
      const answered = () => {
        silence = undefined;
      };
      answer.then(answered, answered);
      return await Promise.race([answer, refusal.promise]);
    } finally {
      signal?.removeEventListener('abort', abort);
      over.abort();
      await waiting;
    }
  }

  async function patience(longestMs: number, over: AbortSignal): Promise<void> {
    const quiet = Math.min(NOTICE_AFTER_MS, longestMs);
    await clock.sleep(quiet, over);
    notify(`Waiting up to ${longestMs / 1000} s for the ${keychain.name}. Unlock the keychain if a window asks you to do so.`);
    await clock.sleep(longestMs - quiet, over);
  }

  function rejectAsUnusable(cause: unknown): never {
    throw unusable(keychain.name, cause);
  }

  function within(longest: () => number): Keychain {
    return {
      name: keychain.name,
      maxBytes: keychain.maxBytes,
      get: (service, account) => attend(() => keychain.get(service, account), longest()),
      set: (service, account, secret) => attend(() => keychain.set(service, account, secret), longest()),
      delete: (service, account) => attend(() => keychain.delete(service, account), longest()),
    };
  }

  const writing = () => (attended() ? Math.max(waitMs, PERSON_WAIT_MS) : waitMs);
  return {
    ...within(() => waitMs),
    /** The keychain for calls that change an entry. At a terminal, svc waits up to a minute. */
    writing: within(writing),
    /** The keychain for data that svc must write now or lose. svc waits half a minute, or a minute at a terminal. */
    unhurried: within(() => Math.max(writing(), UNHURRIED_WAIT_MS)),
  };
}

function silent(name: string, waitedMs: number): SilentKeychainError {
  return new SilentKeychainError(`The ${name} did not answer within ${waitedMs / 1000} s: the keychain is locked or hangs.`, {
    hint: 'Unlock the keychain and try again; "svc config set keychain-wait 1m" gives you more time. Without a keychain: set SVC_TOKEN, or set SVC_TOKEN_STORE=file and sign in again.',
  });
}

export function unusable(name: string, cause: unknown): SignInError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const verb = cause instanceof KeychainUnavailable ? 'open' : 'use';
  return new SignInError(`svc cannot ${verb} the ${name}: ${reason.replace(/[\s.]+$/, '').replaceAll(/\s+/g, ' ')}.`, {
    hint: 'Unlock or start the keychain. To keep the tokens in a file, set SVC_TOKEN_STORE=file and sign in again.',
    cause,
  });
}
