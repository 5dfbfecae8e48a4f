import { utcSeconds } from '../../values/utc-seconds.ts';
import { isLeftOut, leftOut } from '../left-out.ts';
import type { SyncRun } from './run.ts';

/** Takes out of a mirror what it had of them before the setting was made. That they have no rows is not known of the service. */
export async function emptyLeftOut({ context, mirror, shapeOf }: Pick<SyncRun, 'context' | 'mirror' | 'shapeOf'>): Promise<void> {
  const without = await leftOut(context);
  const held = [...(await mirror.states()).values()].filter(({ noun, rows }) => rows > 0 && isLeftOut(noun, without));
  for (const { noun, path, whole_at } of held) {
    const change = { path, as_of: utcSeconds(context.clock.now()), whole_at, known_by: 'changes' } as const;
    await mirror.replace(await shapeOf(noun), [], change);
    await context.notice(`${noun} has no rows here any more: the setting copy-without leaves it out.`);
  }
}
