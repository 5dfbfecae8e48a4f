import type { SqlTable } from '../../database/query-database.ts';
import { readSqlText } from '../../database/sql-text.ts';
import type { Files } from '../../deps.ts';
import { InterruptedError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printRows, toAsync } from '../../session/print.ts';
import { pathIn } from '../../values/paths.ts';
import { STATE_COLUMNS } from '../sync-place.ts';
import { completeSql } from './complete.ts';
import { tableRows } from './schema.ts';

type Typing = Printing | 'files' | 'holdNotices' | 'interrupts' | 'paths' | 'programs' | 'prompts' | 'signal';

export interface SqlSession {
  readonly path: string;
  readonly tables: readonly SqlTable[];
  /** The parameters in the form that the user typed: `from=2026-11-01`. */
  readonly parameters: readonly string[];
}

/** Words that end the session, as in psql and sqlite3. */
const LEAVING: ReadonlySet<string> = new Set(['\\q', '.quit', '.exit', 'quit', 'exit']);

/** Words that list the tables, or the columns of a named table, as in psql and sqlite3. */
const SHOWING: ReadonlySet<string> = new Set(['\\d', '.tables', '.schema']);

const HELP = 'End a query with ; \\d lists the tables, \\d worklogs shows one table, \\q quits.';

/**
 * Asks for queries until the user ends the session. Each query runs in its own process, because SQLite blocks the process. Ctrl-C can then
 * stop a query without ending the session.
 */
export async function runPrompt(context: Needs<Typing>, session: SqlSession): Promise<void> {
  // During typing, Ctrl-C only discards the line. During a query, Ctrl-C stops the query.
  await context.interrupts.lend(() => askInTurn(context, session));
}

async function askInTurn(context: Needs<Typing>, { path, tables, parameters }: SqlSession): Promise<void> {
  const { prompts, programs, signal } = context;
  const history = await openHistory(context);
  const names = tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
  const runSelf = (argv: readonly string[], question = '') =>
    context.holdNotices(() => programs.runSelf(['sql', ...argv, '--db', path, ...flagsOf(context)], question));
  await context.notice(HELP);
  let started: string[] = [];
  for (;;) {
    const before = started.map((line) => `${line}\n`).join('');
    const memory = { history: history.latestFirst(), complete: (text: string) => completeSql(before + text, names) };
    let line: string | undefined;
    try {
      line = await prompts.typed(started.length === 0 ? 'svc> ' : '...> ', signal, memory);
    } catch (error) {
      // Ctrl-C discards the typed lines. Any other signal ends the session.
      if (!(error instanceof InterruptedError) || signal.aborted) throw error;
      started = [];
      continue;
    }
    if (line === undefined) return;
    if (line.trim() === '' && started.length === 0) continue;
    await history.add(line);
    const [word = '', name] = started.length === 0 ? line.trim().replace(/\s*;$/, '').split(/\s+/) : [];
    if (LEAVING.has(word)) return;
    if (SHOWING.has(word)) {
      if (name === undefined)
        await printRows(context, toAsync(tableRows(tables)), { columns: [STATE_COLUMNS.table, { path: 'rows' }, STATE_COLUMNS.asOf] });
      else await runSelf(['--schema', name]);
    } else if (/^[\\.]/.test(word)) await context.notice(`svc has no ${word} here. ${HELP}`);
    else {
      started.push(line);
      const question = started.join('\n');
      const { isEnded, parameters: wanted } = readSqlText(question);
      if (!isEnded) continue;
      started = [];
      const given = parameters.filter((text) => wanted.includes(text.slice(0, text.indexOf('=')).replace(/^[:@$]/, '')));
      await runSelf(['-', ...given.flatMap((text) => ['--param', text])], question);
    }
  }
}

function flagsOf({ globals }: Needs<'globals'>): readonly string[] {
  const { output, fields, jq, errorFormat, noColor, quiet, raw, bom } = globals;
  const valued = Object.entries({ '--output': output, '--fields': fields, '--jq': jq, '--error-format': errorFormat });
  const toggled = Object.entries({ '--no-color': noColor, '--quiet': quiet, '--raw': raw, '--bom': bom });
  return [
    ...valued.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
    ...toggled.flatMap(([flag, isOn]) => (isOn ? [flag] : [])),
  ];
}

/** The number of lines that remain when svc shortens the history. svc shortens a file with more than twice as many lines. */
const MOST_LINES = 500;

/** Opens the history of the lines that the user typed at the prompt. Only the user can read its file. */
export async function openHistory({ files, paths }: { readonly files: Files } & Needs<'paths'>) {
  const path = pathIn(paths.state, 'sql-history');
  const stored = ((await files.readText(path).catch(() => undefined)) ?? '').split('\n').filter((line) => line !== '');
  const lines = stored.slice(-MOST_LINES);
  if (stored.length > 2 * MOST_LINES) await files.writeAtomic(path, `${lines.join('\n')}\n`).catch(() => undefined);
  return {
    latestFirst: () => lines.toReversed(),
    /** Stores a line in the history, unless the line repeats the latest line. svc ignores a failure, so that the session continues. */
    async add(line: string) {
      if (line === lines.at(-1)) return;
      lines.push(line);
      await files.append(path, `${line}\n`).catch(() => undefined);
    },
  };
}
