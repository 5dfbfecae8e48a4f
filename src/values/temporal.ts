/** What `Temporal` offers, native or not. */
export type TemporalNamespace = typeof Temporal;

/** Temporal from Node where Node has it (26 and later), else the polyfill; loaded when first needed. */
export async function loadTemporal(): Promise<TemporalNamespace> {
  const native = (globalThis as { Temporal?: TemporalNamespace }).Temporal;
  if (native !== undefined) return native;
  // The polyfill follows the same specification; only its declarations are its own.
  return (await import('temporal-polyfill')).Temporal as unknown as TemporalNamespace;
}
