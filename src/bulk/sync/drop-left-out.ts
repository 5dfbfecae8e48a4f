import { isLeftOut } from '../left-out.ts';
import type { SyncRun } from './run.ts';

/** Takes out of a mirror the tables that it had before the setting was made. A table without rows would say that there are none. @param without what it names. */
export async function dropLeftOut({ context, mirror }: Pick<SyncRun, 'context' | 'mirror'>, without: readonly string[]): Promise<void> {
  for (const noun of (await mirror.states()).keys()) {
    if (!isLeftOut(noun, without)) continue;
    await mirror.drop(noun);
    await context.notice(`${noun} is not here any more: the setting sync-exclude leaves it out.`);
  }
}
