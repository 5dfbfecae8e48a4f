/** What a text of SQL is made of, as far as it matters before SQLite sees it. */
export interface SqlText {
  /** Its first word, in capitals. */
  readonly verb: string;
  /** Its first statement ends with a `;` that is no part of a text or a comment. */
  readonly isEnded: boolean;
  /** Something follows the first statement. */
  readonly isSeveral: boolean;
  /** Names of its parameters, without the mark: `:from`, `@from` and `$from`. */
  readonly parameters: readonly string[];
  /** Every other name in it, as written, without quotes. */
  readonly names: readonly string[];
}

/** Texts, quoted names, comments, parameters, words, and the end of a statement. What is not closed goes to the end. */
const TOKENS =
  /'(?:[^']|'')*(?:'|$)|"((?:[^"]|"")*)(?:"|$)|`((?:[^`]|``)*)(?:`|$)|\[([^\]]*)(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[:@$]([A-Za-z_]\w*)|([A-Za-z_][\w$]*)|(;)|(\S)/g;

/** Takes a text apart. SQLite decides what it means; this tells what kind of statement it is, and how many. */
export function readSqlText(sql: string): SqlText {
  let verb = '';
  let ended = false;
  let isSeveral = false;
  const parameters = new Set<string>();
  const names = new Set<string>();
  for (const [, quoted, ticked, bracketed, parameter, word, end, other] of sql.matchAll(TOKENS)) {
    const name = quoted ?? ticked ?? bracketed ?? word;
    if (name === undefined && parameter === undefined && end === undefined && other === undefined) continue;
    if (end !== undefined) {
      ended = verb !== '';
      continue;
    }
    if (ended) isSeveral = true;
    if (verb === '' && word !== undefined) verb = word.toUpperCase();
    if (parameter !== undefined) parameters.add(parameter);
    else if (name !== undefined) names.add(name);
  }
  return { verb, isEnded: ended, isSeveral, parameters: [...parameters], names: [...names] };
}
