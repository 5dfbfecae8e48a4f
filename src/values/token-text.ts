/** Whether a header can have a text as its token. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
