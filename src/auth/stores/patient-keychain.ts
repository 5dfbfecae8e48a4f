import { type Clock, type Keychain, KeychainUnavailable } from '../../deps.ts';
import { SignInError } from '../../errors.ts';

export interface PatienceOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal?: AbortSignal | undefined;
  readonly notify: (line: string) => void;
}

/** A keychain that takes longer is showing somebody a window. */
const NOTICE_AFTER_MS = 2_000;

/**
 * A keychain whose calls say what they wait for after two seconds, and stop being waited for when the signal aborts.
 * The system call itself cannot be taken back: it holds one of Node's pool threads until the window is answered.
 *
 * The result's calls reject with SignInError when the keychain does not work, or `signal.reason`.
 */
export function patientKeychain(keychain: Keychain, options: PatienceOptions): Keychain {
  async function attend<T>(call: () => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted();
    const over = new AbortController();
    const notice = options.clock.sleep(NOTICE_AFTER_MS, over.signal).then(
      () => options.notify(`Waiting for the ${keychain.name}: it may be asking you to unlock it.`),
      () => undefined,
    );
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(options.signal?.reason);
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([call().catch(rejectAsUnusable), aborted.promise]);
    } finally {
      options.signal?.removeEventListener('abort', abort);
      over.abort();
      await notice;
    }
  }

  function rejectAsUnusable(cause: unknown): never {
    throw unusable(keychain.name, cause);
  }

  return {
    name: keychain.name,
    maxBytes: keychain.maxBytes,
    get: (service, account) => attend(() => keychain.get(service, account)),
    set: (service, account, secret) => attend(() => keychain.set(service, account, secret)),
    delete: (service, account) => attend(() => keychain.delete(service, account)),
  };
}

/** The words for a keychain that does not open or does not work. */
export function unusable(name: string, cause: unknown): SignInError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const verb = cause instanceof KeychainUnavailable ? 'cannot be opened' : 'does not work';
  return new SignInError(`The ${name} ${verb}: ${reason.replace(/[\s.]+$/, '').replaceAll(/\s+/g, ' ')}.`, {
    hint: 'Unlock or start it; or set SVC_TOKEN_STORE=file and sign in again to keep the tokens in a file.',
    cause,
  });
}
