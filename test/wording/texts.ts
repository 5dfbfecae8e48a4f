/**
 * Returns the string and template literals of a TypeScript source, in order, unquoted but unchanged. Keeps the content of `${…}`. Nested
 * literals come after their template.
 * Recognises comments and regular expressions, so that quotes in them do not confuse it.
 */
export function literalsOf(source: string): string[] {
  const found: string[] = [];
  let at = 0;
  /** The last character that was not a blank. It distinguishes a division from a regular expression. */
  let before = '';

  /** Reads code up to an unmatched `}`, or the end. */
  function code(): void {
    let depth = 0;
    while (at < source.length) {
      const char = source[at] ?? '';
      const rest = source.slice(at, at + 2);
      if (rest === '//') at = endOf('\n');
      else if (rest === '/*') at = endOf('*/');
      else if (char === "'" || char === '"') quoted(char);
      else if (char === '`') template();
      else if (char === '/' && beginsRegex()) regex();
      else if (char === '}' && depth === 0) return;
      else {
        if (char === '{') depth += 1;
        if (char === '}') depth -= 1;
        at += 1;
        if (!/\s/.test(char)) before = char;
        continue;
      }
      before = '"';
    }
  }

  function endOf(mark: string): number {
    const end = source.indexOf(mark, at + 2);
    return end < 0 ? source.length : end + mark.length;
  }

  function quoted(quote: string): void {
    const start = at + 1;
    at = start;
    while (source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
    found.push(source.slice(start, at));
    at += 1;
  }

  function template(): void {
    const place = found.push('') - 1;
    const start = at + 1;
    at = start;
    while (source[at] !== '`') {
      if (source.startsWith('${', at)) {
        at += 2;
        code();
        at += 1;
      } else at += source[at] === '\\' ? 2 : 1;
    }
    found[place] = source.slice(start, at);
    at += 1;
  }

  function beginsRegex(): boolean {
    return before === '' || '(,=:[!&|?{};+~^<>%*-'.includes(before) || /\b(return|of|case)\s*$/.test(source.slice(Math.max(0, at - 8), at));
  }

  function regex(): void {
    let inClass = false;
    at += 1;
    while (inClass || source[at] !== '/') {
      if (source[at] === '[') inClass = true;
      if (source[at] === ']') inClass = false;
      at += source[at] === '\\' ? 2 : 1;
    }
    at += 1;
  }

  code();
  return found;
}

/** Returns true if a literal is a text that a person reads: words with blanks between them. */
export function isProse(literal: string): boolean {
  if (SQL.test(literal)) return false;
  const words = literal.replace(/\$\{[^}]*\}/g, 'X').match(/[A-Za-z’]{2,}|X/g) ?? [];
  return (
    words.length > 1 && /[A-Za-z’X”)”"»] +[A-Za-z“$"(]/.test(literal.replace(/\$\{[^}]*\}/g, 'X')) && !/[{}]\s*$|=>|^\s*[.#]/.test(literal)
  );
}

/** Matches text that only a database reads. */
const SQL = /^\s*(?:\$\{SELECT\} |\(?(?:SELECT|INSERT|UPDATE|DELETE|ALTER|CREATE|CASE|PRAGMA|BEGIN|WITH)\b)|\bNOT NULL\b/;
