import { GLOBAL_OPTIONS } from '../cli/globals.ts';
import { spellingsOf } from '../cli/resolve.ts';

/** Flags of writes that no field of a description may have; those of svc's own way to log hours among them. */
const OF_WRITES = [
  'field',
  'raw-field',
  'data',
  'view',
  'idempotency-key',
  'if-match',
  'if-unchanged',
  'html',
  'include',
  'help',
  'version',
  'repeat',
  'from',
  'to',
  'like',
  'later',
  'no-check',
  'no-context',
];

/** Every flag that means something else already, without dashes. */
export function takenFlags(): ReadonlySet<string> {
  const everywhere = Object.values(GLOBAL_OPTIONS).flatMap(({ flags }) => spellingsOf(flags));
  return new Set([...everywhere.map((flag) => flag.replace(/^--?/, '')), ...OF_WRITES]);
}
