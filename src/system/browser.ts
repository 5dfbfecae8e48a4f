import type { Browser, Env } from '../deps.ts';
import { browserCommand } from '../values/command-line.ts';
import { type Surroundings, searchPath, splitCommandLine, startProgram } from './programs.ts';

/**
 * Creates an object that opens addresses in the browser. The command comes from `SVC_BROWSER`, `BROWSER`, the setting or the system, in
 * this order. A command gets the address in place of `%s`, or at the end. svc does not wait for the browser.
 */
export function createBrowser(env: Env, platform: NodeJS.Platform): Browser {
  return {
    async open(url, configured) {
      const protocol = URL.canParse(url) ? new URL(url).protocol : '';
      if (protocol !== 'https:' && protocol !== 'http:') throw new Error('svc opens only http and https addresses in a browser');
      const chosen = browserCommand(env, configured);
      if (chosen) return await start(splitCommandLine(chosen, platform), { env, platform }, url);
      await openBySystem(url, { env, platform });
    },
  };
}

/** Opens an address with the system’s own program. The package `open` finds this program in the PATH of this process. */
async function openBySystem(url: string, surroundings: Surroundings): Promise<void> {
  const { default: open } = await import('open');
  const before = process.env['PATH'];
  try {
    process.env['PATH'] = searchPath(surroundings) ?? '';
    await open(url);
  } finally {
    if (before === undefined) delete process.env['PATH'];
    else process.env['PATH'] = before;
  }
}

async function start([command = '', ...rest]: readonly string[], surroundings: Surroundings, url: string): Promise<void> {
  const args = rest.some((word) => word.includes('%s')) ? rest.map((word) => word.replaceAll('%s', () => url)) : [...rest, url];
  (await startProgram([command, ...args], surroundings, 'ignore', { detached: true })).unref();
}
