import type { StatusLine } from '../../session/status-line.ts';

/**
 * A status line for each of several pieces of work side by side, of which one is seen at a time: that of whoever showed something first
 * and is not over.
 */
export function sharedLine(line: StatusLine): () => StatusLine {
  let owner: StatusLine | undefined;
  return () => {
    const own: StatusLine = {
      get isThere() {
        return line.isThere && (owner === undefined || owner === own);
      },
      show(text) {
        owner ??= own;
        if (owner === own) line.show(text);
      },
      clear() {
        if (owner !== own) return;
        owner = undefined;
        line.clear();
      },
    };
    return own;
  };
}
