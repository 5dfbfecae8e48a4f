// Random statements. The oracle is SQLite: the same statement on a copy of the local database. The sandbox must have those changes after
// svc apply, and no other, and its earlier records after svc undo.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomOf } from '../support/random.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const COUNT = Number(process.env['SVC_TEST_STATEMENTS'] ?? 12);
const SEED = Number(process.env['SVC_TEST_SEED'] ?? 7);
const NOUNS = ['worklogs', 'projects', 'customers', 'users', 'budgets'] as const;

let here: SignedIn;
let file: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  file = join(here.home, 'local.sqlite');
});
afterAll(() => here.remove());

/** A statement, what the oracle runs instead if the statement uses a view, and its target. */
interface Statement {
  readonly sql: string;
  readonly oracle: string;
  readonly table: (typeof NOUNS)[number];
  readonly verb: 'update' | 'delete' | 'insert';
  readonly more: number;
}

function makeStatement(random: () => number): Statement {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const number = (most: number) => Math.floor(random() * most);
  const more = 1 + number(20);
  const from = number(5000);
  const where = () =>
    pick([
      `id % ${700 + number(400)} = ${number(40)}`,
      `id IN (SELECT id FROM worklogs ORDER BY date DESC, id LIMIT ${1 + number(9)} OFFSET ${number(900)})`,
      `id BETWEEN ${from} AND ${from + number(9)} OR id IN (${number(5000)}, ${number(5000)})`,
      `project_id IN (SELECT id FROM projects WHERE name LIKE '%${pick(['a', 'e', 'o'])}%') AND id % 701 = ${number(30)}`,
      `EXISTS (SELECT 1 FROM users AS u WHERE u.id = user_id AND u.id > 1) AND minutes > 30 AND id % 503 = ${number(30)}`,
      `minutes = (SELECT max(minutes) FROM worklogs) AND id % 97 = ${number(20)}`,
    ]);
  const project = `(SELECT id FROM projects ORDER BY id LIMIT 1 OFFSET ${number(5)})`;
  const sets: Readonly<Record<string, () => string>> = {
    minutes: () =>
      pick([
        'minutes + :more',
        'CASE WHEN minutes > 60 THEN 60 ELSE minutes END',
        `${10 + number(90)}`,
        '(SELECT count(*) FROM users) + id % 50 + 1',
        'minutes',
      ]),
    description: () =>
      pick([
        'upper(description)',
        "description || ' – ''x'' ✓'",
        "replace(description, 'e', 'é')",
        '\'["1.50"]\'',
        'substr(description, 2, 9)',
      ]),
    date: () => pick(["date(date, '+1 day')", "'2026-02-28'", "date(date, 'start of month')"]),
    project_id: () => pick([project, 'project_id']),
    is_not_billable: () => pick(['NOT is_not_billable', '1', '0', 'id % 2']),
  };
  const chosen = Object.entries(sets).filter(() => random() < 0.4);
  const list = (chosen.length === 0 ? [['minutes', () => 'minutes + 1'] as const] : chosen)
    .map(([name, value]) => `${name} = ${value()}`)
    .join(', ');
  const kind = number(12);
  if (kind === 0) {
    const sql = `DELETE FROM worklogs WHERE id % 900 = ${number(400)}`;
    return { sql, oracle: sql, table: 'worklogs', verb: 'delete', more };
  }
  if (kind === 1) {
    const sql = `INSERT INTO worklogs (date, minutes, project_id, description) SELECT date, minutes + :more, project_id, 'Made ' || id FROM worklogs WHERE project_id IS NOT NULL AND id % 1500 = ${number(500)}`;
    return { sql, oracle: sql, table: 'worklogs', verb: 'insert', more };
  }
  if (kind === 2) {
    const sql = `UPDATE ${pick(['projects', 'customers'])} SET name = name || ' ' || :more WHERE id % ${1 + number(4)} = 0`;
    return { sql, oracle: sql, table: sql.includes('projects') ? 'projects' : 'customers', verb: 'update', more };
  }
  if (kind === 3) {
    const condition = where();
    const name = `(SELECT name FROM projects GROUP BY name HAVING count(*) = 1 ORDER BY name LIMIT 1 OFFSET ${number(5)})`;
    return {
      sql: `UPDATE ${pick(['hours', 'worklogs_named'])} SET project = ${name} WHERE ${condition}`,
      oracle: `UPDATE worklogs SET project_id = (SELECT id FROM projects WHERE name = ${name}) WHERE ${condition}`,
      table: 'worklogs',
      verb: 'update',
      more,
    };
  }
  if (kind === 4) {
    const sql = `UPDATE worklogs SET minutes = 30 + p.id % 60, description = p.name FROM projects AS p WHERE p.id = worklogs.project_id AND worklogs.id % 800 = ${number(90)}`;
    return { sql, oracle: sql, table: 'worklogs', verb: 'update', more };
  }
  const sql =
    kind === 5
      ? `WITH some AS (SELECT id FROM worklogs WHERE ${where()}) UPDATE worklogs SET ${list} WHERE id IN (SELECT id FROM some)`
      : `UPDATE worklogs SET ${list} WHERE ${where()}`;
  return { sql, oracle: sql, table: 'worklogs', verb: 'update', more };
}

type Rows = Map<number, Record<string, unknown>>;

const ownFields = ({ updated_at: _, version: __, created_at: ___, ...row }: Record<string, unknown>) => row;
const sandboxRows = (table: string): Rows => {
  const rows = here.sandbox.rows(table).filter((row) => (row['deleted_at'] ?? null) === null);
  return new Map(rows.map((row) => [Number(row['id']), ownFields(structuredClone(row) as Record<string, unknown>)]));
};

/** Returns the ids of the rows that differ. */
const differing = (one: Rows, other: Rows): number[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((id) => !isDeepStrictEqual(one.get(id), other.get(id)));

/** Returns the changed columns of each changed row, the deleted ids, and the new rows: by SQLite, on a copy of the file. */
function oracleOf({ oracle, table, more }: Statement) {
  const copy = join(here.home, 'oracle.sqlite');
  copyFileSync(file, copy);
  const database = new DatabaseSync(copy);
  try {
    const read = (): Rows =>
      new Map(
        database
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .map((row) => [Number(row['id']), { ...row }]),
      );
    const booleans = new Set(
      database
        .prepare('SELECT name FROM pragma_table_info(?) WHERE type = ?')
        .all(table, 'BOOLEAN')
        .map(({ name }) => String(name)),
    );
    const before = read();
    database.prepare(oracle).run(oracle.includes(':more') ? { more: BigInt(more) } : {});
    const after = read();
    const cellOf = (name: string, value: unknown) => (booleans.has(name) && value !== null ? value === 1 : value);
    const changes = new Map<number, Record<string, unknown>>();
    for (const [id, row] of after) {
      const old = before.get(id);
      if (old === undefined) continue;
      const fields = Object.entries(row).filter(([name, value]) => value !== old[name]);
      if (fields.length > 0) changes.set(id, Object.fromEntries(fields.map(([name, value]) => [name, cellOf(name, value)])));
    }
    const made = [...after].filter(([id]) => !before.has(id)).map(([, row]) => Object.entries(row).filter(([, value]) => value !== null));
    return { changes, deleted: [...before.keys()].filter((id) => !after.has(id)), made };
  } finally {
    database.close();
  }
}

test(`svc apply of ${COUNT} random statements makes the changes of SQLite (seed ${SEED}), and svc undo restores the records (except deletes)`, {
  timeout: COUNT * 30_000 + 60_000,
}, async () => {
  const random = randomOf(SEED);
  const run = async (argv: string[], ...codes: number[]) => {
    const result = await here.svc(argv);
    expect(codes, `${argv.join(' ')}\n${result.stderr}`).toContain(result.code);
    return result;
  };
  const totals = { update: 0, delete: 0, insert: 0 };
  let isStale = true;
  for (let count = 0; count < COUNT; count += 1) {
    const statement = makeStatement(random);
    const { sql, table, verb, more } = statement;
    // A delete compares every field, and a change since the sync has another updated_at.
    if (isStale || verb === 'delete') await run(['sync', ...NOUNS, '--to', file], 0);
    isStale = verb === 'delete';
    const expected = oracleOf(statement);
    const before = sandboxRows(table);
    const plan = join(here.home, `${count}.plan`);
    const values = sql.includes(':more') ? ['--param', `more=${more}`] : [];
    const planned = await run(['sql', sql, '--plan', plan, '--db', file, ...values], 0);
    const size = expected.changes.size + expected.deleted.length + expected.made.length;
    expect(new Set((JSON.parse(planned.stdout) as { number: number }[]).map(({ number }) => number)).size, sql).toBe(size);
    if (size === 0) continue;
    totals[verb] += size;
    const shown = await here.svc(['apply', plan, '--no-input']);
    await run(['apply', plan, `--yes=${(JSON.parse(shown.stdout) as { sha256: string }).sha256}`], 0);

    const after = sandboxRows(table);
    for (const [id, fields] of expected.changes) expect({ sql, ...after.get(id) }).toEqual({ sql, ...before.get(id), ...fields });
    const touched = new Set([...expected.changes.keys(), ...expected.deleted]);
    expect(
      differing(before, after).filter((id) => before.has(id) && !touched.has(id)),
      sql,
    ).toEqual([]);
    expect(
      [...before.keys()].filter((id) => !after.has(id)),
      sql,
    ).toEqual(expected.deleted);
    const made = [...after].filter(([id]) => !before.has(id)).map(([, row]) => row);
    expect(made, sql).toMatchObject(expected.made.map((fields) => Object.fromEntries(fields.filter(([name]) => name !== 'id'))));
    if (verb === 'delete') continue;
    await run(['undo', '--yes'], 0);
    expect(differing(before, sandboxRows(table)), sql).toEqual([]);
  }
  console.info(`${SEED}: ${JSON.stringify(totals)} records`);
});
