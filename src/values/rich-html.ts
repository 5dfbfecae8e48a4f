/**
 * Whether a text is HTML already, as the rich text of the service is: it begins with a tag of that. `<name>` and `<https://…>` begin none.
 */
export function isRichHtml(text: string): boolean {
  return /^\s*<(?:!--|(?:a|b|blockquote|br|code|del|div|em|figure|font|h[1-6]|hr|i|img|mark|ol|p|pre|s|section|span|strong|sub|sup|table|u|ul)(?=[\s/>]))/i.test(
    text,
  );
}
