import type { Needs } from '../session/context.ts';

/** Returns a placeholder for the id of a name or key in a dry run, which looks up nothing. Reports that once on stderr. */
export function placeholderId({ notifyOnce }: Needs<'notifyOnce'>, typed: string): string {
  notifyOnce(
    'A dry run sends no request, so svc did not look up names and keys. The real run fails if one of these matches no record, or several.',
  );
  return `<id of ${typed.trim()}>`;
}
