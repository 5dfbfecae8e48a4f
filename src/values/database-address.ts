/** Whether a text is the address of a database server, and no file: `postgres://…`, `postgresql://…`. */
export function isDatabaseAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/** Whether a text looks like an address that is none of {@link isDatabaseAddress}: `mysql://…`, `file:///…`, `postgres:/reports`. */
export function isOtherAddress(text: string): boolean {
  return !isDatabaseAddress(text) && /^(?:[a-z][a-z0-9+.-]+:\/\/|postgres(?:ql)?:)/i.test(text);
}

/**
 * An address of a database server without the passwords in it, to be shown, and to be typed where they come by another way. One that should
 * have been encoded may have any letter in it, so all up to the last `@` is taken for it.
 */
export function withoutPassword(address: string): string {
  return address
    .replace(/^(\w+:\/\/[^:@]*):.*@/s, '$1@')
    .replace(/([?&])(?:ssl)?password=[^&]*&?/gi, '$1')
    .replace(/[?&]+$/, '');
}
