import { walkTree } from '../../resolve.ts';
import type { CommandSpec } from '../../spec.ts';
import type { KnownWords } from '../candidate.ts';
import { commandCandidates } from '../complete.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import { zshScript } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

export const SCRIPT_NAMES: Readonly<Record<Shell, string>> = {
  bash: 'svc.bash',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};

const WRITERS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };

/**
 * Returns the completion script of a shell. The script contains all visible command names, so completing a command name does not start svc.
 */
export async function completionScript(shell: Shell, root: CommandSpec): Promise<string> {
  const known: KnownWords[] = [];
  for await (const { path, spec } of walkTree(root)) {
    if (spec.commands !== undefined) known.push({ after: path.join(' '), next: commandCandidates(spec.commands, path.length === 0, '') });
  }
  return WRITERS[shell](known);
}
