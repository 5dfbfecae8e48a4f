import { platformKeychain } from '../auth/stores/platform-keychain.ts';
import { type Keychain, KeychainUnavailable } from '../deps.ts';

type Keytar = typeof import('keytar');

/**
 * Opens the operating system’s keychain through keytar, a native addon. svc loads keytar only here, because `--help` and a token file never
 * need keytar. An open keychain may still fail: without a D-Bus session or a keyring daemon, each call rejects with KeychainUnavailable.
 * @param attend receives each call, to know which calls have not returned.
 * @throws KeychainUnavailable if the addon is not installed or does not load (libsecret missing).
 */
export async function openKeychain(platform: NodeJS.Platform, attend: <T>(call: Promise<T>) => Promise<T>): Promise<Keychain> {
  const keytar = await loadKeytar(platform);
  return {
    ...platformKeychain(platform),
    async get(service, account) {
      const answer = attend(keytar.getPassword(service, account));
      // The keychain answers from another thread after about ten milliseconds. svc uses the time to load a module that each request needs.
      process.getBuiltinModule('node:crypto');
      return (await answer.catch(throwUnavailable)) ?? undefined;
    },
    set: (service, account, secret) => attend(keytar.setPassword(service, account, secret)).catch(throwUnavailable),
    delete: (service, account) => attend(keytar.deletePassword(service, account)).catch(throwUnavailable),
  };
}

/** Matches messages of GLib without a D-Bus session or without a keyring. Any other error means a locked or broken keychain. */
const ABSENT =
  /autolaunch|\$?DISPLAY|was not provided by any|ServiceUnknown|NameHasNoOwner|Could not connect|Cannot spawn|Failed to execute child|Unknown or unsupported transport|not activatable/i;

function throwUnavailable(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw ABSENT.test(reason) ? new KeychainUnavailable(reason, { cause: error }) : error;
}

async function loadKeytar(platform: NodeJS.Platform): Promise<Keytar> {
  try {
    return (await import('keytar')).default;
  } catch (error) {
    throw new KeychainUnavailable(whyNot(error, platform), { cause: error });
  }
}

function whyNot(error: unknown, platform: NodeJS.Platform): string {
  const missing = error instanceof Error && 'code' in error && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code));
  if (missing) return 'the module "keytar" is not installed';
  if (platform === 'linux') return 'the module "keytar" does not load; it needs libsecret (package libsecret-1-0 or libsecret)';
  return 'the module "keytar" does not load on this machine';
}
