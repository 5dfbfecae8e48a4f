/**
 * Returns the entry of a table under a name from outside: of an API spec, an answer, a file or a command line. Undefined without an own
 * entry, also for names that every JavaScript object inherits (`constructor`, `toString`).
 */
export function ownEntry<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
