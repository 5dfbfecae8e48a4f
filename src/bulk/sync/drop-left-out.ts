import { isLeftOut } from '../export/collections.ts';
import type { SyncRun } from './run.ts';

/**
 * Removes the tables that a local database had before `sync-exclude` named them. An empty table would say that there are no records.
 *
 * @param without The names in the setting.
 */
export async function dropLeftOut({ context, mirror }: Pick<SyncRun, 'context' | 'mirror'>, without: readonly string[]): Promise<void> {
  for (const noun of (await mirror.states()).keys()) {
    if (!isLeftOut(noun, without)) continue;
    await mirror.drop(noun);
    await context.notice(`${noun} is not here any more: the setting sync-exclude leaves it out.`);
  }
}
