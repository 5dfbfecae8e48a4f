/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8, in hexadecimal: of names and other short texts where loading the engine's own takes longer than a
 * start may. For anything else, and for secrets, that one.
 */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const words = new Uint32Array(((bytes.length + 72) >> 6) * 16);
  for (const [at, byte] of bytes.entries()) words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at % 4) * 8));
  words[bytes.length >> 2] = (words[bytes.length >> 2] ?? 0) | (0x80 << (24 - (bytes.length % 4) * 8));
  words[words.length - 2] = Math.floor(bytes.length / 0x20000000);
  words[words.length - 1] = bytes.length * 8;
  const { constants, start } = tables();
  const state = Uint32Array.from(start);
  for (let at = 0; at < words.length; at += 16) addBlock(state, words.subarray(at, at + 16), constants);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function addBlock(state: Uint32Array, block: Uint32Array, constants: Uint32Array): void {
  const schedule = new Uint32Array(64);
  schedule.set(block);
  const word = (at: number) => schedule[at] ?? 0;
  for (let at = 16; at < 64; at += 1) {
    const [older, newer] = [word(at - 15), word(at - 2)];
    const small = turn(older, 7) ^ turn(older, 18) ^ (older >>> 3);
    const large = turn(newer, 17) ^ turn(newer, 19) ^ (newer >>> 10);
    schedule[at] = word(at - 16) + small + word(at - 7) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (constants[at] ?? 0) + word(at)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + value;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first bits of the fractions of cube roots and square roots of primes, as the standard has them. */
function tables(): { readonly constants: Uint32Array; readonly start: Uint32Array } {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  const bits = (root: number) => (root - Math.floor(root)) * 0x100000000;
  return {
    constants: Uint32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime))),
  };
}
