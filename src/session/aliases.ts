import { openAliasFile } from '../config/alias-file.ts';
import { resolvePaths } from '../config/paths.ts';
import type { Deps } from '../deps.ts';
import { SvcError } from '../errors.ts';
import { fillAlias, readAlias } from '../values/command-line.ts';
import { ownEntry } from '../values/json.ts';

/**
 * Replaces an alias with its command, or runs the alias in a shell and returns the exit code. Returns `argv` unchanged without an alias.
 * @param at position of the command in `argv`, after the global flags. @throws SvcError if the shell does not start.
 */
export async function unalias(
  { env, files, programs, system }: Pick<Deps, 'env' | 'files' | 'programs' | 'system'>,
  argv: readonly string[],
  at: number,
): Promise<{ readonly argv: readonly string[] } | { readonly code: number }> {
  const name = argv[at] ?? '';
  const aliases = await openAliasFile(files, resolvePaths(env, system).config).read();
  const text = ownEntry(aliases, name);
  if (text === undefined) return { argv };
  const expansion = readAlias(text);
  const args = argv.slice(at + 1);
  if ('words' in expansion) return { argv: [...argv.slice(0, at), ...fillAlias(name, expansion.words, args)] };
  // In the shell, the first word after the script is `$0`.
  const code = await programs.run('sh', ['-c', expansion.shell, name, ...args]).catch((cause: unknown) => {
    throw new SvcError(`The alias ${name} needs a shell, and svc could not start sh.`, {
      hint: `Define the alias without a shell: svc alias set ${name} '<words of svc>'`,
      cause,
    });
  });
  return { code };
}
