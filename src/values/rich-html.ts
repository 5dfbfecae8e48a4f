/** Whether a text is already HTML: it begins with a tag of the service’s rich text. `<name>` and `<https://…>` do not. */
export function isRichHtml(text: string): boolean {
  return /^\s*<(?:!--|(?:a|b|blockquote|br|code|del|div|em|figure|font|h[1-6]|hr|i|img|mark|ol|p|pre|s|section|span|strong|sub|sup|table|u|ul)(?=[\s/>]))/i.test(
    text,
  );
}
