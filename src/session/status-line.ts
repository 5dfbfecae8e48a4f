import type { Clock } from '../deps.ts';
import type { Screen } from './guard-terminal.ts';

/** One line at the bottom of a terminal that svc draws again and again; any other output there clears the line first. */
export type StatusLine = ReturnType<typeof createStatusLine>;

/** Milliseconds between two lines for somebody who hears them. */
const PAUSE = 10_000;

/**
 * @param quiet Whether to draw nothing; also for a terminal that cannot go back in a line.
 * @param accessible Whether somebody hears the screen: then svc draws nothing over, and prints a separate line now and then.
 */
export function createStatusLine(
  output: Screen,
  quiet: boolean,
  { accessible, clock }: { readonly accessible: () => Promise<boolean>; readonly clock: Pick<Clock, 'monotonic'> },
) {
  let shown = false;
  let lastPrinted: number | undefined;
  /** Undefined until it is known; a text waits that long. */
  let draw: ((text: string) => void) | undefined;
  let waiting: string | undefined;
  let isAsked = false;
  const isThere = output.isTTY && !quiet;
  // Nobody waits for it, and nothing depends on it.
  const unwatched = (writing: Promise<void>) => void writing.catch(() => undefined);

  function drawOver(text: string): void {
    shown = true;
    // A line as wide as the terminal would wrap, and svc could not clear it.
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
