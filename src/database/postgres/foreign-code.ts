import { DatabaseError } from '../database-error.ts';
import { quoted, recordTable } from '../sql-values.ts';
import { OWN_TABLES } from './names.ts';
import type { Session } from './session.ts';

/** An object in the schema by which another role could run code with your rights, or change the team database. */
interface Finding {
  /** The kind of the object. `code` is a trigger, rule, policy, default, constraint, column type, index, statistics or inheritance. */
  readonly kind: 'schema' | 'table' | 'grant' | 'foreign key' | 'code';
  /** The table that the object belongs to. For a schema, the name of the schema. */
  readonly place: string;
  /** The owner of the schema, the table or the foreign key, or the role with the grant. For any other object, its kind and its name. */
  readonly what: string;
}

/**
 * Refuses a schema in which a statement of svc would run code of another role. PostgreSQL runs triggers, rules, defaults, checks and index
 * functions with the rights of the writing role (https://www.postgresql.org/docs/current/perm-functions.html).
 *
 * - The schema and the tables must belong to the role itself. Members of another role could change that role’s objects at any time.
 * - No other role may have the right to add a trigger or a foreign key to the tables.
 *
 * After this check, nobody else can change these objects until the session ends. Other objects of the schema do not matter.
 *
 * Call this function within a transaction, before svc reads anything in the schema. A table in the schema may really be a view.
 *
 * @param onlyReads true if the session only reads. Only the owner of the schema, and the owner and the kind of each table, then matter.
 * @throws DatabaseError that names the object and its owner.
 */
export async function refuseForeignCode(session: Session, onlyReads = false): Promise<void> {
  const { name, schema } = session.place;
  const all = await session.rows<Finding>(FINDINGS, schema, OWN_TABLES);
  const found = onlyReads ? all.filter(({ kind }) => kind === 'schema' || kind === 'table') : all;
  const [first] = found;
  if (first === undefined) return;
  const [{ me } = { me: 'the role that syncs' }] = await session.rows<{ readonly me: string }>('SELECT current_user AS me');
  const more = found.length === 1 ? '' : ` (and ${found.length - 1} more)`;
  throw new DatabaseError('unusable', name, new Error(`${SAID[first.kind](first, me)}${more}`), adviceFor(first, schema));
}

const SAID: Readonly<Record<Finding['kind'], (found: Finding, me: string) => string>> = {
  schema: ({ place, what }, me) => `the schema ${place} belongs to ${what}, not to ${me}`,
  table: ({ place, what }, me) => `${place} is not a table of ${me}; its owner is ${what}`,
  grant: ({ place, what }, me) => `${what} can add triggers or foreign keys to ${place}, which would run as ${me}`,
  'foreign key': ({ place, what }, me) => `a foreign key of ${what} refers to ${place}, and its actions would run as ${me}`,
  code: ({ place, what }, me) => `${place} has a ${what}, which svc did not create and which would run as ${me}`,
};

function adviceFor({ kind, place, what }: Finding, schema: string): string {
  if (kind === 'grant') return `Revoke the right: REVOKE TRIGGER, REFERENCES ON ALL TABLES IN SCHEMA ${quoted(schema)} FROM ${what}`;
  if (kind === 'code' || kind === 'foreign key') return 'Drop this object, or name another schema: ?schema=… in the address';
  return `Use another schema: ?schema=… in the address. To use this schema, have ${what} drop ${place} first.`;
}

/** The query for all findings. The query checks the internal tables of svc, the tables of rows and the tables of records. */
const FINDINGS = `
  WITH me AS (SELECT oid FROM pg_roles WHERE rolname = current_user),
  own AS (
    SELECT c.*, format('%I.%I', n.nspname, c.relname) AS place FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind NOT IN ('i', 'I', 't') AND (
      c.relname = ANY ($2::text[]) OR starts_with(c.relname, '${recordTable('')}')
      OR EXISTS (SELECT FROM pg_class r WHERE r.relnamespace = c.relnamespace AND r.relname = '${recordTable('')}' || c.relname)
    )
  ),
  -- Objects of other roles, with their owners. Objects of the server itself are in no dependency.
  others AS (
    SELECT d.classid, d.objid FROM pg_depend d
    LEFT JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND p.oid = d.refobjid
    LEFT JOIN pg_operator o ON d.refclassid = 'pg_operator'::regclass AND o.oid = d.refobjid
    LEFT JOIN pg_type t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid
    JOIN pg_roles r ON r.oid = coalesce(p.proowner, o.oprowner, t.typowner)
    WHERE NOT r.rolsuper AND r.oid <> (SELECT oid FROM me)
  )
  SELECT 'schema' AS kind, format('%I', nspname) AS place, pg_get_userbyid(nspowner) AS what
    FROM pg_namespace WHERE nspname = $1 AND nspowner <> (SELECT oid FROM me)
  UNION ALL SELECT 'table', place, pg_get_userbyid(relowner)
    FROM own WHERE relowner <> (SELECT oid FROM me) OR relkind <> 'r' OR reloftype <> 0
  UNION ALL SELECT 'grant', place, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE format('%I', pg_get_userbyid(grantee)) END
    FROM (
      SELECT place, relowner, a.* FROM own, aclexplode(relacl) a
      UNION ALL SELECT place, relowner, a.* FROM own JOIN pg_attribute t ON attrelid = own.oid, aclexplode(attacl) a
    ) granted WHERE privilege_type IN ('TRIGGER', 'REFERENCES') AND grantee <> relowner
  UNION ALL SELECT 'foreign key', place, pg_get_userbyid(r.relowner)
    FROM pg_constraint c JOIN own ON confrelid = own.oid JOIN pg_class r ON r.oid = conrelid
    WHERE contype = 'f' AND r.relowner <> (SELECT oid FROM me)
  UNION ALL SELECT 'code', place, format('trigger %I', tgname)
    FROM pg_trigger t JOIN own ON tgrelid = own.oid JOIN pg_proc p ON p.oid = tgfoid
    WHERE NOT tgisinternal AND (proowner <> (SELECT oid FROM me) OR ('pg_trigger'::regclass, t.oid) IN (TABLE others))
  UNION ALL SELECT 'code', place, format('rule %I', rulename) FROM pg_rewrite JOIN own ON ev_class = own.oid WHERE relkind = 'r'
  UNION ALL SELECT 'code', place, format('policy %I', polname) FROM pg_policy JOIN own ON polrelid = own.oid WHERE relforcerowsecurity
  UNION ALL SELECT 'code', place, format('default of the column %I', attname)
    FROM pg_attrdef JOIN own ON adrelid = own.oid JOIN pg_attribute a ON attrelid = own.oid AND attnum = adnum
  UNION ALL SELECT 'code', place, format('constraint %I', conname)
    FROM pg_constraint JOIN own ON conrelid = own.oid WHERE contype IN ('c', 'x', 'f')
  UNION ALL SELECT 'code', place, format('column %I of the type %s', attname, format_type(atttypid, atttypmod))
    FROM pg_attribute JOIN own ON attrelid = own.oid JOIN pg_type t ON t.oid = atttypid
    WHERE attnum > 0 AND typnamespace <> 'pg_catalog'::regnamespace
  UNION ALL SELECT 'code', place, format('index %I', i.relname)
    FROM pg_index JOIN own ON indrelid = own.oid JOIN pg_class i ON i.oid = indexrelid
    WHERE ('pg_class'::regclass, indexrelid) IN (TABLE others)
  UNION ALL SELECT 'code', place, format('statistics object %I', stxname)
    FROM pg_statistic_ext s JOIN own ON stxrelid = own.oid WHERE ('pg_statistic_ext'::regclass, s.oid) IN (TABLE others)
  UNION ALL SELECT 'code', place, format('link of inheritance to %s', CASE inhrelid WHEN own.oid THEN inhparent ELSE inhrelid END::regclass)
    FROM pg_inherits JOIN own ON own.oid IN (inhrelid, inhparent)
`;
