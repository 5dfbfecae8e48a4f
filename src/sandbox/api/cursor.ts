import { createHash } from 'node:crypto';
import { isObject, type Json } from '../json.ts';
import { Problem } from '../problem.ts';
import type { RowPosition } from './order.ts';

/** The start of a page: after this position, or before it when `back`. */
export interface Cursor {
  readonly back: boolean;
  readonly position: RowPosition;
}

/** A short name for everything a cursor is tied to (rule 8.9). */
export function cursorFingerprint(parts: readonly Json[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

export function writeCursor(query: string, { back, position }: Cursor): string {
  return Buffer.from(JSON.stringify({ q: query, b: back, p: position })).toString('base64url');
}

/** @throws Problem `invalid-cursor` when it was not made for this query. */
export function readCursor(query: string, text: string): Cursor {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    value = undefined;
  }
  if (!isObject(value) || value['q'] !== query || !Array.isArray(value['p']) || typeof value['b'] !== 'boolean') {
    throw new Problem(400, 'invalid-cursor', 'The cursor was made for another query. Start again without it.', {
      members: { code: 'invalid_cursor', parameter: 'cursor' },
    });
  }
  return { back: value['b'], position: value['p'] };
}
