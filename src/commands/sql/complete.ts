export interface SqlNames {
  readonly name: string;
  readonly columns: readonly string[];
}

const BEGINNINGS = ['SELECT', 'WITH', 'VALUES', 'EXPLAIN'];

const KEYWORDS =
  'SELECT FROM WHERE GROUP ORDER BY LIMIT OFFSET JOIN LEFT ON USING AS AND OR NOT NULL IS IN LIKE BETWEEN CASE WHEN THEN ELSE END DISTINCT HAVING UNION ALL WITH RECURSIVE VALUES EXISTS ASC DESC EXPLAIN count sum avg min max round total coalesce date strftime substr lower upper'.split(
    ' ',
  );

/**
 * Returns the candidates for the word at the end of a query, and this word as `of`. After FROM or JOIN, the candidates are tables. After a
 * dot, the candidates are the columns of the table before the dot. At the start, the candidates are tables and first keywords. Elsewhere,
 * the candidates are columns, tables and keywords.
 */
export function completeSql(text: string, tables: readonly SqlNames[]): { readonly choices: readonly string[]; readonly of: string } {
  const [of = ''] = /\w*$/.exec(text) ?? [];
  const before = text.slice(0, text.length - of.length);
  const behindDot = /(\w+)\.$/.exec(before)?.[1];
  // Strings, numbers and empty words have no candidates. After a dot, an empty word has all columns of the table as candidates.
  if ((before.match(/'/g) ?? []).length % 2 === 1 || /^\d/.test(of) || (of === '' && behindDot === undefined)) return { choices: [], of };
  if (behindDot !== undefined) return { choices: fitting(of, tableOf(behindDot, text, tables)?.columns ?? columnsOf(tables)), of };
  const names = tables.map(({ name }) => name);
  if (/\b(?:from|join)\s+$/i.test(before)) return { choices: fitting(of, names), of };
  if (before.trim() === '') return { choices: fitting(of, [...names, ...cased(of, BEGINNINGS)]), of };
  const words = new Set(text.toLowerCase().match(/\w+/g) ?? []);
  const named = tables.filter(({ name }) => words.has(name.toLowerCase()));
  const columns = columnsOf(named.length === 0 ? tables : named);
  return { choices: fitting(of, [...columns, ...names, ...cased(of, KEYWORDS)]), of };
}

/** Finds a table by its name, or by its alias in the query. */
function tableOf(name: string, text: string, tables: readonly SqlNames[]): SqlNames | undefined {
  const [sought, sql] = [name.toLowerCase(), text.toLowerCase()];
  const [, meant = sought] = new RegExp(String.raw`(\w+)\s+(?:as\s+)?${sought}\b(?!\.)`).exec(sql) ?? [];
  return [sought, meant].map((each) => tables.find((table) => table.name.toLowerCase() === each)).find((table) => table !== undefined);
}

function columnsOf(tables: readonly SqlNames[]): readonly string[] {
  return tables.flatMap(({ columns }) => columns);
}

function cased(of: string, words: readonly string[]): readonly string[] {
  return of === of.toLowerCase() ? words.map((word) => word.toLowerCase()) : words;
}

function fitting(of: string, choices: readonly string[]): readonly string[] {
  const sought = of.toLowerCase();
  return [...new Set(choices)].filter((choice) => choice.toLowerCase().startsWith(sought)).toSorted();
}
