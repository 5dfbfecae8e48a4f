import pg from 'pg';
import type { Resource } from '../../catalog/define.ts';
import { namedColumns, type TableReference } from '../named-columns.ts';
import { OTHERS, quoted, recordTable } from '../sql-values.ts';
import type { PostgresPlace } from './address.ts';
import { inSchema } from './names.ts';
import { inSession, type Session } from './session.ts';
import { columnsOfTables, storedTables } from './stored-tables.ts';
import { existingViews, replaceView } from './views.ts';

const FOREIGN_KEY = 'svc_ref_';

interface Table {
  readonly noun: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly comment: string | null }[];
}

/**
 * Describes the tables for other programs: comments, a view `<table>_named` with names beside ids, and foreign keys.
 *
 * The tables can lack referenced records that the account can’t see. PostgreSQL therefore does not check the existing rows against a
 * foreign key. The next sync removes the foreign keys first, so that the sync can store such rows.
 *
 * @param find returns the catalog’s description of a resource.
 * @param hasForeignKeys true to create foreign keys.
 * @throws as {@link inSession}; DatabaseError if the server refuses a statement.
 */
export async function describeTables(
  place: PostgresPlace,
  find: (noun: string) => Promise<Resource | undefined>,
  hasForeignKeys: boolean,
): Promise<void> {
  return inSession(place, async (session) => {
    await session.transaction(async () => {
      const tables = await tablesIn(session);
      const views = await existingViews(session);
      for (const table of tables) {
        const fields = (await find(table.noun))?.fields ?? {};
        const references = table.columns.flatMap(({ name, type }): readonly TableReference<Table>[] => {
          const to = tables.find(({ noun }) => noun === (Object.hasOwn(fields, name) ? fields[name]?.ref : undefined));
          return to === undefined || type !== 'bigint' || name === 'id' ? [] : [{ column: name, to }];
        });
        await comment(session, table, references);
        const name = `${table.name}_named`;
        const old = views.get(name);
        await replaceView(session, { name, select: namedView(session, table, references), old, grants: old?.grants });
        if (hasForeignKeys) for (const reference of references) await refer(session, table, reference);
      }
    });
  });
}

export async function dropForeignKeys(session: Session): Promise<void> {
  const found = await session.rows<{ readonly table: string; readonly name: string }>(
    `SELECT r.relname AS table, c.conname AS name FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
     WHERE r.relnamespace = $1::text::regnamespace AND c.contype = 'f' AND starts_with(c.conname, $2)`,
    quoted(session.place.schema),
    FOREIGN_KEY,
  );
  for (const { table, name } of found)
    await session.run(`ALTER TABLE ${inSchema(session.place.schema, table)} DROP CONSTRAINT ${quoted(name)}`);
}

async function tablesIn(session: Session): Promise<readonly Table[]> {
  const stored = await storedTables(session);
  const columns = await columnsOfTables(
    session,
    stored.map(({ table }) => table),
  );
  return stored.map(({ noun, table: name }) => ({ noun, name, columns: columns.filter(({ table }) => table === name) }));
}

/**
 * Adds a comment to each column with a reference that has no comment yet. If the column of other fields has no comment, also adds a comment
 * to that column. The table of rows and the table of records then get comments too.
 */
async function comment(session: Session, { noun, name, columns }: Table, references: readonly TableReference<Table>[]): Promise<void> {
  const { schema } = session.place;
  const write = (what: string, text: string) => session.run(`COMMENT ON ${what} IS ${pg.escapeLiteral(text)}`);
  const rows = inSchema(schema, name);
  const isBare = (column: string) => columns.find((each) => each.name === column)?.comment === null;
  if (isBare(OTHERS)) {
    await write(`TABLE ${rows}`, `The resource ${noun}, stored by svc sync. svc_status shows the time of the last check.`);
    await write(`TABLE ${inSchema(schema, recordTable(name))}`, `The records of ${noun} as the service sent them.`);
    await write(`COLUMN ${rows}.${quoted(OTHERS)}`, 'Fields without a column, and values that do not fit their column.');
  }
  for (const { column, to } of references)
    if (isBare(column)) await write(`COLUMN ${rows}.${quoted(column)}`, `The id of a record in ${to.name}.`);
}

/** Returns the query of the view with names beside ids. Undefined if no related table has names. */
function namedView(session: Session, { name, columns }: Table, references: readonly TableReference<Table>[]): string | undefined {
  const table = (of: string) => inSchema(session.place.schema, of);
  const labels = namedColumns({ name, columns }, references);
  if (labels.length === 0) return undefined;
  const shown = labels.map(({ shown, label }, index) => `r${index}.${quoted(label)} AS ${quoted(shown)}`);
  const joins = labels.map(({ table: to, column }, index) => `LEFT JOIN ${table(to)} AS r${index} ON r${index}.id = t.${quoted(column)}`);
  return `SELECT ${[...columns.map((column) => `t.${quoted(column.name)}`), ...shown].join(', ')} FROM ${table(name)} AS t ${joins.join(' ')}`;
}

async function refer({ place, run }: Session, { name }: Table, { column, to }: TableReference<Table>): Promise<void> {
  const constraint = quoted(`${FOREIGN_KEY}${column}`.slice(0, 63));
  const reference = `FOREIGN KEY (${quoted(column)}) REFERENCES ${inSchema(place.schema, to.name)} (id) NOT VALID`;
  await run(
    `ALTER TABLE ${inSchema(place.schema, name)} DROP CONSTRAINT IF EXISTS ${constraint}, ADD CONSTRAINT ${constraint} ${reference}`,
  );
}
