/** The verb that fits a number: `1 was`, `2 were`. */
export function were(count: number): 'was' | 'were' {
  return count === 1 ? 'was' : 'were';
}

/** A number with what it counts: `1 entry`, `2 entries`. `many`: default `one` with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
