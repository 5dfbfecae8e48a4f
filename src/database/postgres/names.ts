import { createHash } from 'node:crypto';
import { quoted, recordTable, tableName } from '../sql-values.ts';
import type { Session } from './session.ts';

export const OWN_TABLES = [
  'svc_mirror',
  'svc_tables',
  'svc_pages',
  'svc_touched',
  'svc_zones',
  'svc_kept',
  'svc_changes',
  'svc_log',
] as const;

/** The longest name of a table, in bytes. PostgreSQL allows 63 bytes, also for the longer name of the table of records. */
const LONGEST_TABLE = 63 - recordTable('').length;

export function inSchema(schema: string, name: string): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

export async function hasRelation(session: Session, name: string): Promise<boolean> {
  const [found] = await session.rows<{ readonly there: string | null }>(
    'SELECT to_regclass($1)::text AS there',
    inSchema(session.place.schema, name),
  );
  return (found?.there ?? null) !== null;
}

/** Returns a free table name for a resource, short enough for PostgreSQL. */
export async function freeTable(session: Session, noun: string): Promise<string> {
  const whole = tableName(noun).replaceAll('\0', '');
  const name = Buffer.byteLength(whole) <= LONGEST_TABLE ? whole : `${shortened(whole, LONGEST_TABLE - 9)}_${digestOf(noun)}`;
  const taken = await session.rows<{ readonly relname: string }>(
    'SELECT relname FROM pg_class WHERE relnamespace = $1::text::regnamespace',
    quoted(session.place.schema),
  );
  const names = new Set(taken.map(({ relname }) => relname));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${shortened(name, LONGEST_TABLE - 6)}_${number}`;
    if (!names.has(free) && !names.has(recordTable(free))) return free;
  }
}

/** Returns the start of a string, with at most `bytes` bytes. */
function shortened(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

function digestOf(noun: string): string {
  return createHash('sha256').update(noun).digest('hex').slice(0, 8);
}
