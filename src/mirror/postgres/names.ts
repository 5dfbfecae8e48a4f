import { createHash } from 'node:crypto';
import { quoted, tableName } from '../sql-values.ts';
import type { Session } from './session.ts';

/** What svc keeps for itself, beside the tables and their records. */
export const OWN_TABLES = ['svc_mirror', 'svc_tables', 'svc_zones', 'svc_kept', 'svc_changes', 'svc_log'] as const;

/** As long as a table's name may be for that of its records to fit into 63 bytes. */
const LONGEST_TABLE = 63 - postgresRecordTable('').length;

/** Records as they came, beside the table that SQL asks. */
export function postgresRecordTable(table: string): string {
  return `svc_record_${table}`;
}

/** A name in a schema, as SQL has it. */
export function inSchema(schema: string, name: string): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

/** The table of a noun: a name that nothing else in the schema has, and of a length that PostgreSQL does not cut. */
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
    if (!names.has(free) && !names.has(postgresRecordTable(free))) return free;
  }
}

/** The beginning of a text, so many bytes of it at most. */
function shortened(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

function digestOf(noun: string): string {
  return createHash('sha256').update(noun).digest('hex').slice(0, 8);
}
