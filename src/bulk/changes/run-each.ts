import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { splitWords } from '../../values/command-line.ts';
import { type JsonObject, stringifyJson } from '../../values/json.ts';
import { quote } from '../../values/text.ts';

/** The first wait before a failed command runs again (`FIRST_WAIT`) and the longest (`LONGEST_WAIT`), in milliseconds. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 300_000;

export type Running = 'clock' | 'interrupts' | 'notice' | 'programs' | 'signal';

export type RunFor = (change: JsonObject) => Promise<number>;

/**
 * Prepares the command of `--exec`. svc splits the command into words as a shell does, and runs the command without a shell. The command
 * gets the change as one line of JSON on standard input. Data of a record is therefore never part of the command. The command’s output goes
 * to the output of svc. If you interrupt svc, svc waits until the command ends.
 *
 * @throws UsageError for an empty command. The returned function throws UsageError if svc can’t start the command.
 */
export function runnerOf({ interrupts, programs }: Needs<Running>, typed: string): RunFor {
  if (splitWords(typed).length === 0) throw new UsageError('--exec: the command is empty.', { hint: 'For example: --exec ./on-change.sh' });
  return (change) =>
    interrupts.defer(async () => {
      try {
        return await programs.run(typed, [], lineOf(change));
      } catch (cause) {
        throw new UsageError(`svc could not start the command of --exec: ${quote(typed)}.`, {
          hint: 'svc runs the command without a shell. For a shell command: --exec "sh -c \'…\'"',
          cause,
        });
      }
    });
}

async function* lineOf(change: JsonObject): AsyncGenerator<string> {
  yield `${stringifyJson(change)}\n`;
}

/** Runs the command for a change until the command exits with 0. The caller then continues with the next change. */
export async function runUntilDone(context: Needs<Running>, run: RunFor, change: JsonObject): Promise<void> {
  const { clock, notice, signal } = context;
  for (let failures = 0; ; failures += 1) {
    const code = await run(change);
    if (code === 0) return;
    signal.throwIfAborted();
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10));
    await notice(`The command exited with ${code} for the change ${change['id']}. svc tries again in ${wait / 1000} s.`);
    await clock.sleep(wait, signal);
  }
}
