/** The parts of an SQL text that svc checks before SQLite reads it. */
export interface SqlText {
  /** The first word, in capitals. */
  readonly verb: string;
  /** Whether a `;` outside a string or comment ends the first statement. */
  readonly isEnded: boolean;
  /** Whether more text follows the first statement. */
  readonly isSeveral: boolean;
  /** Names of parameters, without the mark: `:from`, `@from` and `$from`. */
  readonly parameters: readonly string[];
  /** Every other name, as written, without quotes. */
  readonly names: readonly string[];
}

/** Strings, quoted names, comments, parameters, words, and the end of a statement. An unclosed token lasts until the end. */
const TOKENS =
  /'(?:[^']|'')*(?:'|$)|"((?:[^"]|"")*)(?:"|$)|`((?:[^`]|``)*)(?:`|$)|\[([^\]]*)(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[:@$]([A-Za-z_]\w*)|([A-Za-z_][\w$]*)|(;)|(\S)/g;

/** Finds the parts of an SQL text. SQLite decides what the text means. */
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
