/**
 * What all of these come to. They were begun together, so that they take as long as the longest; but of several that fail, it is the
 * first of the list whose failure is thrown, as if each had been begun after the one before. Nobody waits for the others then: what
 * is still under way ends with the command.
 */
export async function together<const Begun extends readonly unknown[]>(
  ...begun: Begun
): Promise<{ -readonly [Index in keyof Begun]: Awaited<Begun[Index]> }> {
  const all = Promise.all(begun);
  // Each failure is seen at its turn.
  all.catch(() => undefined);
  for (const one of begun) await one;
  return all;
}
