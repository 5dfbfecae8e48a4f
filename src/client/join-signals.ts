/** Joins signals with one of the client's own; the pages of a walk share one, which is then joined once. */
export function signalJoiner(own: AbortSignal | undefined): (other: AbortSignal | undefined) => AbortSignal | undefined {
  const joined = new WeakMap<AbortSignal, AbortSignal>();
  return (other) => {
    if (own === undefined || other === undefined) return own ?? other;
    const known = joined.get(other) ?? AbortSignal.any([own, other]);
    joined.set(other, known);
    return known;
  };
}
