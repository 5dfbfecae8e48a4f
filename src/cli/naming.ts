import { UsageError } from '../errors.ts';

/** Runs `read`, and puts the flag's name before what it complains about. */
export async function naming<T>(flag: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`, { hint: error.hint, details: error.details }) : error;
  }
}
