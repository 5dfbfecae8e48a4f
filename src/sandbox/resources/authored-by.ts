import type { Values } from '../json.ts';
import type { Change } from './define.ts';

/** A record without an author is written by whoever sends it. */
export function authoredBy({ kind, values, actor }: Change): Values {
  return kind === 'create' && (values['user_id'] ?? null) === null ? { user_id: actor.user.id } : {};
}
