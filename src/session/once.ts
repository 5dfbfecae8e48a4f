/** Returns a function that runs `make` at its first call. Every caller receives the same result or the same failure. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= make();
    return result;
  };
}
