import { randomBytes } from 'node:crypto';
import { ForbiddenError } from '../../errors.ts';
import { PAGE_COLUMNS } from '../compared-pages.ts';
import { DatabaseError } from '../database-error.ts';
import type { DatabaseOwner } from '../local-database.ts';
import { quoted } from '../sql-values.ts';
import { TOUCHED_COLUMNS } from '../touched-records.ts';
import { dropForeignKeys } from './describe-tables.ts';
import { grantOn } from './failures.ts';
import { refuseForeignCode } from './foreign-code.ts';
import { hasRelation, inSchema, type OWN_TABLES } from './names.ts';
import { addSearchWords } from './search-index.ts';
import type { Session } from './session.ts';
import { makeOwnViews, OWN_VIEWS } from './status-view.ts';

/**
 * The format version of the tables. svc refuses a version that a newer svc wrote. Version 1 had no table of compared pages. Up to version
 * 2, there was no table of changed records. Up to version 3, only the role that syncs could read the change log. Up to version 4, there
 * were no words for the full-text search.
 */
export const POSTGRES_FORM = 5;

/** The first format version with words for the full-text search. */
export const FIRST_SEARCHED_FORM = 5;

/** The oldest version of PostgreSQL that svc accepts. svc only needs features of 9.5, but versions before 12 no longer get updates. */
const OLDEST = 120_000;

/** Returns true if the schema contains a team database. Other objects in the schema do not count. */
export async function hasTeamDatabase(session: Session): Promise<boolean> {
  return hasRelation(session, 'svc_mirror');
}

/**
 * Creates or upgrades the tables that svc uses internally, as in the local database. Call this function after {@link takeDatabase}.
 *
 * @throws DatabaseError if the server is too old or does not use UTF-8.
 * @throws DatabaseError for a newer format version, another user’s database, or code of other roles.
 * @throws ForbiddenError if the role must not create temporary tables.
 */
export async function makePostgresOwnTables(session: Session, { host, user, announceIndex }: DatabaseOwner): Promise<void> {
  const { name, schema } = session.place;
  const [server] = await session.rows<Readonly<Record<'version' | 'number' | 'encoding' | 'temporary', string>>>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
       current_setting('server_encoding') AS encoding, has_database_privilege(current_database(), 'TEMPORARY') AS temporary`,
  );
  if (Number(server?.number) < OLDEST)
    throw new DatabaseError('unusable', name, new Error(`it is PostgreSQL ${server?.version}`), 'svc needs 12 or later.');
  if (server?.encoding !== 'UTF8')
    throw new DatabaseError(
      'unusable',
      name,
      new Error(`its encoding is not UTF-8 but ${server?.encoding}`),
      'Create another database: createdb -E UTF8 -T template0 …',
    );
  if (server.temporary !== 't')
    throw new ForbiddenError(`${session.place.user} must not create temporary tables in ${name}, which svc needs to write changes.`, {
      hint: `The owner of the database can allow temporary tables: ${grantOn(session.place, 'TEMPORARY')}`,
    });
  await session.transaction(async () => {
    const [there] = await session.rows('SELECT 1 FROM pg_namespace WHERE nspname = $1', schema);
    // A role without the right to create a schema can still use an existing schema.
    if (there === undefined) await session.run(`CREATE SCHEMA ${quoted(schema)}`);
    await dropForeignKeys(session);
    await refuseForeignCode(session);
    if (!(await hasTeamDatabase(session))) await begin(session, { host, user, madeSchema: there === undefined });
  });
  const mirror = inSchema(schema, 'svc_mirror');
  const [own] = await session.rows<{ readonly form: string; readonly host: string; readonly user_id: number | null }>(
    `SELECT * FROM ${mirror}`,
  );
  const elsewhere = 'Name another schema: ?schema=… in the address';
  if (own === undefined) throw new DatabaseError('no-mirror', name, undefined, elsewhere);
  if (Number(own.form) > POSTGRES_FORM)
    throw new DatabaseError('newer', name, undefined, 'Use the newer svc, or name another schema: ?schema=… in the address');
  if (own.host !== host || (user !== undefined && own.user_id !== null && own.user_id !== user))
    throw new DatabaseError('of-another', name, undefined, elsewhere);
  if (Number(own.form) < POSTGRES_FORM) await upgrade(session, Number(own.form), announceIndex);
  const views = await Promise.all(OWN_VIEWS.map((view) => hasRelation(session, view)));
  if (views.includes(false)) await session.transaction(() => makeOwnViews(session));
}

async function upgrade(session: Session, form: number, announce: DatabaseOwner['announceIndex']): Promise<void> {
  const { schema } = session.place;
  const mirror = inSchema(schema, 'svc_mirror');
  const kept = inSchema(schema, 'svc_kept');
  const touched = inSchema(schema, 'svc_touched');
  const steps = [
    `ALTER TABLE ${inSchema(schema, 'svc_tables')} ADD COLUMN verified_at text;
     CREATE TABLE ${inSchema(schema, 'svc_pages')} ${PAGE_COLUMNS('bigint')}`,
    `CREATE TABLE ${touched} ${TOUCHED_COLUMNS('bigint')};
     INSERT INTO ${touched} SELECT substr(name, 9), jsonb_array_elements_text(text::jsonb)::bigint FROM ${kept}
       WHERE starts_with(name, 'touched ') ON CONFLICT DO NOTHING;
     DELETE FROM ${kept} WHERE starts_with(name, 'touched ')`,
  ];
  await session.transaction(async () => {
    await session.run([...steps.slice(form - 1), `UPDATE ${mirror} SET form = ${POSTGRES_FORM}`].join(';'));
    await makeOwnViews(session);
    await addSearchWords(session, announce);
  });
}

async function begin(
  session: Session,
  { host, user, madeSchema }: Pick<DatabaseOwner, 'host' | 'user'> & { readonly madeSchema: boolean },
): Promise<void> {
  const own = (name: (typeof OWN_TABLES)[number]) => inSchema(session.place.schema, name);
  await session.run(`
    CREATE TABLE ${own('svc_mirror')} (form integer NOT NULL, host text NOT NULL, user_id bigint, made_schema boolean NOT NULL);
    CREATE TABLE ${own('svc_tables')} (
      noun text PRIMARY KEY, "table" text NOT NULL UNIQUE, path text NOT NULL,
      as_of text NOT NULL, whole_at text NOT NULL, known_by text NOT NULL, rows bigint NOT NULL, verified_at text
    );
    CREATE TABLE ${own('svc_pages')} ${PAGE_COLUMNS('bigint')};
    CREATE TABLE ${own('svc_touched')} ${TOUCHED_COLUMNS('bigint')};
    CREATE TABLE ${own('svc_zones')} (
      zone text NOT NULL, since text COLLATE "C" NOT NULL, minutes integer NOT NULL, PRIMARY KEY (zone, since)
    );
    CREATE TABLE ${own('svc_kept')} (name text PRIMARY KEY, text text NOT NULL);
    CREATE TABLE ${own('svc_changes')} (
      position bigint PRIMARY KEY, noun text NOT NULL, id bigint NOT NULL, before text, after text, seen_at text NOT NULL
    );
    CREATE TABLE ${own('svc_log')} (mirror text NOT NULL, last bigint NOT NULL, pruned bigint NOT NULL);
  `);
  await session.rows(`INSERT INTO ${own('svc_mirror')} VALUES (${POSTGRES_FORM}, $1, $2, $3)`, host, user ?? null, madeSchema ? 't' : 'f');
  await session.rows(`INSERT INTO ${own('svc_log')} VALUES ($1, 0, 0)`, randomBytes(6).toString('hex'));
}
