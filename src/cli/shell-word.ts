import { isDatabaseAddress, withoutPassword } from '../values/database-address.ts';

/** A word as a POSIX shell reads it back, quoted only where it must be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command that can be pasted into a shell: `svc` and what is typed after it, but for the passwords of databases. */
export function shellCommand(argv: readonly string[]): string {
  return ['svc', ...argv.map(withoutSecret)].map(shellWord).join(' ');
}

function withoutSecret(word: string): string {
  const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? [];
  return isDatabaseAddress(value) ? `${flag}${withoutPassword(value)}` : word;
}
