/** A word as a POSIX shell reads it back, quoted only if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word);
}

/** A text between single quotes, for POSIX shells. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command to paste into a shell: `svc` and its arguments. */
export function shellCommand(argv: readonly string[]): string {
  return ['svc', ...argv].map(shellWord).join(' ');
}
