import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The owner of a connection. `own` means the user of this process, or root. */
export type PeerOwner = 'own' | 'other';

/** The user id that Linux shows for a user outside this user namespace. */
const OVERFLOW_UID = '65534';

/**
 * Finds the owner of a connection in Linux’s table (proc(5), /proc/net/tcp). Returns undefined if svc cannot know the owner, such as on
 * systems without this table. The user of the listening socket counts as `own`.
 */
export async function peerOwner({ localAddress, localPort, remoteAddress, remotePort }: Socket): Promise<PeerOwner | undefined> {
  const [own, peer] = [spelled(localAddress, localPort), spelled(remoteAddress, remotePort)];
  if (own === undefined || peer === undefined) return undefined;
  const table = await readFile(localAddress?.includes(':') ? '/proc/net/tcp6' : '/proc/net/tcp', 'latin1').catch(() => '');
  let listener: string | undefined;
  let other: string | undefined;
  for (const line of table.split('\n')) {
    const [, local, remote, state, , , , uid] = line.trim().split(/\s+/);
    if (local === own && state === LISTENS) listener = uid;
    if (local === peer && remote === own) other = uid;
  }
  if (listener === undefined || other === undefined || other === OVERFLOW_UID) return undefined;
  return other === listener || other === '0' ? 'own' : 'other';
}

const LISTENS = '0A';

/**
 * Returns an address and port in the form of Linux’s table, with each group of four bytes reversed: `0100007F:C0A1`. Returns undefined for
 * an address other than 127.0.0.1 and ::1.
 */
function spelled(address: string | undefined, port: number | undefined): string | undefined {
  const host = address === '127.0.0.1' ? '0100007F' : address === '::1' ? '00000000000000000000000001000000' : undefined;
  if (host === undefined || port === undefined) return undefined;
  return `${host}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
