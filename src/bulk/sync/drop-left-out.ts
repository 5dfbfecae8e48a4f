import { isLeftOut } from '../export/collections.ts';
import type { SyncRun } from './run.ts';

/**
 * Removes the tables of resources that `sync-exclude` names. An empty table would suggest that there are no records.
 *
 * @param without names in the setting.
 */
export async function dropLeftOut({ context, mirror }: Pick<SyncRun, 'context' | 'mirror'>, without: readonly string[]): Promise<void> {
  for (const noun of (await mirror.states()).keys()) {
    if (!isLeftOut(noun, without)) continue;
    await mirror.drop(noun);
    await context.notice(`${noun} was removed from the local database, because sync-exclude names it.`);
  }
}
