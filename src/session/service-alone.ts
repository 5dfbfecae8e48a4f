import { UsageError } from '../errors.ts';
import type { Needs } from './context.ts';

/** What it takes of a context to ask the service and no copy. */
export type AskingAlone = 'forgoCopy' | 'globals' | 'isOffline';

/**
 * For a command that a copy cannot answer: one that syncs would take what the copy has for what the service has now.
 *
 * @param why a sentence's beginning: `A sync asks the service`.
 * @throws UsageError where the line, the environment or a setting wants the copy to answer.
 */
export async function serviceAlone({ forgoCopy, globals, isOffline }: Needs<AskingAlone>, why: string): Promise<void> {
  forgoCopy();
  const isOn = await isOffline();
  if (isOn || globals.maxAge !== undefined)
    throw new UsageError(`${why}, and ${isOn ? '--offline' : '--max-age'} asks your copy.`, {
      hint: `Leave it out${isOn ? ', or set SVC_OFFLINE=0 where a setting says so' : ''}.`,
    });
}
