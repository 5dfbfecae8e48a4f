import type { CommandSpec } from '../../spec.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { knownWords } from './known-words.ts';
import { powershellScript } from './powershell.ts';
import { zshScript } from './zsh.ts';

/** The shells that svc completes in. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** The names that each shell, or a package for it, looks for. */
export const SCRIPT_NAMES: Readonly<Record<Shell, string>> = {
  bash: 'svc.bash',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};

const WRITERS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };

/** The completion script of a shell, from the tree of commands. */
export async function completionScript(shell: Shell, root: CommandSpec): Promise<string> {
  return WRITERS[shell](await knownWords(root));
}
