/**
 * Returns the results of several promises that run together, in the time of the longest. If several fail, it throws the error of the first
 * in the list, as in a sequence. It does not wait for the others then: they end with the command.
 */
export async function together<const Started extends readonly unknown[]>(
  ...started: Started
): Promise<{ -readonly [Index in keyof Started]: Awaited<Started[Index]> }> {
  const all = Promise.all(started);
  // The loop below reports each failure in order.
  all.catch(() => undefined);
  for (const one of started) await one;
  return all;
}
