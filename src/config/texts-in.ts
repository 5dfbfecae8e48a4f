/** A JSON object of strings; undefined for anything else. */
export function textsIn(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.values(value).every((entry) => typeof entry === 'string') ? (value as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}
