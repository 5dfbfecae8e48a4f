import type { Clock } from '../deps.ts';
import type { Screen } from './guard-terminal.ts';

/** One line at the bottom of a terminal that svc draws repeatedly. svc clears the line before any other output. */
export type StatusLine = ReturnType<typeof createStatusLine>;

/** The time between two lines for a screen reader, in milliseconds. */
const PAUSE = 10_000;

/**
 * Creates the status line.
 * @param quiet true to draw nothing, also for a terminal that can’t move its cursor back.
 * @param accessible returns true for a screen reader. svc then prints at most one line every 10 seconds instead of drawing.
 */
export function createStatusLine(
  output: Screen,
  quiet: boolean,
  { accessible, clock }: { readonly accessible: () => Promise<boolean>; readonly clock: Pick<Clock, 'monotonic'> },
) {
  let shown = false;
  let lastPrinted: number | undefined;
  /** Draws a text on the status line. Undefined until svc knows how to draw. Until then, svc stores the latest text. */
  let draw: ((text: string) => void) | undefined;
  let waiting: string | undefined;
  let isAsked = false;
  const isThere = output.isTTY && !quiet;
  // svc does not wait for the write, because nothing depends on the result.
  const unwatched = (writing: Promise<void>) => void writing.catch(() => undefined);

  function drawOver(text: string): void {
    shown = true;
    // A line as wide as the terminal would wrap, and svc could not clear the line.
    unwatched(output.overwrite(text.slice(0, (output.columns ?? 80) - 1)));
  }

  function printLine(text: string): void {
    const now = clock.monotonic();
    if (lastPrinted !== undefined && now - lastPrinted < PAUSE) return;
    lastPrinted = now;
    unwatched(output.write(`${text}\n`));
  }

  async function choose(): Promise<void> {
    draw = (await accessible()) ? printLine : drawOver;
    if (waiting !== undefined) draw(waiting);
  }

  return {
    isThere,
    show(text: string) {
      if (!isThere) return;
      if (draw !== undefined) return draw(text);
      waiting = text;
      if (!isAsked) void choose();
      isAsked = true;
    },
    clear(): void {
      waiting = undefined;
      if (shown) unwatched(output.overwrite(''));
      shown = false;
    },
  };
}
