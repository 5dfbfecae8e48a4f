import { spawn } from 'node:child_process';
import type { Browser, Env } from '../deps.ts';
import { browserCommand } from '../values/browser-command.ts';
import { splitWords } from '../values/split-words.ts';

/**
 * The person's browser: the command in `SVC_BROWSER`, then in `BROWSER`, then the configured one, then what the system opens
 * addresses with. A command is given the address as its last argument, or in place of `%s`. It is not waited for, and it outlives svc.
 */
export function createBrowser(env: Env, platform: NodeJS.Platform): Browser {
  return {
    async open(url, configured) {
      const protocol = URL.canParse(url) ? new URL(url).protocol : '';
      if (protocol !== 'https:' && protocol !== 'http:') throw new Error('only http and https addresses are opened in a browser');
      const chosen = browserCommand(env, configured);
      // On Windows a backslash is a part of a path, not an escape.
      if (chosen) return await start(splitWords(platform === 'win32' ? chosen.replaceAll('\\', '\\\\') : chosen), url);
      const { default: open } = await import('open');
      await open(url);
    },
  };
}

function start(words: readonly string[], url: string): Promise<void> {
  const [command = '', ...rest] = words;
  const args = rest.some((word) => word.includes('%s')) ? rest.map((word) => word.replaceAll('%s', () => url)) : [...rest, url];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
