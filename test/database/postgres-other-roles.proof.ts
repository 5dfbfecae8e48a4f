// Other roles of a database server that want what they wrote to run as whoever syncs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../scripts/bench/postgres-server.ts';
import { readAddress } from '../../src/database/postgres/address.ts';
import { forgetPostgresDatabase } from '../../src/database/postgres/forget.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { CHECK, OWNER, SHAPE } from './shapes.ts';

const bin = await findPostgres();

describe.skipIf(bin === undefined)('an untrusted role', () => {
  let server: PostgresServer;
  let here: SignedIn;
  let number = 0;
  /** As ada, the superuser who syncs, and as mallory; a database of each test's own. */
  let ada: string;
  let mallory: string;
  beforeAll(async () => {
    [server, here] = await Promise.all([startPostgres(bin ?? ''), signedIn({ limits: 'off' })]);
    await server.psql(
      await server.database('begin'),
      '-q',
      '-c',
      "CREATE ROLE mallory LOGIN PASSWORD 'm'; CREATE ROLE bob LOGIN PASSWORD 'b'",
    );
  });
  afterAll(() => Promise.all([server?.close(), here?.remove()]));

  const begin = async () => {
    number += 1;
    ada = await server.database(`team_${number}`);
    mallory = ada.replace(/\/\/[^@]*@/, '//mallory:m@');
    await as(ada, `GRANT CREATE ON DATABASE team_${number} TO mallory, bob; ALTER ROLE mallory NOSUPERUSER`);
  };
  const as = async (address: string, sql: string) => (await server.psql(address, '-F', '|', '-q', '-c', sql)).trim();
  const isSuperuser = async () => (await as(ada, "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'")) === 't';

  /** Tables as svc makes them, and a function that makes mallory a superuser where a superuser runs it. */
  const LOOK_ALIKE = `
    CREATE SCHEMA svc;
    CREATE TABLE svc.svc_mirror (form integer, host text, user_id bigint, made_schema boolean);
    CREATE TABLE svc.svc_tables (
      noun text PRIMARY KEY, "table" text, path text, as_of text, whole_at text, known_by text, rows bigint
    );
    CREATE TABLE svc.svc_zones (zone text, since text COLLATE "C", minutes integer, PRIMARY KEY (zone, since));
    CREATE TABLE svc.svc_kept (name text PRIMARY KEY, text text);
    CREATE TABLE svc.svc_changes (position bigint PRIMARY KEY, noun text, id bigint, before text, after text, seen_at text);
    CREATE TABLE svc.svc_log (mirror text, last bigint, pruned bigint);
    INSERT INTO svc.svc_log VALUES ('m', 0, 0);
    GRANT ALL ON SCHEMA svc TO PUBLIC; GRANT ALL ON ALL TABLES IN SCHEMA svc TO PUBLIC`;
  const RISE = `
    CREATE FUNCTION svc.rise() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN ALTER ROLE mallory SUPERUSER; END IF; RETURN NEW; END $$`;

  it('is named in a refusal after creating the schema svc, and none of its code runs', async () => {
    await begin();
    await as(
      mallory,
      `${LOOK_ALIKE}; ${RISE}; CREATE TRIGGER rise BEFORE INSERT ON svc.svc_zones FOR EACH ROW EXECUTE FUNCTION svc.rise()`,
    );
    await as(mallory, `INSERT INTO svc.svc_mirror VALUES (1, '${here.host}', NULL, true)`);
    for (const words of [
      ['sync', 'labels'],
      ['sync', '--forget'],
    ]) {
      const { code, stderr } = await here.svc([...words, '--to', ada]);
      expect([code, await isSuperuser()]).toEqual([1, false]);
      expect(stderr).toContain('the schema svc belongs to mallory, not to ada');
      expect(stderr).toContain('?schema=');
    }
    const beside = await here.svc(['sync', 'labels', '--to', `${ada}?schema=svc_own`]);
    expect([beside.code, await isSuperuser()], beside.stderr).toEqual([0, false]);
  });

  it('cannot make svc run functions from the search path', async () => {
    await begin();
    // Fits better than the server's own, whose arguments are of any type.
    await as(
      mallory,
      `CREATE SCHEMA traps; CREATE TABLE traps.ran (); GRANT ALL ON SCHEMA traps TO PUBLIC;
       CREATE FUNCTION traps.format(text, text, regclass, text, text) RETURNS text LANGUAGE plpgsql AS $$
         BEGIN ALTER ROLE mallory SUPERUSER; RETURN ''; END $$`,
    );
    await as(ada, `ALTER ROLE ada IN DATABASE team_${number} SET search_path = traps, public`);
    const to = ['--to', ada];
    expect((await here.svc(['sync', 'worklogs', ...to])).code).toBe(0);
    await as(ada, 'GRANT SELECT ON svc.hours TO bob');
    expect((await here.svc(['sync', 'worklogs', 'projects', ...to])).code).toBe(0);
    expect(await isSuperuser()).toBe(false);
    expect(await as(ada, "SELECT has_table_privilege('bob', 'svc.hours', 'SELECT')")).toBe('t');
  });

  it('cannot make svc run code through an owner, a grant, or an object on svc’s tables', async () => {
    await begin();
    const place = await readAddress(ada, {}, '');
    const open = () => openPostgresDatabase(place, OWNER);
    const localDatabase = await open();
    await localDatabase.replace(SHAPE, [{ id: 1, name: 'one' }], CHECK);
    await localDatabase.close();
    await as(
      mallory,
      `CREATE SCHEMA evil; GRANT ALL ON SCHEMA evil TO PUBLIC;
       CREATE FUNCTION evil.same(text) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT $1 $$;
       CREATE FUNCTION evil.is_fine(text) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$ SELECT true $$;
       CREATE FUNCTION evil.rise() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
       CREATE DOMAIN evil.word AS text CHECK (evil.is_fine(VALUE))`,
    );
    await as(ada, 'CREATE FUNCTION public.own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$');
    const things = 'svc.things';
    const findings: readonly (readonly [does: string, says: string | undefined, undoes: string])[] = [
      ['ALTER SCHEMA svc OWNER TO bob', 'the schema svc belongs to bob, not to ada', 'ALTER SCHEMA svc OWNER TO ada'],
      [`ALTER TABLE ${things} OWNER TO bob`, `its owner is bob`, `ALTER TABLE ${things} OWNER TO ada`],
      ['ALTER TABLE svc.svc_kept OWNER TO bob', `its owner is bob`, 'ALTER TABLE svc.svc_kept OWNER TO ada'],
      [
        `CREATE TRIGGER t AFTER DELETE ON ${things} FOR EACH ROW EXECUTE FUNCTION evil.rise()`,
        'svc.things has a trigger t',
        `DROP TRIGGER t ON ${things}`,
      ],
      [
        `CREATE TRIGGER t AFTER DELETE ON svc.svc_record_things FOR EACH ROW EXECUTE FUNCTION evil.rise()`,
        'svc.svc_record_things has a trigger t',
        `DROP TRIGGER t ON svc.svc_record_things`,
      ],
      [
        `CREATE TRIGGER t BEFORE UPDATE ON ${things} FOR EACH ROW WHEN (evil.is_fine(NEW.name)) EXECUTE FUNCTION public.own()`,
        'has a trigger t',
        `DROP TRIGGER t ON ${things}`,
      ],
      [`CREATE RULE r AS ON INSERT TO ${things} DO ALSO NOTIFY it`, 'has a rule r', `DROP RULE r ON ${things}`],
      [
        `CREATE POLICY p ON ${things} USING (evil.is_fine(name)); ALTER TABLE ${things} FORCE ROW LEVEL SECURITY`,
        'has a policy p',
        `DROP POLICY p ON ${things}; ALTER TABLE ${things} NO FORCE ROW LEVEL SECURITY`,
      ],
      [
        `ALTER TABLE ${things} ALTER name SET DEFAULT evil.same('')`,
        'default of the column name',
        `ALTER TABLE ${things} ALTER name DROP DEFAULT`,
      ],
      [
        `ALTER TABLE ${things} ADD same text GENERATED ALWAYS AS (evil.same(name)) STORED`,
        'default of the column same',
        `ALTER TABLE ${things} DROP same`,
      ],
      [`ALTER TABLE ${things} ADD CONSTRAINT c CHECK (evil.is_fine(name))`, 'constraint c', `ALTER TABLE ${things} DROP CONSTRAINT c`],
      [`ALTER TABLE ${things} ADD word evil.word`, 'column word of the type evil.word', `ALTER TABLE ${things} DROP word`],
      [`CREATE INDEX i ON ${things} (evil.same(name))`, 'index i', 'DROP INDEX svc.i'],
      [`CREATE INDEX i ON ${things} (id) WHERE evil.is_fine(name)`, 'index i', 'DROP INDEX svc.i'],
      [`CREATE STATISTICS svc.s ON (evil.same(name)) FROM ${things}`, 'statistics object s', 'DROP STATISTICS svc.s'],
      [`CREATE TABLE evil.child () INHERITS (${things})`, 'link of inheritance to evil.child', 'DROP TABLE evil.child'],
      [
        `CREATE TABLE evil.parent (name text); ALTER TABLE ${things} INHERIT evil.parent`,
        'link of inheritance to evil.parent',
        `ALTER TABLE ${things} NO INHERIT evil.parent; DROP TABLE evil.parent`,
      ],
      [
        `GRANT TRIGGER ON ${things} TO bob`,
        'bob can add triggers or foreign keys to svc.things',
        'REVOKE TRIGGER, REFERENCES ON ALL TABLES IN SCHEMA "svc" FROM bob',
      ],
      [`GRANT REFERENCES (id) ON ${things} TO PUBLIC`, 'PUBLIC can add', `REVOKE REFERENCES (id) ON ${things} FROM PUBLIC`],
      [
        `CREATE TABLE evil.below (id bigint REFERENCES ${things}); ALTER TABLE evil.below OWNER TO mallory`,
        'a foreign key of mallory refers to svc.things',
        'DROP TABLE evil.below',
      ],
      // What ada made, and what reads alone, counts for nothing.
      [
        `CREATE TRIGGER t AFTER INSERT ON ${things} FOR EACH ROW EXECUTE FUNCTION public.own()`,
        undefined,
        `DROP TRIGGER t ON ${things}; CREATE INDEX i ON ${things} (lower(name)); GRANT SELECT, INSERT ON ${things} TO bob`,
      ],
      [
        `CREATE POLICY p ON ${things} USING (evil.is_fine(name)); ALTER TABLE ${things} ENABLE ROW LEVEL SECURITY`,
        undefined,
        `DROP POLICY p ON ${things}`,
      ],
      ['CREATE TABLE svc.of_bob (); ALTER TABLE svc.of_bob OWNER TO bob', undefined, 'DROP TABLE svc.of_bob'],
    ];
    for (const [does, says, undoes] of findings) {
      await as(ada, does);
      if (says === undefined) await (await open()).close();
      else {
        await expect(open(), does).rejects.toMatchObject({ fault: 'unusable', message: expect.stringContaining(says) });
        await expect(forgetPostgresDatabase(place), does).rejects.toMatchObject({ message: expect.stringContaining(says) });
      }
      await as(ada, undoes);
    }
    expect(await forgetPostgresDatabase(place)).toBe(true);
  });
});
