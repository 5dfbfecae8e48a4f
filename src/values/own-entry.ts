/**
 * The entry that a table has under a name from outside: of a description, an answer, a file, a command line. Undefined where it has none,
 * also for the names that every object of JavaScript has something under (`constructor`, `toString`).
 */
export function ownEntry<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
