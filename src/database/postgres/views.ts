import { createHash } from 'node:crypto';
import { type ExistingTables, tablesOf } from '../existing-tables.ts';
import { quoted } from '../sql-values.ts';
import type { ViewIndex } from '../view-parts.ts';
import { type NamedView, VIEWS, viewsOf } from '../views.ts';
import { postgresDialect } from './dialect.ts';
import { inSchema } from './names.ts';
import type { Session } from './session.ts';
import { columnsOfTables, storedTables } from './stored-tables.ts';

/** A view that svc created, or another relation that has the name of such a view. */
interface ExistingView {
  readonly name: string;
  /** The digest in the comment of the view. Undefined if svc did not create the relation. */
  readonly made: string | undefined;
  /** The statements that grant other roles their rights to the view. */
  readonly grants: string;
}

export type ExistingViews = ReadonlyMap<string, ExistingView>;

/**
 * Updates the views to match the existing tables, within a transaction.
 *
 * - svc does not change a relation that svc did not create.
 * - svc does not give a view other columns if objects of other users depend on the view.
 * - svc does not create a view if the types of the columns do not fit its query.
 *
 * @param before relations at the start of the transaction. Roles that could read a view can also read its replacement.
 */
export async function makePostgresViews(session: Session, before: ExistingViews): Promise<void> {
  const [wanted, found] = [await wantedIn(session), await existingViews(session)];
  for (const name of VIEWS)
    await replaceView(session, { ...wanted.get(name), name, old: found.get(name), grants: before.get(name)?.grants });
}

interface WantedView {
  readonly name: string;
  /** The query of the view. Undefined to drop the view. */
  readonly select?: string | undefined;
  readonly index?: ViewIndex | undefined;
  readonly old: ExistingView | undefined;
  /** The statements that let other roles read the new view. */
  readonly grants: string | undefined;
}

/** Creates, replaces or drops one view, within a transaction, by the rules of {@link makePostgresViews}. */
export async function replaceView(session: Session, { name, select, index, old, grants = '' }: WantedView): Promise<void> {
  if (old === undefined ? select === undefined : old.made === undefined || old.made === digestOf(select)) return;
  const view = inSchema(session.place.schema, name);
  if (select === undefined) {
    await session.attempt(`DROP VIEW ${view}`);
    return;
  }
  // If the server refuses the index, the view still has the same rows.
  if (index !== undefined)
    await session.attempt(`CREATE INDEX IF NOT EXISTS svc_${digestOf(index.where)} ON ${index.table} (id) WHERE ${index.where}`);
  const made = `VIEW ${view} AS ${select}; COMMENT ON VIEW ${view} IS '${commentOf(select)}'`;
  if (old === undefined) await session.attempt(`CREATE ${made}; ${grants}`);
  else if ((await session.attempt(`CREATE OR REPLACE ${made}`)) !== undefined)
    await session.attempt(`DROP VIEW ${view}; CREATE ${made}; ${grants}`);
}

/** Returns the views of svc that do not match their tables, because objects of other users depend on these views. */
export async function staleViews(session: Session): Promise<readonly string[]> {
  const [wanted, found] = [await wantedIn(session), await existingViews(session)];
  return VIEWS.filter((name) => {
    const made = found.get(name)?.made;
    return made !== undefined && made !== digestOf(wanted.get(name)?.select);
  });
}

/** Returns the views of other users that use a column, directly or through another view. */
export async function viewsUsing(session: Session, table: string, column: string): Promise<readonly string[]> {
  const rows = await session.rows<{ readonly name: string }>(
    `WITH RECURSIVE found(oid) AS (
       SELECT r.ev_class FROM pg_depend d
       JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
       JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
       WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = $1::regclass AND a.attname = $2
       UNION
       SELECT r.ev_class FROM found f
       JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = f.oid
       JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
     )
     SELECT oid::regclass::text AS name FROM found ORDER BY name`,
    table,
    column,
  );
  const own = await ownViews(session);
  return rows
    .map(({ name }) => name)
    .filter(
      (name) =>
        !own.includes(
          name
            .split('.')
            .map((part) => (part.startsWith('"') ? part : quoted(part)))
            .join('.'),
        ),
    );
}

/**
 * Runs statements within a transaction. If views of svc block the statements, svc drops the views first. At the end of the transaction, svc
 * creates the views again.
 */
export async function runWithoutViews(session: Session, sql: string): Promise<void> {
  if ((await session.attempt(sql)) === undefined) return;
  for (const view of await ownViews(session)) await session.attempt(`DROP VIEW ${view}`);
  await session.run(sql);
}

export async function ownViews(session: Session): Promise<readonly string[]> {
  const found = [...(await existingViews(session)).values()];
  return found.flatMap(({ name, made }) => (made === undefined ? [] : [inSchema(session.place.schema, name)]));
}

/** Drops the view of svc that has the same name as a new table. */
export async function dropViewNamed(session: Session, table: string): Promise<void> {
  const view = inSchema(session.place.schema, table);
  if ((await ownViews(session)).includes(view)) await session.attempt(`DROP VIEW ${view}`);
}

export async function postgresTables(session: Session): Promise<ExistingTables> {
  const stored = await storedTables(session);
  const nounOf = new Map(stored.map(({ noun, table }) => [table, noun]));
  const columns = await columnsOfTables(session, [...nounOf.keys()]);
  return tablesOf(columns.map(({ table, name, type }) => ({ noun: nounOf.get(table) ?? '', table, name, type })));
}

async function wantedIn(session: Session): Promise<ReadonlyMap<string, NamedView>> {
  return new Map(viewsOf(await postgresTables(session), postgresDialect(session.place.schema)).map((view) => [view.name, view]));
}

/** Returns the views that svc created, and other relations that have the name of such a view. */
export async function existingViews(session: Session): Promise<ExistingViews> {
  type Row = Readonly<Record<'name', string> & Record<'comment' | 'grants', string | null>>;
  const rows = await session.rows<Row>(
    `SELECT relname AS name, CASE WHEN relkind = 'v' AND pg_get_userbyid(relowner) = current_user THEN obj_description(oid, 'pg_class') END AS comment, (
       SELECT string_agg(format('GRANT %s ON %s TO %s%s', privilege_type, c.oid::regclass,
         CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '; ')
       FROM aclexplode(relacl) WHERE grantee <> relowner
     ) AS grants
     FROM pg_class c WHERE relnamespace = $1::text::regnamespace
       AND (relname = ANY($2) OR relkind = 'v' AND starts_with(obj_description(oid, 'pg_class'), $3))`,
    quoted(session.place.schema),
    VIEWS,
    MADE,
  );
  return new Map(
    rows.map(({ name, comment, grants }) => {
      const made = COMMENT.exec(comment ?? '')?.[1];
      return [name, { name, made, grants: made === undefined ? '' : (grants ?? '') }];
    }),
  );
}

/**
 * Returns the comment of a view. The comment and the owner show that svc created the view. pg_dump keeps the comment. If somebody drops
 * and creates the view, the new view lacks the comment.
 */
function commentOf(select: string): string {
  return `${MADE}, and made again with its tables (${digestOf(select)}).`;
}

/** The start of the comment on each view that svc creates. */
const MADE = 'Made by svc sync';

const COMMENT = /^Made by svc sync, .* \(([0-9a-f]{16})\)\.$/;

function digestOf(select: string | undefined): string | undefined {
  return select === undefined ? undefined : createHash('sha256').update(select).digest('hex').slice(0, 16);
}
