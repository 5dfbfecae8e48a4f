import type { Globals } from '../cli/globals.ts';
import { OutputClosed } from '../deps.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { isOn } from './environment.ts';
import type { Guarded, Screen } from './guard-terminal.ts';
import { createStatusLine } from './status-line.ts';

export type StderrLines = ReturnType<typeof createStderrLines>;

export function createStderrLines(
  { clock, env, interrupts, stdio }: Pick<Guarded, 'clock' | 'env' | 'interrupts' | 'stdio'>,
  globals: Globals,
  accessible: () => Promise<boolean>,
) {
  const quiet = globals.quiet === true;
  const statusLine = createStatusLine(stdio.stderr, quiet || env['TERM'] === 'dumb', { accessible, clock });
  let waiting: (() => Promise<void>)[] | undefined;
  const writeLine = async (line: string, width?: number) => {
    if (waiting !== undefined) {
      waiting.push(() => writeLine(line, width));
      return;
    }
    statusLine.clear();
    await writeTo(stdio.stderr, line, width);
  };
  const notice = async (line: string) => {
    if (!quiet) await writeLine(line, stdio.stderr.columns);
  };
  const notify = (line: string) => void notice(line);
  const printed = new Set<string>();
  return {
    statusLine,
    debugging: globals.debug === true || isOn(env['SVC_DEBUG']),
    /** Prints a line of `--debug`, even with `--quiet`. */
    debug: (line: string) => void writeLine(line),
    notice,
    notify,
    notifyOnce(line: string): void {
      if (!printed.has(line)) notify(line);
      printed.add(line);
    },
    async holdNotices<T>(work: () => Promise<T>): Promise<T> {
      waiting = [];
      try {
        return await interrupts.lend(work);
      } finally {
        const lines = waiting;
        waiting = undefined;
        for (const write of lines) await write();
      }
    },
  };
}

async function writeTo(output: Screen, line: string, width = Number.POSITIVE_INFINITY): Promise<void> {
  const shown = neutraliseLine(line);
  try {
    await output.write(`${shown.length > width ? (await import('../output/wrap.ts')).wrap(shown, width) : shown}\n`);
  } catch (error) {
    // If nobody reads stderr, the command still succeeds.
    if (!(error instanceof OutputClosed)) throw error;
  }
}
