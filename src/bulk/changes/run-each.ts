import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { type JsonObject, stringifyJson } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import { splitWords } from '../../values/split-words.ts';

/** In milliseconds: until a command that failed is run again while following, at first and at most. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 300_000;

/** What it takes of a context to run a command for each change. */
export type Running = 'clock' | 'interrupts' | 'notice' | 'programs' | 'signal';

/** Runs a command for a change, and gives its exit code. */
export type RunFor = (change: JsonObject) => Promise<number>;

/**
 * The command of `--exec`: split into words as a shell does, and run without one, so that nothing in a record is ever part of it. The change is
 * a line of JSON on its standard input; what it prints goes where svc prints. An interrupt waits until it has ended.
 *
 * @throws UsageError where it cannot be started.
 */
export function runnerOf({ interrupts, programs }: Needs<Running>, typed: string): RunFor {
  if (splitWords(typed).length === 0) throw new UsageError('--exec: the command is empty.', { hint: 'For example: --exec ./on-change.sh' });
  return (change) =>
    interrupts.defer(async () => {
      try {
        return await programs.run(typed, [], lineOf(change));
      } catch (cause) {
        throw new UsageError(`--exec: ${quote(typed)} could not be started.`, {
          hint: 'It is run without a shell. For more than a command: --exec "sh -c \'…\'"',
          cause,
        });
      }
    });
}

async function* lineOf(change: JsonObject): AsyncGenerator<string> {
  yield `${stringifyJson(change)}\n`;
}

/** Runs it for a change until it ends with 0: whoever follows wants the changes in their order, and none left out. */
export async function runUntilDone(context: Needs<Running>, run: RunFor, change: JsonObject): Promise<void> {
  const { clock, notice, signal } = context;
  for (let failures = 0; ; failures += 1) {
    const code = await run(change);
    if (code === 0) return;
    signal.throwIfAborted();
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10));
    await notice(`The command ended with ${code} for the change ${change['id']}; again in ${wait / 1000} s.`);
    await clock.sleep(wait, signal);
  }
}
