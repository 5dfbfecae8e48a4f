/** The contents of files that were sent, by resource and id: `attachments/5`. */
export type Contents = Map<string, Uint8Array>;

/** So many bytes are kept altogether; what was sent first goes first. */
const MOST_BYTES = 64 * 1024 * 1024;

export function keepContents(contents: Contents, key: string, bytes: Uint8Array): void {
  contents.set(key, bytes);
  let size = [...contents.values()].reduce((sum, one) => sum + one.byteLength, 0);
  for (const [oldest, one] of contents) {
    if (size <= MOST_BYTES) return;
    contents.delete(oldest);
    size -= one.byteLength;
  }
}
