import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Script } from 'node:vm';
import { enterDirectory, type OwnDirectory } from './own-directory.ts';

/**
 * Compiled code of earlier runs. Node has a similar cache (`module.enableCompileCache`), which keeps the code that V8 compiles
 * when a file is loaded. But V8 compiles most functions when they are first called, so those are missing in that cache. This one
 * is written when the run is over.
 */
export interface CodeCache {
  /** V8's compiled code for a file; undefined when there is none to be trusted. V8 checks by itself that it fits the source. */
  find(file: string): Buffer | undefined;
  add(file: string, script: Script): void;
  save(): void;
}

const TRAILER_BYTES = 8;

/**
 * @param directory Made when there is something to write.
 * @param build Names the bundle, Node's version and the processor: code is only good for what it was compiled from.
 * @param kind Names what the run does, as far as other functions of a file run for it.
 */
export function openCodeCache(directory: string | undefined, build: string, kind: string): CodeCache | undefined {
  if (directory === undefined) return undefined;
  const way = join(directory, build);
  const nameOf = (file: string) => `${basename(file)}.${kind}`;
  const fresh = new Map<string, Script>();
  const seed = seedOf(build);
  const place = attempt(() => enterDirectory(way, OWN_NAMES));
  return {
    find: (file) => place && attempt(() => unsealed(place.read(nameOf(file)), seed)),
    add: (file, script) => void fresh.set(nameOf(file), script),
    save() {
      if (fresh.size === 0) return;
      // No room, no permission: the next run tries again.
      attempt(() => {
        const own = place ?? enterDirectory(way, OWN_NAMES, true);
        for (const [name, script] of fresh) write(own, name, script.createCachedData(), seed);
        if (place === undefined) forgetOthers(directory, build);
      });
    },
  };
}

const OWN_NAMES = 3;

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

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

/** Of what the code was compiled from: V8 itself asks for no more than as many characters. */
function seedOf(build: string): number {
  let seed = 0;
  for (const letter of build) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0;
  return seed;
}

/**
 * V8 trusts compiled code, and crashes over damaged code. A machine that lost its power leaves blocks of 512 bytes or more missing
 * in a file. So the sum takes some words of each block; one word alone may be zero to begin with.
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
