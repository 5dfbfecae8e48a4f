import { UsageError } from '../errors.ts';

/** Runs `read`, and puts the flag's name before the message of a UsageError. */
export async function naming<T>(flag: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw withFlagName(flag, error);
  }
}

/** A UsageError with the flag's name before its message; any other error unchanged. */
export function withFlagName(flag: string, error: unknown): unknown {
  return error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`, { hint: error.hint, details: error.details }) : error;
}
