export type TemporalNamespace = typeof Temporal;

/**
 * Returns Node’s own Temporal. Undefined before Node 26. This Temporal needs no Intl for time zones. The data of Intl takes 15 ms and 8 MB
 * to load.
 */
export function nativeTemporal(): TemporalNamespace | undefined {
  return (globalThis as { Temporal?: TemporalNamespace }).Temporal;
}

export async function loadTemporal(): Promise<TemporalNamespace> {
  const native = nativeTemporal();
  if (native !== undefined) return native;
  // The polyfill follows the same specification. Only its type declarations differ.
  return (await import('temporal-polyfill')).Temporal as unknown as TemporalNamespace;
}

/** Writes a time as the service does: `2026-06-01T12:00:00Z` (rule 2.17). */
export function utcSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
];

/** Writes an age in its largest unit: `3h`. An age of less than a minute is in seconds. */
export function ageText(ms: number): string {
  const [unit, name] = UNITS.find(([least]) => ms >= least) ?? [1_000, 's'];
  return `${Math.max(0, Math.floor(ms / unit))}${name}`;
}
