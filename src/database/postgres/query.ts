import { shellWord } from '../../cli/shell-word.ts';
import { UsageError } from '../../errors.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../values/json.ts';
import { answerColumns, checkOneStatement, checkParameters } from '../check-query.ts';
import { DatabaseError } from '../database-error.ts';
import type { TableState } from '../local-database.ts';
import type { SqlTable } from '../query-database.ts';
import { readSqlText } from '../sql-text.ts';
import { quoted } from '../sql-values.ts';
import type { PostgresPlace } from './address.ts';
import { openSession, type Session } from './session.ts';
import { OWN_VIEWS, readStatus } from './status-view.ts';

export interface PostgresAnswer {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly JsonObject[]>;
  /** The stored tables that the query reads, directly or through a view. */
  readonly of: readonly TableState[];
}

/** Opens a schema only for reading, in one transaction. Names without a schema belong to this schema. @throws as {@link openSession} and {@link readStatus} */
export async function openPostgresQueries(place: PostgresPlace) {
  return openSession(place, async (session) => {
    await session.run(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path = ${quoted(place.schema)}; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'iso_8601'`,
    );
    return queriesOf(session, await readStatus(session, `svc sync --to ${shellWord(place.name)}`));
  });
}

function queriesOf(session: Session, states: readonly TableState[]) {
  const { schema } = session.place;
  const tables = async (): Promise<readonly SqlTable[]> => {
    const found = await session.rows<Readonly<Record<'name' | 'kind' | 'column' | 'type', string> & { readonly view: string | null }>>(
      `SELECT c.relname AS name, c.relkind AS kind, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
         CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END AS view
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = $1::text::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
         AND (NOT starts_with(c.relname, 'svc_') OR c.relname = ANY($2)) AND has_table_privilege(c.oid, 'SELECT')
       ORDER BY c.relname COLLATE "C", a.attnum`,
      quoted(schema),
      OWN_VIEWS,
    );
    const names = [...new Set(found.map(({ name }) => name))];
    return names.map((name) => {
      const columns = found.filter((each) => each.name === name);
      const [first] = columns;
      const used = first?.view == null ? [name] : readSqlText(first.view).names;
      return {
        name,
        columns: columns.map(({ column, type }) => ({ name: column, type })),
        of: states.filter(({ table }) => used.includes(table)),
        isView: first?.view != null,
      };
    });
  };
  return {
    /** Lists the tables and views that the role can read, except the tables that svc uses internally. */
    tables,
    /**
     * Runs one query. The values of its parameters `:name` come from `given`.
     *
     * @throws UsageError if the text is not exactly one query, or if the server refuses the query.
     * @throws UsageError for a parameter without a value, or a value without a parameter.
     */
    async runQuery(sql: string, given: Readonly<Record<string, JsonValue>>): Promise<PostgresAnswer> {
      const read = readSqlText(sql);
      checkOneStatement(read);
      const { text, parameters } = withNumbers(sql);
      checkParameters(parameters, Object.keys(given));
      const values = parameters.map((name) => textOf(given[name] ?? null));
      try {
        // A cursor accepts only queries, and the server refuses every change in this transaction.
        const isCursor = /^(?:SELECT|WITH|VALUES|TABLE)$/.test(read.verb);
        if (isCursor) await session.rows(`DECLARE svc_answer NO SCROLL CURSOR FOR ${text}`, ...values);
        const next = () => (isCursor ? session.texts(`FETCH ${BATCH} FROM svc_answer`) : session.texts(text, ...values));
        const first = await next();
        const columns = answerColumns(first.columns.map(({ name }) => name));
        const recordsOf = (rows: readonly (readonly (string | null)[])[]) =>
          rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, jsonOf(row[at] ?? null, first.columns[at]?.type)])));
        const batches = async function* () {
          let batch = first;
          for (;;) {
            if (batch.rows.length > 0) yield recordsOf(batch.rows);
            if (!isCursor || batch.rows.length < BATCH) return;
            batch = await next().catch((error: unknown) => {
              throw refused(error);
            });
          }
        };
        const of = (await tables()).filter(({ name }) => read.names.includes(name)).flatMap((table) => table.of);
        return { columns, batches: batches(), of: [...new Set(of)] };
      } catch (error) {
        throw refused(error);
      }
    },
    close: () => session.close(),
  };
}

const BATCH = 1_000;

/** Matches strings, quoted names, comments and casts, in which svc looks for no parameter. The last group is the name of a parameter. */
const PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\w*\$[\s\S]*?\$\w*\$|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w*)/g;

/** Replaces each `:name` by a numbered parameter of PostgreSQL, such as `$1`. Leaves out the semicolon at the end. */
function withNumbers(sql: string): { readonly text: string; readonly parameters: readonly string[] } {
  const parameters: string[] = [];
  const text = sql.replace(PARAMETER, (part, name?: string) => {
    if (name === undefined) return part;
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}`;
  });
  return { text: text.replace(/;\s*$/, ''), parameters };
}

function textOf(value: JsonValue): string | null {
  return value === null || typeof value === 'string' ? value : stringifyJson(value);
}

/** The type numbers of PostgreSQL (`pg_type.dat`): integers, floats and `numeric`; `boolean`; `json` and `jsonb`; `timestamptz`. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);
const BOOLEAN = 16;
const JSONS: ReadonlySet<number> = new Set([114, 3802]);
const TIMESTAMPTZ = 1184;

/** Converts the server’s text of a value to JSON. Keeps all digits of a number. */
function jsonOf(text: string | null, type: number | undefined): JsonValue {
  if (text === null || type === undefined) return null;
  if (type === BOOLEAN) return text === 't';
  if (NUMBERS.has(type)) return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? parseJson(text) : text;
  if (JSONS.has(type)) return parseJson(text);
  return type === TIMESTAMPTZ ? text.replace(' ', 'T').replace(/\+00$/, 'Z') : text;
}

/** Returns the error for a query that the server refuses. Returns any other error unchanged. */
function refused(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || !(error.cause instanceof Error)) return error;
  return new UsageError(`PostgreSQL refuses the query: ${error.cause.message.replace(/\.$/, '')}.`, {
    hint: 'Tables and columns: svc sql --schema',
    cause: error.cause,
  });
}
