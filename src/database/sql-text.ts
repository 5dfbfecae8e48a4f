/** The parts of a SQL text that svc checks before a database runs the text. */
export interface SqlText {
  /** The first word of the statement, in capital letters. */
  readonly verb: string;
  /** The verb that decides the kind of the statement, in capital letters. After WITH, the first verb outside parentheses. */
  readonly mainVerb: string;
  /** True if a `;` outside strings and comments ends the first statement. */
  readonly isEnded: boolean;
  /** True if the text has more than one statement. */
  readonly isSeveral: boolean;
  /** The names of the parameters without their prefix (`:from`, `@from` or `$from`). */
  readonly parameters: readonly string[];
  /** All words and quoted names in the text except parameters, without quotes. Keywords such as SELECT are among the words. */
  readonly names: readonly string[];
}

/**
 * Matches strings, quoted names, comments, parameters, words, the end of a statement, and any other character. The last token can be
 * unclosed.
 */
const TOKENS =
  /'(?:[^']|'')*(?:'|$)|"((?:[^"]|"")*)(?:"|$)|`((?:[^`]|``)*)(?:`|$)|\[([^\]]*)(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[:@$]([A-Za-z_]\w*)|([A-Za-z_][\w$]*)|(;)|(\S)/g;

const MAIN_VERBS: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'INSERT', 'UPDATE', 'DELETE', 'REPLACE']);

/** Finds the parts of a SQL text. Only the database decides whether the text is valid. */
export function readSqlText(sql: string): SqlText {
  let verb = '';
  let main: string | undefined;
  let depth = 0;
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
    if (other === '(') depth += 1;
    if (other === ')') depth -= 1;
    if (depth === 0 && word !== undefined && MAIN_VERBS.has(word.toUpperCase())) main ??= word.toUpperCase();
    if (parameter !== undefined) parameters.add(parameter);
    else if (name !== undefined) names.add(name);
  }
  return {
    verb,
    mainVerb: verb === 'WITH' ? (main ?? verb) : verb,
    isEnded: ended,
    isSeveral,
    parameters: [...parameters],
    names: [...names],
  };
}
