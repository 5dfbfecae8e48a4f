/**
 * Returns the results of several promises that run together, in the time of the longest. If several fail, it throws the error of the first
 * in the list, as in a sequence. It does not wait for the others then: they end with the command.
 */
export async function together<const Begun extends readonly unknown[]>(
  ...begun: Begun
): Promise<{ -readonly [Index in keyof Begun]: Awaited<Begun[Index]> }> {
  const all = Promise.all(begun);
  // The loop below reports each failure in order.
  all.catch(() => undefined);
  for (const one of begun) await one;
  return all;
}
