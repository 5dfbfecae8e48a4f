import { randomUUID } from 'node:crypto';
import type { Keychain } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import { parsedJson } from '../../values/json.ts';
import { signInWords } from '../../values/sign-in-names.ts';

export const KEYCHAIN_SERVICE = 'svc';

/**
 * The header of a long secret, in a keychain that limits the size of an entry.
 *
 * A short secret is one entry under its account. svc cuts a long secret into pieces, each in an entry of its own. The account’s entry then
 * contains a header that locates the pieces. There are two sets of pieces, `a` and `b`. A write fills the unused set and then replaces the
 * header. An interrupted write therefore leaves the old secret complete. Each piece begins with the id of its write, and the header repeats
 * the id. svc therefore never joins pieces of different writes.
 */
interface Header {
  readonly set: 'a' | 'b';
  readonly write: string;
  readonly pieces: number;
}

const HEADER_MARK = 'svc-pieces:';
/** The most attempts to read a secret during concurrent writes. svc then reports an incomplete record. */
const READ_ATTEMPTS = 5;

/**
 * Reads a secret that {@link writeSecret} wrote. Returns undefined if the account has no entry.
 *
 * @throws SvcError if pieces are missing.
 */
export async function readChunks(keychain: Keychain, account: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    const entry = await keychain.get(KEYCHAIN_SERVICE, account);
    const header = entry === undefined ? undefined : parseHeader(entry);
    if (header === undefined) return entry;
    const secret = await joinPieces(keychain, account, header);
    if (secret !== undefined) return secret;
  }
  throw new SvcError(`The record for ${account} in the ${keychain.name} is incomplete.`, {
    hint: `Remove the record with "svc logout ${signInWords(account)}", then sign in again.`,
  });
}

export async function writeSecret(keychain: Keychain, account: string, secret: string): Promise<void> {
  const limit = keychain.maxBytes;
  if (limit === undefined) return keychain.set(KEYCHAIN_SERVICE, account, secret);
  if (secret.length <= limit) {
    await keychain.set(KEYCHAIN_SERVICE, account, secret);
    await removePieces(keychain, account, 'a', 1);
    await removePieces(keychain, account, 'b', 1);
    return;
  }
  const old = parseHeader((await keychain.get(KEYCHAIN_SERVICE, account)) ?? '');
  const set = old?.set === 'a' ? 'b' : 'a';
  const write = randomUUID();
  const size = limit - write.length;
  const pieces = Math.ceil(secret.length / size);
  for (let index = 0; index < pieces; index++) {
    const piece = secret.slice(index * size, (index + 1) * size);
    await keychain.set(KEYCHAIN_SERVICE, pieceAccount(account, set, index + 1), write + piece);
  }
  await keychain.set(KEYCHAIN_SERVICE, account, HEADER_MARK + JSON.stringify({ set, write, pieces } satisfies Header));
  await removePieces(keychain, account, set, pieces + 1);
  await removePieces(keychain, account, set === 'a' ? 'b' : 'a', 1);
}

/** Removes the account’s secret, header first, so that no reader sees a header without pieces. Returns false without a secret. */
export async function removeSecret(keychain: Keychain, account: string): Promise<boolean> {
  const removed = await keychain.delete(KEYCHAIN_SERVICE, account);
  if (keychain.maxBytes !== undefined) {
    await removePieces(keychain, account, 'a', 1);
    await removePieces(keychain, account, 'b', 1);
  }
  return removed;
}

async function joinPieces(keychain: Keychain, account: string, header: Header): Promise<string | undefined> {
  let secret = '';
  for (let number = 1; number <= header.pieces; number++) {
    const piece = await keychain.get(KEYCHAIN_SERVICE, pieceAccount(account, header.set, number));
    if (!piece?.startsWith(header.write)) return undefined;
    secret += piece.slice(header.write.length);
  }
  return secret;
}

/** Removes the pieces of a set from `first` on. The numbers of the pieces have no gaps, even after an interrupted write. */
async function removePieces(keychain: Keychain, account: string, set: Header['set'], first: number): Promise<void> {
  for (let number = first; await keychain.delete(KEYCHAIN_SERVICE, pieceAccount(account, set, number)); number++);
}

function pieceAccount(account: string, set: Header['set'], number: number): string {
  return `${account}#${set}${number}`;
}

function parseHeader(entry: string): Header | undefined {
  if (!entry.startsWith(HEADER_MARK)) return undefined;
  // svc replaces an incomplete header with a header that matches no set of pieces.
  return (parsedJson(entry.slice(HEADER_MARK.length)) as Header | undefined) ?? { set: 'a', write: '\0', pieces: 1 };
}
