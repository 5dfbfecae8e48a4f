import { createHash } from 'node:crypto';
import type { TemporalNamespace } from '../../values/temporal.ts';
import { quoted } from '../sql-values.ts';
import { type ColumnThere, type TablesThere, tablesOf } from '../tables-there.ts';
import { VIEWS, viewsOf } from '../views.ts';
import { offsetsOf, ZONES } from '../zones.ts';
import { postgresDialect } from './dialect.ts';
import { inSchema } from './names.ts';
import type { Session } from './session.ts';

/** A relation of the schema that has the name of a view. */
interface ViewThere {
  readonly name: string;
  /** What its comment says it was made of; undefined for what is not svc's. */
  readonly made: string | undefined;
  /** Statements that let those read it who may. */
  readonly grants: string;
}

/** Relations that have names of views, by these. */
export type ViewsThere = ReadonlyMap<string, ViewThere>;

/**
 * Makes the views as the tables there are have them, within a transaction. What has such a name and is not svc's comes first. A view on which
 * something of another's stands, so that it cannot be another, stays as it was; one that the types of columns do not allow is not there.
 *
 * @param before what there was when the transaction began: who could read a view may read the one that is made in its place.
 */
export async function makePostgresViews(session: Session, before: ViewsThere): Promise<void> {
  const { schema } = session.place;
  const [wanted, found] = [await wantedIn(session), await viewsThere(session)];
  for (const name of VIEWS) {
    const [select, old] = [wanted.get(name), found.get(name)];
    if (old === undefined ? select === undefined : old.made === undefined || old.made === digestOf(select)) continue;
    const view = inSchema(schema, name);
    if (select === undefined) {
      await session.attempt(`DROP VIEW ${view}`);
      continue;
    }
    const made = `VIEW ${view} AS ${select}; COMMENT ON VIEW ${view} IS '${commentOf(select)}'`;
    const last = `; ${before.get(name)?.grants ?? ''}`;
    if (old === undefined) await session.attempt(`CREATE ${made}${last}`);
    else if ((await session.attempt(`CREATE OR REPLACE ${made}`)) !== undefined)
      await session.attempt(`DROP VIEW ${view}; CREATE ${made}${last}`);
  }
}

/** Views of svc's that are not as the tables would have them, since something of another's stands on them. */
export async function staleViews(session: Session): Promise<readonly string[]> {
  const [wanted, found] = [await wantedIn(session), await viewsThere(session)];
  return [...found.values()].flatMap(({ name, made }) => (made === undefined || made === digestOf(wanted.get(name)) ? [] : [name]));
}

/** Runs, within a transaction, what views of svc's may stand in the way of: they go first then, and come again at its end. */
export async function besideViews(session: Session, sql: string): Promise<void> {
  if ((await session.attempt(sql)) === undefined) return;
  for (const view of await ownViews(session)) await session.attempt(`DROP VIEW ${view}`);
  await session.run(sql);
}

/** Those that svc made, as statements name them. */
export async function ownViews(session: Session): Promise<readonly string[]> {
  const found = [...(await viewsThere(session)).values()];
  return found.flatMap(({ name, made }) => (made === undefined ? [] : [inSchema(session.place.schema, name)]));
}

/** Lets a table have its name, where a view of svc's has it. */
export async function giveWay(session: Session, table: string): Promise<void> {
  const view = inSchema(session.place.schema, table);
  if ((await ownViews(session)).includes(view)) await session.attempt(`DROP VIEW ${view}`);
}

/** Keeps what clocks show where the people of the mirror are, as far as that is not there yet. @param own that of whoever syncs; as it was if not given. */
export async function addPostgresZones(session: Session, temporal: TemporalNamespace, own: string | undefined): Promise<void> {
  const { schema } = session.place;
  const zones = inSchema(schema, ZONES);
  const add = async (name: string, zone: string) => {
    const offsets = offsetsOf(zone, temporal) ?? [];
    await session.rows(
      `INSERT INTO ${zones} SELECT $1, * FROM unnest($2::text[], $3::integer[]) ON CONFLICT DO NOTHING`,
      ...[name, offsets.map(({ since }) => since), offsets.map(({ minutes }) => minutes)],
    );
  };
  if (own !== undefined) {
    await session.rows(`DELETE FROM ${zones} WHERE zone = ''`);
    await add('', own);
  }
  const users = (await tablesIn(session)).get('users');
  if (users?.columns.get('timezone') !== 'text') return;
  const missing = `SELECT DISTINCT timezone FROM ${inSchema(schema, users.table)} WHERE timezone NOT IN (SELECT zone FROM ${zones})`;
  for (const { timezone } of await session.rows<{ readonly timezone: string }>(missing)) await add(timezone, timezone);
}

async function tablesIn(session: Session): Promise<TablesThere> {
  const { schema } = session.place;
  return tablesOf(
    await session.rows<ColumnThere>(
      `SELECT t.noun, t."table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
       FROM ${inSchema(schema, 'svc_tables')} t
       JOIN pg_class c ON c.relname = t."table" AND c.relnamespace = $1::text::regnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`,
      quoted(schema),
    ),
  );
}

async function wantedIn(session: Session): Promise<ReadonlyMap<string, string>> {
  return new Map(viewsOf(await tablesIn(session), postgresDialect(session.place.schema)).map(({ name, select }) => [name, select]));
}

/** What there is under the names of views, svc's or not. */
export async function viewsThere(session: Session): Promise<ViewsThere> {
  type Row = Readonly<Record<'name', string> & Record<'comment' | 'grants', string | null>>;
  const rows = await session.rows<Row>(
    `SELECT relname AS name, CASE WHEN relkind = 'v' AND pg_get_userbyid(relowner) = current_user THEN obj_description(oid, 'pg_class') END AS comment, (
       SELECT string_agg(format('GRANT %s ON %s TO %s%s', privilege_type, c.oid::regclass,
         CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '; ')
       FROM aclexplode(relacl) WHERE grantee <> relowner
     ) AS grants
     FROM pg_class c WHERE relnamespace = $1::text::regnamespace AND relname = ANY($2)`,
    quoted(session.place.schema),
    VIEWS,
  );
  return new Map(
    rows.map(({ name, comment, grants }) => {
      const made = COMMENT.exec(comment ?? '')?.[1];
      return [name, { name, made, grants: made === undefined ? '' : (grants ?? '') }];
    }),
  );
}

/** A view is svc's by its comment, where whoever syncs owns it: pg_dump takes that along, and one that is dropped and made anew by somebody else has none. */
function commentOf(select: string): string {
  return `Made by svc sync, and made again with its tables (${digestOf(select)}).`;
}

const COMMENT = /^Made by svc sync, .* \(([0-9a-f]{16})\)\.$/;

function digestOf(select: string | undefined): string | undefined {
  return select === undefined ? undefined : createHash('sha256').update(select).digest('hex').slice(0, 16);
}
