import { UsageError } from '../errors.ts';

/** Runs `read`, and puts the flag's name before what it complains about. */
export async function naming<T>(flag: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw withFlagName(flag, error);
  }
}

/** A complaint about a value, with the name of the flag that it was given to; any other failure as it is. */
export function withFlagName(flag: string, error: unknown): unknown {
  return error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`, { hint: error.hint, details: error.details }) : error;
}
