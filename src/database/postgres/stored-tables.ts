import type { SqlColumn } from '../sql-dialect.ts';
import { quoted } from '../sql-values.ts';
import { inSchema } from './names.ts';
import type { Session } from './session.ts';

interface StoredTable {
  readonly noun: string;
  readonly table: string;
}

interface TableColumn extends SqlColumn {
  readonly table: string;
  readonly comment: string | null;
}

export function storedTables(session: Session): Promise<readonly StoredTable[]> {
  return session.rows(`SELECT noun, "table" FROM ${inSchema(session.place.schema, 'svc_tables')} ORDER BY noun COLLATE "C"`);
}

/**
 * Returns the columns of the given tables in the schema, by position. A distributed server (Citus) can’t join a distributed table with the
 * system catalog, so the caller gives the names.
 */
export function columnsOfTables(session: Session, tables: readonly string[]): Promise<readonly TableColumn[]> {
  return session.rows(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, col_description(c.oid, a.attnum) AS comment
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = $1::text::regnamespace AND c.relname = ANY($2) ORDER BY a.attnum`,
    quoted(session.place.schema),
    tables,
  );
}
