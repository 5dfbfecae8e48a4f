/** The namespace of `Temporal`, native or not. */
export type TemporalNamespace = typeof Temporal;

/** Returns Node’s own Temporal, which exists from Node 26. It knows time zones without Intl, whose data take 15 ms and 8 MB to load. */
export function nativeTemporal(): TemporalNamespace | undefined {
  return (globalThis as { Temporal?: TemporalNamespace }).Temporal;
}

/** Loads Temporal on first use: Node’s own, else the polyfill. */
export async function loadTemporal(): Promise<TemporalNamespace> {
  const native = nativeTemporal();
  if (native !== undefined) return native;
  // The polyfill follows the same specification; only its type declarations differ.
  return (await import('temporal-polyfill')).Temporal as unknown as TemporalNamespace;
}
