import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type JsonObject, parseJson } from '../../values/json.ts';
import type { SearchTerm } from '../../values/search-words.ts';
import type { DatabaseOwner } from '../local-database.ts';
import { quoted, recordTable } from '../sql-values.ts';
import { type FindHits, TITLE_WEIGHT } from './find-hits.ts';
import { foldedTexts } from './record-words.ts';

/**
 * The full-text index of all records: the words, without the texts. SQLite’s tokenizer only splits and folds ASCII. svc therefore separates
 * and folds the words of any other text. A search then finds words of every language, and the same records as in PostgreSQL.
 */
const INDEX = 'svc_search';

/** The table that gives each resource in the index the smallest free number. A resource without a number is not in the index. */
const SEARCHED = 'svc_searched';

/** The row id in the index: the number of the resource, then the id of the record. An id has at most 53 bits and a sign. Numbers up to 511 fit. */
const ID_BITS = 54n;
const LEAST_ID = -(1n << (ID_BITS - 1n));
const NUMBER = `(rowid >> ${ID_BITS})`;
const ID = `((rowid & ${(1n << ID_BITS) - 1n}) + ${LEAST_ID})`;

/** Creates the empty index, in a transaction of the caller. Requires SQLite 3.43, which every supported Node has. */
export function makeSearchIndex(database: DatabaseSync): void {
  database.exec(`
    CREATE VIRTUAL TABLE IF NOT EXISTS ${INDEX} USING fts5(title, body, content='', contentless_delete=1, tokenize='ascii');
    CREATE TABLE IF NOT EXISTS ${SEARCHED} (number INTEGER PRIMARY KEY, noun TEXT NOT NULL UNIQUE);
  `);
}

/** Opens the index for the records of a resource, within a transaction. */
export function searchWriter(database: DatabaseSync, noun: string) {
  const free = `SELECT min(number) + 1 FROM (SELECT 0 AS number UNION SELECT number FROM ${SEARCHED}) WHERE number + 1 NOT IN (SELECT number FROM ${SEARCHED})`;
  database.prepare(`INSERT OR IGNORE INTO ${SEARCHED} VALUES ((${free}), ?)`).run(noun);
  const first = BigInt(numberOf(database, noun) ?? 0) << ID_BITS;
  const change = indexChanger(database);
  const insert = database.prepare(`INSERT INTO ${INDEX} (rowid, title, body) VALUES (?, ?, ?)`);
  const replace = database.prepare(`INSERT OR REPLACE INTO ${INDEX} (rowid, title, body) VALUES (?, ?, ?)`);
  const erase = database.prepare(`DELETE FROM ${INDEX} WHERE rowid = ?`);
  return {
    /** Writes the words of a record. @param isNew false to replace earlier words. */
    put(id: number, record: JsonObject, isNew: boolean) {
      const { title, body } = foldedTexts(record);
      change(isNew ? insert : replace, first + BigInt(id) - LEAST_ID, title, body);
    },
    remove: (id: number) => change(erase, first + BigInt(id) - LEAST_ID),
  };
}

/**
 * Returns a function that runs a change of the index. A change inserts row ids that are not exact as numbers. Every later `run` of Node
 * would fail, because `run` returns the last inserted row id of the connection. svc therefore inserts a small row id afterwards.
 */
function indexChanger(database: DatabaseSync): (statement: StatementSync, ...values: SQLInputValue[]) => void {
  database.exec('CREATE TEMPORARY TABLE IF NOT EXISTS svc_last_row (id INTEGER PRIMARY KEY)');
  const reset = database.prepare('INSERT OR REPLACE INTO temp.svc_last_row VALUES (1)');
  return (statement, ...values) => {
    statement.all(...values);
    reset.run();
  };
}

/** Removes the words of a resource from the index. */
export function forgetSearchWords(database: DatabaseSync, noun: string): void {
  const number = numberOf(database, noun);
  if (number === undefined) return;
  const erase = database.prepare(`DELETE FROM ${INDEX} WHERE rowid >= ? AND rowid < ?`);
  indexChanger(database)(erase, BigInt(number) << ID_BITS, BigInt(number + 1) << ID_BITS);
  database.prepare(`DELETE FROM ${SEARCHED} WHERE noun = ?`).run(noun);
}

function numberOf(database: DatabaseSync, noun: string): number | undefined {
  const number = database.prepare(`SELECT number FROM ${SEARCHED} WHERE noun = ?`).get(noun)?.['number'];
  return number === undefined ? undefined : Number(number);
}

/** Adds the records of all tables to a new index, in a transaction of the caller. @param announce the `announceIndex` of the owner. */
export function indexStoredRecords(database: DatabaseSync, announce: DatabaseOwner['announceIndex']): void {
  const tables = database.prepare('SELECT noun, "table", rows FROM svc_tables').all();
  const end = tables.length === 0 ? undefined : announce?.(tables.reduce((sum, { rows }) => sum + Number(rows), 0));
  for (const { noun, table } of tables) {
    const words = searchWriter(database, String(noun));
    const stored = database.prepare(`SELECT id, record FROM ${quoted(recordTable(String(table)))}`).iterate();
    for (const { id, record } of stored) words.put(Number(id), parseJson(String(record)) as JsonObject, true);
  }
  end?.();
}

/** Searches the index of a local database. @param rows runs a query. */
export function sqliteSearch(rows: <Row>(sql: string, ...values: (string | number)[]) => readonly Row[]): FindHits {
  return async (terms, states, limit) => {
    const wanted = new Set(states.map(({ noun }) => noun));
    const all = rows<{ readonly number: number; readonly noun: string }>(`SELECT number, noun FROM ${SEARCHED}`);
    const numbers = all.flatMap(({ number, noun }) => (wanted.has(noun) ? [number] : []));
    const match = `FROM ${INDEX} WHERE ${INDEX} MATCH ?${numbers.length === all.length ? '' : ` AND ${NUMBER} IN (${numbers.join(', ')})`}`;
    const found = rows<{ readonly number: number; readonly id: number }>(
      `SELECT ${NUMBER} AS number, ${ID} AS id ${match} AND rank MATCH 'bm25(${TITLE_WEIGHT}, 1)' ORDER BY rank, ${NUMBER}, rowid DESC LIMIT ?`,
      ...[matchOf(terms), limit],
    );
    const [count] = rows<{ readonly total: number }>(`SELECT count(*) AS total ${match}`, matchOf(terms));
    const nouns = new Map(all.map(({ number, noun }) => [number, noun]));
    return { hits: found.map(({ number, id }) => ({ noun: nouns.get(number) ?? '', id })), total: count?.total ?? 0 };
  };
}

/** Returns the query for FTS5. Words are letters and digits only, so no word is an operator. A whole word counts more than a longer word. */
function matchOf(terms: readonly SearchTerm[]): string {
  const parts = terms.map(({ words, isPrefix }) => {
    const phrase = `"${words.join(' ')}"`;
    return isPrefix ? `(${phrase} OR ${phrase} *)` : phrase;
  });
  return parts.join(' AND ');
}
