import type { Output } from '../deps.ts';

/** One line at the bottom of a terminal that is drawn over and over; whatever else is printed there clears it first. */
export interface StatusLine {
  /** Whether there is a terminal to draw on. */
  readonly isThere: boolean;
  show(text: string): void;
  clear(): void;
}

/** @param output stderr; nothing is drawn where it is no terminal, or `quiet` is set (also for a terminal that cannot go back in a line). */
export function createStatusLine(output: Output, quiet: boolean): StatusLine {
  let shown = false;
  const isThere = output.isTTY && !quiet;
  // Nobody waits for it, and nothing depends on its being seen.
  const write = (text: string) => void output.write(text).catch(() => undefined);
  return {
    isThere,
    show(text) {
      if (!isThere) return;
      shown = true;
      // A line as wide as the terminal would wrap, and could not be taken back.
      write(`\r\u001b[K${text.slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (shown) write('\r\u001b[K');
      shown = false;
    },
  };
}
