/** Quotes a word for a POSIX shell, only if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word);
}

/** Puts text between single quotes, for a POSIX shell. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Writes a command that works when pasted into a POSIX shell: `svc` and its arguments. */
export function shellCommand(argv: readonly string[]): string {
  return ['svc', ...argv].map(shellWord).join(' ');
}
