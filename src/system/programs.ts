import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Programs } from '../deps.ts';
import { splitWords } from '../values/split-words.ts';

/** Runs editors and pagers with the terminal handed over. */
export function createPrograms(env: Readonly<Record<string, string | undefined>>): Pick<Programs, 'run'> {
  return {
    async run(commandLine, extraArgs, input) {
      const [command, ...args] = splitWords(commandLine);
      if (command === undefined) throw new Error('The command is empty.');
      const child = spawn(command, [...args, ...extraArgs], {
        stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
        env,
      });
      const closed = once(child, 'close');
      // Attached now, so that a command that cannot start rejects here and not as an unhandled error.
      closed.catch(() => undefined);
      try {
        if (input !== undefined && child.stdin !== null) await feed(child.stdin, input);
      } finally {
        // Also when the input fails half way: the terminal is the program's until the person leaves it.
        child.stdin?.end();
        await closed;
      }
      const [code] = (await closed) as [number | null];
      return code ?? 1;
    },
  };
}

/** Writes all of `input`, or as much as the program takes: a pager that is quit early is no failure. */
async function feed(stdin: NodeJS.WritableStream, input: AsyncIterable<string>): Promise<void> {
  let open = true;
  stdin.on('error', () => {
    open = false;
  });
  for await (const text of input) {
    if (!open) break;
    if (!stdin.write(text)) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]).catch(() => undefined);
  }
}
