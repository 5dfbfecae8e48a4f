import type { Values } from '../json.ts';
import type { ValidWrite } from './define.ts';

/** A record without an author is written by whoever sends it. */
export function authoredBy({ kind, values, actor }: ValidWrite): Values {
  return kind === 'create' && (values['user_id'] ?? null) === null ? { user_id: actor.user.id } : {};
}
