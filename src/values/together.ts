/**
 * Returns the results of several promises that run at the same time. Throws the error of the first failure in the list, as in a sequence.
 * After a failure, the function does not wait for the other promises, which end with the command.
 */
export async function together<const Started extends readonly unknown[]>(
  ...started: Started
): Promise<{ -readonly [Index in keyof Started]: Awaited<Started[Index]> }> {
  const all = Promise.all(started);
  // The loop after this line throws the first failure in the order of the list.
  all.catch(() => undefined);
  for (const one of started) await one;
  return all;
}
