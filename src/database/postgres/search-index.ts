import { type JsonObject, parseJson } from '../../values/json.ts';
import type { SearchTerm } from '../../values/search-words.ts';
import type { DatabaseOwner } from '../local-database.ts';
import { type FindHits, TITLE_WEIGHT } from '../search/find-hits.ts';
import { literal } from '../sql-dialect.ts';
import { recordTable } from '../sql-values.ts';
import { inSchema } from './names.ts';
import { WORDS, wordsIndex, wordsText } from './record-words.ts';
import type { Session } from './session.ts';
import { piecesOf } from './tables.ts';

/** Adds the words to tables that an older svc filled, in a transaction of the caller. @param announce the `announceIndex` of the owner. */
export async function addSearchWords(session: Session, announce: DatabaseOwner['announceIndex']): Promise<void> {
  const { schema } = session.place;
  const tables = await session.rows<{ readonly table: string; readonly rows: number }>(
    `SELECT "table", rows FROM ${inSchema(schema, 'svc_tables')}`,
  );
  const end = tables.length === 0 ? undefined : announce?.(tables.reduce((sum, { rows }) => sum + rows, 0));
  for (const { table } of tables) {
    const records = inSchema(schema, recordTable(table));
    await session.run(`ALTER TABLE ${records} ADD COLUMN IF NOT EXISTS ${WORDS} tsvector`);
    for await (const piece of piecesOf(session, { records }))
      await session.rows(
        `UPDATE ${records} r SET ${WORDS} = w.text::tsvector FROM unnest($1::bigint[], $2::text[]) AS w (id, text) WHERE r.id = w.id`,
        piece.map(({ id }) => id),
        piece.map(({ record }) => wordsText(parseJson(record) as JsonObject)),
      );
    await session.run(wordsIndex(records));
  }
  end?.();
}

/**
 * Searches a team database. The server applies row-level security first, and then compares words. The rank of a row depends only on the
 * words of that row.
 */
export function postgresSearch(session: Session): FindHits {
  const weights = [0.1, 0.1, 0.1, 0.1 * TITLE_WEIGHT].join(', ');
  return async (terms, states, limit) => {
    const parts = states.map(({ noun, table }) => {
      const score = `ts_rank('{${weights}}', ${WORDS}, q, ${BY_LENGTH}) AS score`;
      return `SELECT ${literal(noun)} AS noun, id, ${score} FROM ${inSchema(session.place.schema, recordTable(table))} WHERE ${WORDS} @@ q`;
    });
    if (parts.length === 0) return { hits: [], total: 0 };
    const hits = await session.rows<{ readonly noun: string; readonly id: number; readonly total: number }>(
      `SELECT noun, id, count(*) OVER () AS total FROM (SELECT $1::tsquery AS q) AS typed, LATERAL (${parts.join(' UNION ALL ')}) AS found
       ORDER BY score DESC, noun COLLATE "C", id DESC LIMIT $2::integer`,
      queryOf(terms),
      limit,
    );
    return { hits, total: hits[0]?.total ?? 0 };
  };
}

/** Divides the rank by one plus the logarithm of the length, so that short texts come before long texts. */
const BY_LENGTH = 1;

/** Returns the text of a `tsquery`. Words are letters and digits in quotes, so no word is an operator. */
function queryOf(terms: readonly SearchTerm[]): string {
  const parts = terms.map(({ words, isPrefix }) => {
    const phrase = words.map((word) => `'${word}'`).join(' <-> ');
    return isPrefix ? `(${phrase} | (${phrase}:*))` : `(${phrase})`;
  });
  return parts.join(' & ');
}
