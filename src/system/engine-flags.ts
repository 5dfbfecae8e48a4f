/** Versions of V8, those of Node 22, 24 and 26, whose flags were looked at. Tests check each flag against the running Node's list. */
const KNOWN_ENGINES: ReadonlySet<string> = new Set(['12.4', '13.6', '14.6']);

/** V8 cannot be queried for its flags, and prints a complaint about an unknown one. So a newer V8 stays as it is, only slower or larger. */
export function setEngineFlags(flags: readonly string[]): void {
  const [major, minor] = process.versions.v8.split('.', 2);
  if (!KNOWN_ENGINES.has(`${major}.${minor}`)) return;
  // Loaded here, since most runs set none: it takes a millisecond.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
}
