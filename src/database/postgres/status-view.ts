import { NotFoundError } from '../../errors.ts';
import type { TableState } from '../local-database.ts';
import { asJsonb, utc } from './dialect.ts';
import { hasRelation, inSchema } from './names.ts';
import type { Session } from './session.ts';

/** The view that shows other roles how old each table is. `svc --database` also reads it. */
export const STATUS = 'svc_status';

/** The view of the change log, with types for other programs. Only the role that syncs can read it. */
const CHANGES = 'svc_change_log';

/** A table of the team database, and the organisation and user whose records the team database contains. */
export type StatusRow = TableState & { readonly form: string; readonly host: string; readonly user_id: number | null };

/** The names of the views over the tables that svc uses internally. */
export const OWN_VIEWS = [STATUS, CHANGES] as const;

/** Returns the queries of the views over the tables that svc uses internally. All times have the type `timestamptz`. */
export function ownViewSelects(schema: string): Readonly<Record<(typeof OWN_VIEWS)[number], string>> {
  const own = (name: string) => inSchema(schema, name);
  return {
    [STATUS]: `SELECT t.noun AS resource, t."table", t.path, t.rows, t.as_of::timestamptz AS checked_at, t.whole_at::timestamptz AS complete_at,
      t.known_by AS method, t.verified_at::timestamptz AS verified_at, m.host AS organisation, m.user_id AS read_by, m.form
    FROM ${own('svc_tables')} AS t CROSS JOIN ${own('svc_mirror')} AS m`,
    [CHANGES]: `SELECT position, noun AS resource, id, ${asJsonb('before')} AS before, ${asJsonb('after')} AS after,
      seen_at::timestamptz AS seen_at
    FROM ${own('svc_changes')}`,
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
    throw new NotFoundError(`There is no team database in the schema ${schema} of ${name}.`, { hint: `To create it: ${update}` });
  return session.rows<StatusRow>(
    `SELECT form, organisation AS host, read_by AS user_id, resource AS noun, "table", path, rows, method AS known_by,
       ${utc('checked_at')} AS as_of, ${utc('complete_at')} AS whole_at, ${utc('verified_at')} AS verified_at
     FROM ${inSchema(schema, STATUS)} ORDER BY resource COLLATE "C"`,
  );
}
