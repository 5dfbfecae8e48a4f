import { UsageError } from '../errors.ts';
import type { Needs } from './context.ts';

/** The members of a context that decide between the service and a local database. */
export type AskingAlone = 'forgoCopy' | 'globals' | 'isOffline';

/**
 * Makes a command use the service alone. A command that syncs must not take rows of the local database for those of the service.
 *
 * @param why The beginning of a sentence: `A sync asks the service`.
 * @throws UsageError when the line, the environment or a setting wants answers from the local database.
 */
export async function serviceAlone({ forgoCopy, globals, isOffline }: Needs<AskingAlone>, why: string): Promise<void> {
  forgoCopy();
  const isOn = await isOffline();
  if (isOn || globals.maxAge !== undefined)
    throw new UsageError(`${why}, and ${isOn ? '--offline' : '--max-age'} asks your copy.`, {
      hint: `Leave it out${isOn ? ', or set SVC_OFFLINE=0 where a setting says so' : ''}.`,
    });
}
