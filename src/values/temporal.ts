/** What `Temporal` offers, native or not. */
export type TemporalNamespace = typeof Temporal;

/** Node's own Temporal, which it has from 26 on. It knows the zones without Intl, whose data take 15 ms and 8 MB to load. */
export function nativeTemporal(): TemporalNamespace | undefined {
  return (globalThis as { Temporal?: TemporalNamespace }).Temporal;
}

/** Temporal from Node where Node has it, else the polyfill; loaded when first needed. */
export async function loadTemporal(): Promise<TemporalNamespace> {
  const native = nativeTemporal();
  if (native !== undefined) return native;
  // The polyfill follows the same specification; only its declarations are its own.
  return (await import('temporal-polyfill')).Temporal as unknown as TemporalNamespace;
}
