import type { Values } from '../json.ts';
import type { ValidWrite } from './define.ts';

/** Makes the sender the author of a new record without an author. */
export function authoredBy({ kind, values, actor }: ValidWrite): Values {
  return kind === 'create' && (values['user_id'] ?? null) === null ? { user_id: actor.user.id } : {};
}
