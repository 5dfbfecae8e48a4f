import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Script } from 'node:vm';
import { attempt } from './guarded.ts';
import { enterDirectory, type OwnDirectory } from './own-directory.ts';

/**
 * Stores the compiled code of earlier runs.
 * Node has a similar cache (`module.enableCompileCache`), which contains the code that V8 compiles while loading a file. V8 compiles most
 * functions later, on their first call. svc therefore writes this cache at the end of a run.
 */
export type CodeCache = NonNullable<ReturnType<typeof openCodeCache>>;

const TRAILER_BYTES = 8;

/**
 * Opens the code cache. Returns undefined without a directory.
 * @param directory directory of the cache. svc creates the directory before the first write.
 * @param build digest of the bundle, Node’s version and the processor. Compiled code is valid only for the same build.
 * @param kind kind of the run. Each kind calls other functions of a file.
 */
export function openCodeCache(directory: string | undefined, build: string, kind: string) {
  if (directory === undefined) return undefined;
  const way = join(directory, build);
  const nameOf = (file: string) => `${basename(file)}.${kind}`;
  const fresh = new Map<string, Script>();
  const seed = seedOf(build);
  const place = attempt(() => enterDirectory(way, OWN_NAMES));
  return {
    /** Returns V8’s compiled code for a file. Undefined if no trusted code exists. V8 itself checks only the length of the source. */
    find: (file: string) => place && attempt(() => unsealed(place.read(nameOf(file)), seed)),
    add: (file: string, script: Script) => void fresh.set(nameOf(file), script),
    save(): void {
      if (fresh.size === 0) return;
      // If the disk is full or the directory is not writable, the next run tries again.
      attempt(() => {
        const own = place ?? enterDirectory(way, OWN_NAMES, true);
        for (const [name, script] of fresh) write(own, name, script.createCachedData(), seed);
        if (place === undefined) forgetOthers(directory, build);
      });
    },
  };
}

const OWN_NAMES = 3;

function unsealed(bytes: Buffer, seed: number): Buffer | undefined {
  const length = bytes.length - TRAILER_BYTES;
  if (length < 0) return undefined;
  const code = bytes.subarray(0, length);
  return bytes.readUInt32LE(length) === length && bytes.readInt32LE(length + 4) === sumOf(code, seed) ? code : undefined;
}

function write(place: OwnDirectory, name: string, code: Buffer, seed: number): void {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(code.length, 0);
  trailer.writeInt32LE(sumOf(code, seed), 4);
  place.write(name, Buffer.concat([code, trailer]), 0o600);
}

/** Calculates the seed of the checksum from the build, because V8 itself checks only the length of the source. */
function seedOf(build: string): number {
  let seed = 0;
  for (const letter of build) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0;
  return seed;
}

/**
 * Returns a checksum of compiled code. V8 trusts compiled code, and crashes if the code is damaged. A power cut can leave blocks of 512
 * bytes or more empty in a file. The checksum reads several words of each block, because one word can be zero in valid code.
 */
function sumOf(code: Buffer, seed: number): number {
  const words = new Int32Array(code.buffer, code.byteOffset, code.length >>> 2);
  let sum = code.length ^ seed;
  for (let at = 0; at < words.length; at += 16) sum = (Math.imul(sum, 31) + (words[at] ?? 0)) | 0;
  return sum;
}

function forgetOthers(directory: string, build: string): void {
  const [digest = ''] = build.split('-', 1);
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(`${digest}-`)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}
