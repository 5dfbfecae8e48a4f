import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Script } from 'node:vm';
import { isOwnDirectory } from './own-directory.ts';

/**
 * Compiled code of earlier runs. Node has a cache like it (`module.enableCompileCache`), but that one keeps what V8 compiles
 * when a file is loaded, and V8 compiles most functions when they are first called: those are missing in it. This one is
 * written when the run is over.
 */
export interface KeptCode {
  /** V8's compiled code for a file; undefined when there is none to be trusted. V8 checks by itself that it fits the source. */
  find(file: string): Buffer | undefined;
  /** Notes a script that was compiled anew. */
  add(file: string, script: Script): void;
  /** Writes what was noted. Never throws: where nothing can be written, svc is only slower. */
  save(): void;
}

/** At the end of a file: its length and a sum. */
const TRAILER_BYTES = 8;

/**
 * @param directory Made when there is something to write.
 * @param build Names the bundle, Node's version and the processor: code is only good for what it was compiled from.
 * @param kind Names what the run does, as far as other functions of a file run for it.
 */
export function keepCode(directory: string | undefined, build: string, kind: string): KeptCode | undefined {
  if (directory === undefined) return undefined;
  const place = join(directory, build);
  const pathOf = (file: string) => join(place, `${basename(file)}.${kind}`);
  const fresh = new Map<string, Script>();
  const trusted = isOwnDirectory(place);
  return {
    find: (file) => (trusted ? read(pathOf(file)) : undefined),
    add: (file, script) => void fresh.set(pathOf(file), script),
    save() {
      if (fresh.size === 0) return;
      try {
        if (mkdirSync(place, { recursive: true, mode: 0o700 }) !== undefined) forgetOthers(directory, build);
        if (!isOwnDirectory(place)) return;
        for (const [path, script] of fresh) write(path, script.createCachedData());
      } catch {
        // No room, no permission: the next run tries again.
      }
    },
  };
}

function read(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const length = bytes.length - TRAILER_BYTES;
    if (length < 0) return undefined;
    const code = bytes.subarray(0, length);
    return bytes.readUInt32LE(length) === length && bytes.readInt32LE(length + 4) === sumOf(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Under another name first, so that a run beside this one reads all of it or nothing. */
function write(path: string, code: Buffer): void {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(code.length, 0);
  trailer.writeInt32LE(sumOf(code), 4);
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, Buffer.concat([code, trailer]), { mode: 0o600 });
  renameSync(temporary, path);
}

/**
 * V8 takes compiled code at its word, and crashes over damaged code. What a machine that lost its power leaves in a file is
 * missing in blocks of 512 bytes or more, so some words of each tell; one alone may be zero to begin with.
 */
function sumOf(code: Buffer): number {
  const words = new Int32Array(code.buffer, code.byteOffset, code.length >>> 2);
  let sum = code.length;
  for (let at = 0; at < words.length; at += 16) sum = (Math.imul(sum, 31) + (words[at] ?? 0)) | 0;
  return sum;
}

/** What older versions of svc left behind; other versions of Node may come again. */
function forgetOthers(directory: string, build: string): void {
  const [digest = ''] = build.split('-', 1);
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(`${digest}-`)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}
