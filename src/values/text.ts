/** Quotes a user’s own text for a message: in double quotes, on one line, at most 60 characters. */
export function quote(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  return `"${characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('')}"`;
}

const LONGEST = 60;

export function were(count: number): 'was' | 'were' {
  return count === 1 ? 'was' : 'were';
}

/** Writes a number with its unit: `1 entry`, `2 entries`. Default of `many`: `one` with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function hasOnlyDigits(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Compares texts by UTF-16 code units, which gives the same order on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns true if a text starts with a tag of the service’s rich text. `<name>` and `<https://…>` are not such tags. */
export function isRichHtml(text: string): boolean {
  return /^\s*<(?:!--|(?:a|b|blockquote|br|code|del|div|em|figure|font|h[1-6]|hr|i|img|mark|ol|p|pre|s|section|span|strong|sub|sup|table|u|ul)(?=[\s/>]))/i.test(
    text,
  );
}
