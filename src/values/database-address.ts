/** Whether a text is the address of a database server, and no file: `postgres://…`, `postgresql://…`. */
export function isDatabaseAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/** Whether a text looks like an address that is none of {@link isDatabaseAddress}: `mysql://…`, `file:///…`, `postgres:/reports`. */
export function isOtherAddress(text: string): boolean {
  return !isDatabaseAddress(text) && /^(?:[a-z][a-z0-9+.-]+:\/\/|postgres(?:ql)?:)/i.test(text);
}

/**
 * Returns the address of a database server without its passwords. It is safe to print, and you can type it if the passwords come from
 * elsewhere. A password without encoding can have any character, so everything up to the last `@` counts as password.
 */
export function withoutPassword(address: string): string {
  return address
    .replace(/^(\w+:\/\/[^:@]*):.*@/s, '$1@')
    .replace(/([?&])(?:ssl)?password=[^&]*&?/gi, '$1')
    .replace(/[?&]+$/, '');
}
