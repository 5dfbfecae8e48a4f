import { UsageError } from '../errors.ts';

export async function naming<T>(flag: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw withFlagName(flag, error);
  }
}

export function withFlagName(flag: string, error: unknown): unknown {
  return error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`, { hint: error.hint, details: error.details }) : error;
}
