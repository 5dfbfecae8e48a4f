import type { Keychain } from '../../deps.ts';

/** The largest size of a Windows entry in bytes (CRED_MAX_CREDENTIAL_BLOB_SIZE). */
const WINDOWS_MAX_BYTES = 5 * 512;

/** Returns the usual name of a platform’s keychain and the size limit of its entries. Does not open the keychain. */
export function platformKeychain(platform: NodeJS.Platform): Pick<Keychain, 'name' | 'maxBytes'> {
  if (platform === 'darwin') return { name: 'macOS Keychain', maxBytes: undefined };
  if (platform === 'win32') return { name: 'Windows Credential Manager', maxBytes: WINDOWS_MAX_BYTES };
  return { name: 'Secret Service keyring', maxBytes: undefined };
}
