import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** `own` is the same user or root. */
export type PeerOwner = 'own' | 'other';

/** A user that this one's namespace does not know. */
const OVERFLOW_UID = '65534';

/** From the table of Linux (proc(5), /proc/net/tcp); undefined where there is none. Our own user is that of the listening socket. */
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

/** The address as the table writes it, each group of four bytes reversed: `0100007F:C0A1`. */
function spelled(address: string | undefined, port: number | undefined): string | undefined {
  const host = address === '127.0.0.1' ? '0100007F' : address === '::1' ? '00000000000000000000000001000000' : undefined;
  if (host === undefined || port === undefined) return undefined;
  return `${host}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
