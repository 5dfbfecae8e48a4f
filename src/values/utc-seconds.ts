/** Writes a time as the service does: `2026-06-01T12:00:00Z` (rule 2.17). */
export function utcSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
