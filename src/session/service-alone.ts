import { UsageError } from '../errors.ts';
import type { Needs } from './context.ts';

/**
 * For a command that a copy cannot answer.
 *
 * @param why a sentence's beginning: `A sync asks the service`.
 * @throws UsageError where the line, the environment or a setting wants the copy to answer.
 */
export async function serviceAlone({ globals, isOffline }: Needs<'globals' | 'isOffline'>, why: string): Promise<void> {
  const isOn = await isOffline();
  if (isOn || globals.fresh !== undefined)
    throw new UsageError(`${why}, and ${isOn ? '--offline' : '--fresh'} asks your copy.`, {
      hint: `Leave it out${isOn ? ', or set SVC_OFFLINE=0 where a setting says so' : ''}.`,
    });
}
