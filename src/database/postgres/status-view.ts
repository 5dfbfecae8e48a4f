import { ForbiddenError, NotFoundError } from '../../errors.ts';
import { type ChangeReader, changeReader } from '../change-log.ts';
import type { TableState } from '../local-database.ts';
import { literal } from '../sql-dialect.ts';
import { recordTable } from '../sql-values.ts';
import { asJsonb, utc } from './dialect.ts';
import { grantOn } from './failures.ts';
import { hasRelation, inSchema } from './names.ts';
import type { Session } from './session.ts';

/** The view that shows other roles the age of each table. `svc --database` also reads this view. */
export const STATUS = 'svc_status';

/**
 * The view of the change log, with types for other programs. `svc changes --database` also reads this view. A role sees the changes of the
 * tables that the role can read completely.
 */
export const CHANGES = 'svc_change_log';

/** A table of the team database, and the organisation and user whose records the team database contains. */
export type StatusRow = TableState & { readonly form: string; readonly host: string; readonly user_id: number | null };

/** The names of the views over the tables that svc uses internally. */
export const OWN_VIEWS = [STATUS, CHANGES] as const;

/**
 * Returns SQL that is true if the current role can read all records of a table. A view runs with its owner’s rights, so the view
 * checks the role.
 *
 * @param table SQL for the name of the table.
 */
function readsAll(schema: string, table: string): string {
  const rows = `to_regclass(format('%I.%I', ${literal(schema)}, ${table}))::oid`;
  const records = `to_regclass(format('%I.%I', ${literal(schema)}, ${literal(recordTable(''))} || ${table}))::oid`;
  return `has_table_privilege(${records}, 'SELECT') AND NOT row_security_active(${records}) AND NOT row_security_active(${rows})`;
}

/** Returns the queries of the views over the tables that svc uses internally. All times have the type `timestamptz`. */
function ownViewSelects(schema: string): Readonly<Record<(typeof OWN_VIEWS)[number], string>> {
  const own = (name: string) => inSchema(schema, name);
  return {
    [STATUS]: `SELECT t.noun AS resource, t."table", t.path, t.rows, t.as_of::timestamptz AS checked_at, t.whole_at::timestamptz AS complete_at,
      t.known_by AS method, t.verified_at::timestamptz AS verified_at, m.host AS organisation, m.user_id AS read_by, m.form,
      l.mirror AS change_log, l.last AS last_change, l.pruned AS pruned_change
    FROM ${own('svc_tables')} AS t CROSS JOIN ${own('svc_mirror')} AS m CROSS JOIN ${own('svc_log')} AS l`,
    [CHANGES]: `SELECT c.position, c.noun AS resource, c.id, ${asJsonb('c.before')} AS before, ${asJsonb('c.after')} AS after,
      c.seen_at::timestamptz AS seen_at, c.before AS record_before, c.after AS record_after
    FROM ${own('svc_changes')} AS c JOIN ${own('svc_tables')} AS t USING (noun) WHERE ${readsAll(schema, 't."table"')}`,
  };
}

/**
 * Reads the view {@link STATUS}.
 *
 * @param update the command that creates the team database.
 * @throws NotFoundError if the schema has no team database; ForbiddenError if the role can’t read the view.
 */
export async function readStatus(session: Session, update: string): Promise<readonly StatusRow[]> {
  const { schema, name } = session.place;
  if (!(await hasRelation(session, STATUS)))
    throw new NotFoundError(`There is no team database in the schema ${schema} of ${name}.`, { hint: `To create the database: ${update}` });
  return session.rows<StatusRow>(
    `SELECT form, organisation AS host, read_by AS user_id, resource AS noun, "table", path, rows, method AS known_by,
       ${utc('checked_at')} AS as_of, ${utc('complete_at')} AS whole_at, ${utc('verified_at')} AS verified_at
     FROM ${inSchema(schema, STATUS)} ORDER BY resource COLLATE "C"`,
  );
}

/** Creates or updates the views over the tables that svc uses internally. Roles that could read an old view can read the new view. */
export async function makeOwnViews(session: Session): Promise<void> {
  const { schema } = session.place;
  const selects = ownViewSelects(schema);
  // Without the barrier, a function in a query could see the rows that the view leaves out.
  for (const name of OWN_VIEWS)
    await session.run(`CREATE OR REPLACE VIEW ${inSchema(schema, name)} WITH (security_barrier) AS ${selects[name]}`);
}

/** Reads the change log through the view {@link CHANGES}. @throws ForbiddenError if the role must not read the view. */
export async function readableLog(session: Session): Promise<ChangeReader> {
  const { name, schema, user } = session.place;
  const [view, status] = [inSchema(schema, CHANGES), inSchema(schema, STATUS)];
  const [right] = await session.rows<{ readonly may: string }>("SELECT has_table_privilege($1, 'SELECT') AS may", view);
  if (right?.may !== 't')
    throw new ForbiddenError(`${user ?? 'You'} must not read the change log of ${name}.`, {
      hint: `The role that syncs can grant the permission: ${grantOn(session.place, 'SELECT', view)}`,
    });
  const changes = `(SELECT position, resource AS noun, id, record_before AS before, record_after AS after, ${utc('seen_at')} AS seen_at FROM ${view}) AS c`;
  const bounds = `(SELECT change_log AS mirror, last_change AS last, pruned_change AS pruned FROM ${status} LIMIT 1) AS l`;
  return changeReader(session.rows, { changes, bounds }, name);
}

/** Returns the resources whose changes the view {@link CHANGES} hides from the role. */
export async function hiddenChanges(session: Session): Promise<readonly string[]> {
  const { schema } = session.place;
  const hidden = await session.rows<{ readonly noun: string }>(
    `SELECT resource AS noun FROM ${inSchema(schema, STATUS)} WHERE (${readsAll(schema, '"table"')}) IS NOT TRUE ORDER BY resource COLLATE "C"`,
  );
  return hidden.map(({ noun }) => noun);
}
