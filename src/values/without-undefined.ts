/** Returns the members that are not undefined, in the same order. An optional member of a type can be absent, but not undefined. */
export function withoutUndefined<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as typeof members;
}
