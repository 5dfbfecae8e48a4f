/** A word as a POSIX shell reads it back, quoted only where it must be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command that can be pasted into a shell: `svc` and what is typed after it. */
export function shellCommand(argv: readonly string[]): string {
  return ['svc', ...argv].map(shellWord).join(' ');
}
