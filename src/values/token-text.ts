/** Whether a text can go into a header as a token. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
