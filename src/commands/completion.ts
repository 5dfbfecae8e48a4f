import { completionScript, SHELLS, type Shell } from '../cli/complete/scripts/index.ts';
import { type CommandSpec, defineCommand, type LoadedCommand, toggle } from '../cli/spec.ts';
import { SvcError } from '../errors.ts';
import type { Context, Needs } from '../session/context.ts';
import { pathIn } from '../values/paths.ts';

export function completionCommand(root: CommandSpec): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: [],
    description:
      'svc prints a completion script for your shell. The script completes commands, flags, their values, and records of your organisation: projects, work items, users, statuses. svc fills a cache with these names in the background. Tab waits only for allowed transitions, at most 0.7 s.',
    args: [{ name: 'shell', summary: 'Your shell', choices: SHELLS }],
    options: { install: toggle('--install', 'Install the script for your shell, and print its path') },
    examples: [
      { args: 'completion zsh --install', does: 'Install completion for zsh' },
      { args: 'completion fish | source', does: 'Try completion in the current fish' },
      { args: 'completion bash > svc.bash', does: 'Write the script to a file' },
    ],
    async run(context: Needs<'env' | 'files' | 'notice' | 'paths' | 'stdio' | 'system'>, { args: [name], options }) {
      // The parser accepts no other names.
      const shell = name as Shell;
      const script = await completionScript(shell, root);
      if (options.install) await install(context, shell, script);
      else await context.stdio.stdout.writeData(script);
    },
  });
}

async function install(context: Needs<'env' | 'files' | 'notice' | 'paths' | 'system'>, shell: Shell, script: string): Promise<void> {
  const { files } = context;
  const place = placeOf(context, shell);
  if ((await files.readText(place.script)) === script) await context.notice(`${place.script} is up to date.`);
  else {
    await files.writeAtomic(place.script, script, 0o644);
    await context.notice(`Wrote ${place.script}`);
  }
  if (place.startup !== undefined) {
    const { path, line } = place.startup;
    const before = (await files.readText(path)) ?? '';
    if (before.split('\n').includes(line)) await context.notice(`${path} already contains the line for completion.`);
    else {
      const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${line}\n`;
      await files.writeThroughLink(path, text).catch((cause: unknown) => {
        throw new SvcError(`${path} cannot be written: ${cause instanceof Error ? cause.message : cause}`, {
          hint: `Add this line yourself: ${line}`,
          cause,
        });
      });
      await context.notice(`Added to ${path}: ${line}`);
    }
  }
  await context.notice(place.next);
}

interface Place {
  readonly script: string;
  readonly startup?: { readonly path: string; readonly line: string };
  readonly next: string;
}

function placeOf({ env, system, paths }: Needs<'env' | 'paths' | 'system'>, shell: Shell): Place {
  const data = env['XDG_DATA_HOME'] || `${system.home}/.local/share`;
  const config = env['XDG_CONFIG_HOME'] || `${system.home}/.config`;
  switch (shell) {
    case 'bash': {
      const script = `${data}/bash-completion/completions/svc`;
      return { script, next: `Open a new bash to use completion. Without bash-completion, add to ~/.bashrc: source '${script}'` };
    }
    case 'zsh': {
      const script = `${data}/svc/completion.zsh`;
      return {
        script,
        startup: { path: `${env['ZDOTDIR'] || system.home}/.zshrc`, line: `source '${script}' # completion of svc` },
        next: 'Open a new zsh to use completion.',
      };
    }
    case 'fish':
      return { script: `${config}/fish/completions/svc.fish`, next: 'Open a new fish to use completion.' };
    case 'powershell': {
      const script = pathIn(paths.config, 'completion.ps1');
      return { script, next: `Add to the file that $PROFILE names: . '${script}'` };
    }
  }
}
