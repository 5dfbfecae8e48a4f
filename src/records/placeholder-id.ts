import type { Needs } from '../session/context.ts';
import type { JsonValue } from '../values/json.ts';

/** Returns a placeholder for the id of a name or key, because a dry run sends no request. Prints one notice for all placeholders. */
export function placeholderId({ notifyOnce }: Needs<'notifyOnce'>, typed: string): string {
  notifyOnce(
    'A dry run sends no request, so svc did not look up names and keys. The real run fails if a name or key matches no record, or several records.',
  );
  return `${START} ${typed.trim()}>`;
}

const START = '<id of';

/** Returns true if a value can come from {@link placeholderId}. */
export function isPlaceholder(value: JsonValue): boolean {
  return typeof value === 'string' && value.startsWith(START);
}
