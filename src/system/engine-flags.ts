/** Versions of V8, those of Node 22, 24 and 26, whose flags were looked at. Tests hold each flag against the running Node's list. */
const KNOWN_ENGINES: ReadonlySet<string> = new Set(['12.4', '13.6', '14.6']);

/**
 * Sets flags of V8 while svc runs, where this V8 is one that knows them. V8 has no way to ask, and complains of an unknown one
 * on stderr, in a person's way: a newer one is left as it is, which is only slower, or larger.
 */
export function setEngineFlags(flags: readonly string[]): void {
  const [major, minor] = process.versions.v8.split('.', 2);
  if (!KNOWN_ENGINES.has(`${major}.${minor}`)) return;
  // Loaded here, since most runs set none: it takes a millisecond.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
}
