import type { ProgramResult } from '../../../deps.ts';
import { SvcError, UsageError } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import type { Commit } from '../../../time/suggest.ts';
import { keysIn } from '../target.ts';

/**
 * Reads the user’s commits since a time. Git starts no program that the configuration of the repository names.
 *
 * @param author The e-mail address. Default: the address in the Git configuration.
 * @throws UsageError without an address, and outside a repository.
 */
export async function readCommits(
  context: Needs<'programs' | 'system'>,
  { since, author }: { readonly since: string; readonly author: string | undefined },
): Promise<readonly Commit[]> {
  const email = author ?? (await git(context, ['config', 'user.email'])).stdout.trim();
  if (email === '')
    throw new UsageError('Git has no e-mail address for you here.', { hint: 'Give the address of the commits: --author you@example.com' });
  const mine = ['--no-merges', '--fixed-strings', `--author=<${email}>`, `--since=${since}`];
  const { code, stdout, stderr } = await git(context, ['log', '--branches', '--remotes', 'HEAD', ...mine, '--format=%H%x1f%at%x1f%B%x1e']);
  if (code === 0) return parseLog(stdout, await branchKeys(context, mine));
  if (/does not have any commits|bad revision|unknown revision|ambiguous argument/.test(stderr)) return [];
  throw notARepository(stderr);
}

/**
 * Returns the keys in the names of branches, by commit. A branch also contains the commits of its parent branch. svc therefore ignores
 * commits that are on a branch without a key.
 */
async function branchKeys(context: Needs<'programs' | 'system'>, mine: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const refs = (await git(context, ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes'])).stdout
    .split('\n')
    .filter((ref) => ref !== '');
  if (!refs.some((ref) => keysIn(ref).length === 1)) return new Map();
  const others = refs.filter((ref) => keysIn(ref).length !== 1).slice(0, MOST_REFS);
  const { stdout } = await git(context, ['log', '--branches', '--remotes', ...mine, '--format=%H%x1f%S', '--not', ...others]);
  return new Map(
    stdout.split('\n').flatMap((line) => {
      const [hash = '', ref = ''] = line.split('\x1f');
      const [key] = keysIn(ref);
      return key === undefined ? [] : [[hash, key]];
    }),
  );
}

const MOST_REFS = 500;

async function git(context: Needs<'programs' | 'system'>, args: readonly string[]): Promise<ProgramResult> {
  try {
    return await context.programs.git(args, context.system.cwd);
  } catch (cause) {
    throw new SvcError('svc could not start git.', { hint: 'Install git. To log by hand, see: svc worklogs add --help', cause });
  }
}

function notARepository(stderr: string): UsageError {
  const reason = stderr.split('\n', 1)[0]?.replace(/^fatal: /, '') ?? '';
  return new UsageError(`There is no git repository to read here${reason === '' ? '.' : `: ${reason}`}`, {
    hint: 'Run the command inside the repository that you work in.',
  });
}

function parseLog(stdout: string, byBranch: ReadonlyMap<string, string>): readonly Commit[] {
  return stdout.split('\x1e').flatMap((record) => {
    const [hash = '', at = '', message = ''] = record.trimStart().split('\x1f');
    if (!/^[0-9a-f]{40,64}$/.test(hash)) return [];
    // A key in the message has precedence over a key in the branch.
    const key = keysIn(message)[0] ?? byBranch.get(hash);
    return [{ hash, at: Number(at) * 1000, subject: message.split('\n', 1)[0]?.trim() ?? '', key }];
  });
}
