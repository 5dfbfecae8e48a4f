/** A number with what it counts: `1 entry`, `2 entries`. `many`: default `one` with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
