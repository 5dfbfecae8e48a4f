import { createHash, type Hash } from 'node:crypto';
import { dirname } from 'node:path';
import type { NetworkResponse } from '../deps.ts';
import { NetworkError, SvcError, UnavailableError, withMore } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { differenceOf, integrityInHeaders, type ReportedIntegrity } from '../transfer/integrity.ts';
import type { DownloadWay } from '../transfer/plan-download.ts';

export type Downloading = 'client' | 'clock' | 'files' | 'signal' | 'stdio' | 'system';

export interface FileDownload {
  readonly way: DownloadWay;
  readonly reported: ReportedIntegrity;
  /**
   * Chooses the file after the headers arrive, because the headers may contain the name. Undefined for standard output. Throws to protect
   * an existing file.
   */
  readonly target: (headers: Readonly<Record<string, string>>) => Promise<FileTarget | undefined>;
  /** Receives the number of further bytes that arrived. Negative if the service sends bytes again. */
  readonly onBytes: (count: number) => void;
  readonly onSize: (size: number) => void;
}

export interface FileTarget {
  readonly path: string;
  readonly overwrites: boolean;
}

export interface Saved {
  readonly path: string | undefined;
  readonly size: number;
  readonly sha256: string;
}

const MOST_FAILURES = 4;
const FIRST_PAUSE_MS = 500;

/**
 * Downloads a file. The file gets its name only after svc has checked its size and digest. If the service sends a strong ETag and
 * `Accept-Ranges`, a broken download continues from its last byte. After a failure, svc then keeps the partial file for another run.
 * @throws UnavailableError if the size or digest differs; SvcError if svc can’t write the file.
 */
export async function saveFile(context: Needs<Downloading>, download: FileDownload): Promise<Saved> {
  const coming = new Coming(context, download);
  try {
    await coming.all();
    return await coming.finish();
  } catch (error) {
    throw await coming.givenUp(error);
  }
}

class Coming {
  readonly #context: Needs<Downloading>;
  readonly #download: FileDownload;
  #hash: Hash = createHash('sha256');
  #received = 0;
  #told: ReportedIntegrity;
  /** The size in bytes, if the HTTP headers show the size. An encoded answer does not show the size. */
  #total: number | undefined;
  #target: FileTarget | undefined;
  /** The path of the partial file. Undefined for standard output, and until the first headers arrive. */
  #part: string | undefined;
  #hasHead = false;
  /** The ETag with which svc can request the missing bytes. Undefined if the service can’t continue. */
  #etag: string | undefined;
  #isWhole = false;
  #broken: unknown;

  constructor(context: Needs<Downloading>, download: FileDownload) {
    this.#context = context;
    this.#download = download;
    this.#told = download.reported;
  }

  async all(): Promise<void> {
    const { clock, signal } = this.#context;
    for (let failures = 0; ; ) {
      const before = this.#received;
      await this.#ask();
      if (this.#isWhole) return;
      if (this.#broken === undefined) continue;
      const [error, moved] = [this.#broken, this.#received > before && this.#etag !== undefined];
      this.#broken = undefined;
      failures = moved ? 0 : failures + 1;
      const isLost = this.#target === undefined && this.#etag === undefined && this.#received > 0;
      if (failures > MOST_FAILURES || isLost) throw error;
      await clock.sleep(FIRST_PAUSE_MS * 2 ** failures, signal);
    }
  }

  async #ask(): Promise<void> {
    const client = await this.#context.client();
    const { way } = this.#download;
    const isContinued = this.#received > 0 && this.#etag !== undefined;
    // A download can’t continue within an encoded answer.
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(isContinued && { range: `bytes=${this.#received}-`, 'if-range': this.#etag ?? '' }),
    };
    const receive = async (response: NetworkResponse) => {
      await this.#receive(response, isContinued);
      return true;
    };
    const place = way.kind === 'operation' ? { path: way.path } : { path: way.address, ownOrigin: true };
    const response = await client.send({ method: 'GET', ...place, headers, transfer: 'any', receive });
    if (response.status === 200 || response.status === 206) return;
    throw new UnavailableError(`The service answered without the file (${response.status}).`, {
      hint: 'Try again. If the download fails again, report the error to the operator of the service.',
      details: { status: response.status, request_id: response.requestId },
    });
  }

  async #receive(response: NetworkResponse, isContinued: boolean): Promise<void> {
    const from = isContinued ? startOf(response) : 0;
    const isSame = response.headers['etag'] === undefined || response.headers['etag'] === this.#etag;
    if (isContinued && (from !== this.#received || !isSame)) {
      // The file has changed, or the service sends the whole file again.
      await this.#startAgain();
      if (from !== 0) return response.discard();
    }
    if (this.#received === 0 && (await this.#begin(response))) return response.discard();
    try {
      if (this.#part === undefined) await this.#print(response.body);
      else await this.#context.files.writePieces(this.#part, this.#seen(response.body), this.#received);
      this.#isWhole = true;
    } catch (error) {
      if (!(error instanceof NetworkError)) throw unwritable(error, this.#target?.path);
      this.#broken = error;
      if (this.#etag === undefined && this.#target !== undefined) await this.#startAgain();
    }
  }

  /** Prepares the partial file. @returns true if an earlier run left a part to continue from. svc then does not need the given answer. */
  async #begin({ headers }: NetworkResponse): Promise<boolean> {
    const { files, system } = this.#context;
    const isPacked = (headers['content-encoding'] ?? 'identity') !== 'identity';
    const length = headers['content-length'];
    this.#total = !isPacked && length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
    this.#told = { ...this.#download.reported, ...integrityInHeaders(headers) };
    if (this.#total !== undefined) this.#download.onSize(this.#total);
    const etag = headers['etag'];
    const isStrong = etag?.startsWith('"') === true && headers['accept-ranges'] === 'bytes' && !isPacked;
    this.#etag = isStrong ? etag : undefined;
    if (!this.#hasHead) this.#target = await this.#download.target(headers);
    this.#hasHead = true;
    if (this.#target === undefined) return false;
    const mark = isStrong
      ? createHash('sha256')
          .update(`${etag}\n${addressOf(this.#download.way)}`)
          .digest('hex')
          .slice(0, 12)
      : undefined;
    this.#part = `${dirname(this.#target.path)}/.${baseOf(this.#target.path)}.${mark ?? crypto.randomUUID().slice(0, 12)}.part`;
    const found = await files.stat(this.#part).catch(() => undefined);
    if (found === undefined) return false;
    // Another user who knows the ETag could have written a false start of the file.
    const isClosed = system.platform === 'win32' || (found.mode & 0o077) === 0;
    const isOwn = found.isFile && isClosed && (await files.weakness(this.#part)) === undefined;
    const isUsable = isStrong && isOwn && found.size > 0 && this.#total !== undefined && found.size <= this.#total;
    if (isUsable) for await (const piece of files.read(this.#part)) this.#take(piece);
    else await files.remove(this.#part);
    if (!isUsable || this.#received !== this.#total) return isUsable;
    this.#isWhole = true;
    return true;
  }

  async *#seen(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      yield piece;
      this.#take(piece);
    }
  }

  async #print(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of body) {
      await this.#context.stdio.stdout.writeData(piece);
      this.#take(piece);
    }
  }

  #take(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#received += piece.byteLength;
    this.#download.onBytes(piece.byteLength);
  }

  async #startAgain(): Promise<void> {
    if (this.#target === undefined)
      throw new UnavailableError('The file changed during the download.', {
        hint: 'Do not use the printed part; download the file again.',
      });
    this.#download.onBytes(-this.#received);
    this.#received = 0;
    this.#hash = createHash('sha256');
    this.#etag = undefined;
    if (this.#part !== undefined) await this.#context.files.remove(this.#part);
  }

  async finish(): Promise<Saved> {
    const { files } = this.#context;
    const saved = { size: this.#received, sha256: this.#hash.digest('hex') };
    const difference = differenceOf({ size: this.#total }, saved) ?? differenceOf(this.#told, saved);
    if (difference !== undefined) {
      this.#etag = undefined;
      throw new UnavailableError(`The downloaded file differs from the file of the service: ${difference}.`, {
        hint: this.#target === undefined ? 'Do not use the printed part.' : 'svc stored no part of the file. Try again.',
      });
    }
    const [part, target] = [this.#part, this.#target];
    if (part === undefined || target === undefined) return { path: undefined, ...saved };
    try {
      // svc reserves the name first, so that svc detects a file that now has this name.
      if (!target.overwrites && !(await files.reserve(target.path))) throw taken(target.path);
      await files.rename(part, target.path).catch(async (error: unknown) => {
        if (!target.overwrites) await files.remove(target.path);
        throw error;
      });
    } catch (error) {
      throw unwritable(error, target.path);
    }
    return { path: target.path, ...saved };
  }

  async givenUp(error: unknown): Promise<unknown> {
    if (this.#part === undefined) return error;
    if (this.#etag === undefined || this.#received === 0) {
      await this.#context.files.remove(this.#part).catch(() => false);
      return error;
    }
    const line = `The same command resumes the download after the first ${this.#received} bytes.`;
    return error instanceof SvcError ? withMore(error, { lines: [line] }) : error;
  }
}

/**
 * Returns the position of an answer’s first byte in the whole file (RFC 9110 §14.4). Undefined if the answer does not show the position.
 */
function startOf({ status, headers }: NetworkResponse): number | undefined {
  if (status !== 206) return 0;
  const start = /^bytes (\d{1,15})-\d+\/(?:\d+|\*)$/.exec(headers['content-range'] ?? '')?.[1];
  return start === undefined ? undefined : Number(start);
}

function addressOf(way: DownloadWay): string {
  return way.kind === 'operation' ? way.path : (way.address.split('?', 1)[0] ?? '');
}

function baseOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}

export function taken(path: string): SvcError {
  return new SvcError(`${path} exists already, and svc did not overwrite it.`, {
    hint: 'Add --force to overwrite the file, or name another file: --out <file>',
  });
}

/** Returns the error for a file that svc cannot write. */
export function unwritable(error: unknown, path = 'standard output'): unknown {
  if (error instanceof SvcError || !(error instanceof Error) || !('code' in error)) return error;
  return new SvcError(`svc cannot write ${path}: ${error.message}`, { hint: 'Check the path, and the free disk space.', cause: error });
}
