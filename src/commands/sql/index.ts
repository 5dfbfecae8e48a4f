import { defineCommand, type OptionValues, repeated, text, toggle } from '../../cli/spec.ts';
import type { TableState } from '../../database/local-database.ts';
import type { SqlTable } from '../../database/query-database.ts';
import { UsageError } from '../../errors.ts';
import type { Context, Needs } from '../../session/context.ts';
import { once } from '../../session/once.ts';
import { printRows, printRowsOr, toAsync } from '../../session/print.ts';
import { isDatabaseAddress, withoutPassword } from '../../values/addresses.ts';
import { parseTypedField } from '../../values/assignment.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { maxChangesOption } from '../max-changes-option.ts';
import { namingDatabase, STATE_COLUMNS, type SyncPlace, syncPlace, toFlag } from '../sync-place.ts';

/** The age in milliseconds after which svc prints the time of a table’s last check. */
const OLD_MS = 3_600_000;

const BATCH = 200;

const options = {
  file: text('--file <file>', 'Read the query from this file', { completes: 'file' }),
  db: text('--db <file>', 'Query this SQLite file, or the team database at postgres://…', { completes: 'file', withheld: withoutPassword }),
  param: repeated('--param <name=value>', 'Set :name in the query to a number, true, false, null or a string'),
  schema: toggle('--schema', 'List the tables and columns, and when svc checked each table'),
  maxChanges: maxChangesOption('Refuse a statement that changes more than n records; only with --plan (default: 1000)'),
  sync: toggle('--sync', 'Update the tables in the query first (at the prompt: all tables)'),
};

type Options = OptionValues<typeof options>;

export const sql = defineCommand({
  showsGlobals: ['host', 'output', 'jq', 'quiet', 'database', 'plan', 'dryRun'],
  description:
    'svc runs an SQL query on the local database, on another SQLite file, or on the team database. A query can only read. svc sends requests only with --sync.\n\nWith --plan, svc plans the changes of an UPDATE, a DELETE or an INSERT. svc shows each field before and after, and adds the writes to the plan. Neither the local database nor the service changes. Only fields that svc can write are allowed. svc checks each value as it checks the value of a flag. The view hours, and <table>_named for each table, have names beside ids. You can set a name that only one record has. svc apply sends the plan, and changes only records that still have the old values.\n\nEvery resource is a table, with _ for - (work_items, work_items_comments), and every field is a column. Durations are minutes, and booleans are 0 and 1 (true and false in PostgreSQL). Money and dates are strings. Lists and objects are JSON; ->> reads a member. A field is NULL if its value is null, or if the service did not show the field. The views hours, absence_days and budget_use join the tables for common queries.\n\nAt a terminal, svc sql without a query opens a prompt. A query ends with a semicolon. Tab completes names, and Ctrl-C stops a slow query.',
  args: [
    {
      name: 'select',
      summary: 'A query, or - for standard input (default at a terminal: a prompt). With --schema: the name of a table',
      optional: true,
      completes: 'table',
    },
  ],
  options,
  examples: [
    { args: "sql 'SELECT project_id, sum(minutes) / 60.0 AS hours FROM worklogs GROUP BY project_id'", does: 'Add up hours by project' },
    {
      args: "sql 'SELECT * FROM worklogs WHERE date >= :from' --param from=2026-11-01 -o csv",
      does: 'Write hours since a day for a spreadsheet',
    },
    { args: "sql --sync 'SELECT person, sum(minutes) FROM hours GROUP BY person'", does: 'Update the tables first' },
    { args: 'sql --schema hours', does: 'List the columns of a view' },
    {
      args: `sql --plan fix.plan "UPDATE hours SET project = 'Web shop' WHERE project = 'Old shop' AND date >= '2026-11-01'"`,
      does: 'Plan a change of many records',
    },
    { args: 'sql', does: 'Open the prompt' },
  ],
  async run(context: Context, { args: [select], options }) {
    const db = options.db ?? (await context.teamDatabase());
    await namingDatabase(db, () => query(context, select, { ...options, db }));
  },
});

interface SqlSource {
  tables(): Promise<readonly SqlTable[]>;
  run(sql: string, parameters: Readonly<Record<string, JsonValue>>): Promise<SqlRows>;
  close(): Promise<void>;
}

interface SqlRows {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly JsonObject[]>;
  readonly of: readonly TableState[];
  readonly moved: readonly string[];
}

async function openSource(context: Context, place: () => Promise<SyncPlace>, db: string | undefined): Promise<SqlSource> {
  if (db !== undefined && isDatabaseAddress(db)) {
    const [{ readAddress }, { openPostgresQueries }] = await Promise.all([
      import('../../database/postgres/address.ts'),
      import('../../database/postgres/query.ts'),
    ]);
    const queries = await openPostgresQueries(await readAddress(db, context.env, context.system.userName));
    return { ...queries, run: async (...query) => ({ ...(await queries.runQuery(...query)), moved: [] }) };
  }
  const { openForSql } = await import('../../database/query-database.ts');
  const database = await openForSql((await place()).name, db === undefined ? 'To create the local database: svc sync' : 'Check the name.');
  return {
    tables: async () => database.tables(),
    async run(...query) {
      const { rows, ...answer } = database.runQuery(...query);
      return { ...answer, batches: inBatches(rows, context.letGo) };
    },
    close: async () => database.close(),
  };
}

async function query(context: Context, select: string | undefined, options: Options): Promise<void> {
  // svc can read a team database without a sign-in. `syncPlace` needs a sign-in, so svc calls `syncPlace` only when svc needs the place.
  const place = once(() => syncPlace(context, options.db));
  const parameters = options.param ?? [];
  const atPrompt = select === undefined && options.file === undefined && options.schema !== true && context.interactive;
  const question = options.schema || atPrompt ? undefined : await readSqlQuery(context, select, options.file);
  if (options.sync) await (await import('./sync-first.ts')).syncFirst(context, await place(), question);
  if (await isPlanned(context, question, options)) {
    const { planStatement } = await import('./plan-statement.ts');
    const { db, maxChanges } = options;
    await planStatement(context, context.plan, { sql: question ?? '', parameters: parametersOf(parameters), db, maxChanges });
    return;
  }
  const database = await openSource(context, place, options.db);
  try {
    if (options.schema) return await printSchema(context, database, select);
    if (question === undefined) {
      parametersOf(parameters);
      return await (await import('./prompt.ts')).runPrompt(context, {
        path: options.db ?? (await place()).name,
        tables: await database.tables(),
        parameters,
      });
    }
    const answer = await database.run(question, parametersOf(parameters));
    await printRowsOr(context, answer.batches, { columns: answer.columns.map((path) => ({ path })) }, 'The query returned no rows.');
    for (const column of answer.moved)
      await context.notice(`${column} is a column: svc_other_fields does not have that field. Write the column in the query.`);
    await printAge(context, answer.of, toFlag(options.db));
  } finally {
    await database.close();
  }
}

/** Returns true for a statement that goes into a plan. @throws UsageError for --max-changes without such a statement. */
async function isPlanned({ plan }: Needs<'plan'>, question: string | undefined, { maxChanges }: Options): Promise<boolean> {
  const { isChange } = await import('../../database/query-database.ts');
  if (plan !== undefined && question !== undefined && isChange(question)) return true;
  if (maxChanges === undefined) return false;
  throw new UsageError('You can use --max-changes only with --plan, for a statement that changes records.', {
    hint: 'Leave out --max-changes.',
  });
}

async function readSqlQuery(context: Context, select: string | undefined, file: string | undefined): Promise<string> {
  if (select !== undefined && select !== '-') {
    if (file !== undefined) throw new UsageError('There are two queries: the argument and --file.', { hint: 'Leave out one of the two.' });
    return select;
  }
  if (file !== undefined) return context.readFileArgument(file);
  if (select === undefined && context.stdio.stdin.isTTY)
    throw new UsageError('"svc sql" needs a query.', { hint: "For example: svc sql 'SELECT count(*) FROM worklogs'" });
  return context.readStdin();
}

function parametersOf(typed: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(
    typed.map((text) => {
      const { path, value } = parseTypedField(text);
      const [name, ...rest] = path;
      if (typeof name !== 'string' || rest.length > 0 || value.kind !== 'value')
        throw new UsageError(`--param ${text} is not name=value.`, { hint: 'For example: --param from=2026-11-01' });
      return [name.replace(/^[:@$]/, ''), value.value];
    }),
  );
}

/**
 * Yields the rows in batches of up to 200. SQLite blocks the process while svc reads a batch. Within `release`, Ctrl-C still ends the
 * process.
 */
async function* inBatches(rows: Iterable<JsonObject>, release: Context['letGo']): AsyncGenerator<readonly JsonObject[]> {
  const source = rows[Symbol.iterator]();
  try {
    for (;;) {
      const batch = release(() => nextOf(source));
      if (batch.length > 0) yield batch;
      if (batch.length < BATCH) return;
    }
  } finally {
    source.return?.();
  }
}

function nextOf(source: Iterator<JsonObject>): JsonObject[] {
  const batch: JsonObject[] = [];
  while (batch.length < BATCH) {
    const { done, value } = source.next();
    if (done) break;
    batch.push(value);
  }
  return batch;
}

async function printSchema(context: Context, database: SqlSource, name: string | undefined): Promise<void> {
  const tables = await database.tables();
  const { schemaRows, tableNamed } = await import('./schema.ts');
  const wanted = name === undefined ? tables : [tableNamed(tables, name)];
  const paths = ['column', 'type', 'rows'].map((path) => ({ path }));
  await printRows(context, toAsync(schemaRows(wanted)), { columns: [STATE_COLUMNS.table, ...paths, STATE_COLUMNS.asOf] });
  for (const { name, fault } of wanted) if (fault !== undefined) await context.notice(`svc cannot query the view ${name}: ${fault}.`);
}

/**
 * Prints when svc last checked the tables in the answer, if the oldest check is more than an hour ago.
 *
 * @param to The flag of `svc sync` that names the database.
 */
async function printAge(
  { clock, notice }: Needs<'clock' | 'notice'>,
  of: readonly { readonly table: string; readonly noun: string; readonly as_of: string }[],
  to: string,
) {
  const old = of.filter(({ as_of }) => clock.now() - Date.parse(as_of) > OLD_MS);
  const [oldest] = old.toSorted((one, other) => (one.as_of < other.as_of ? -1 : 1));
  if (oldest !== undefined) await notice(`svc last checked ${oldest.table} at ${oldest.as_of}. To update: svc sync${to}`);
}
