/** The versions of V8 in Node 22, 24 and 26, which have the flags. Tests check each flag against the running Node. */
const KNOWN_ENGINES: ReadonlySet<string> = new Set(['12.4', '13.6', '14.6']);

/**
 * Sets flags of V8, but only in a known version. V8 can’t report its flags, and prints a warning about an unknown flag. Without the flags,
 * a newer V8 is slower or uses more memory.
 */
export function setEngineFlags(flags: readonly string[]): void {
  const [major, minor] = process.versions.v8.split('.', 2);
  if (!KNOWN_ENGINES.has(`${major}.${minor}`)) return;
  // svc loads this module only here, because most runs set no flags, and loading takes a millisecond.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
}
