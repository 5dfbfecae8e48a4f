/** An instant as the service writes one: `2026-06-01T12:00:00Z` (rule 2.17). */
export function utcSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
