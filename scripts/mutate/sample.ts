/** Returns a random selection of items in their original order. The same seed selects the same items. */
export function sample<T>(items: readonly T[], size: number, seed: number): T[] {
  const random = randomFrom(seed);
  const left = items.map((_, index) => index);
  const taken: number[] = [];
  while (taken.length < size && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken.sort((one, other) => one - other).flatMap((index) => items.slice(index, index + 1));
}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
