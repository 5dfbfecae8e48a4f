/** Draws the cells of one line side by side. */
export type DrawLine = (cells: readonly string[]) => string;

/** Blanks between two columns. */
export const GAP = 2;

/**
 * Lines of a table without a frame, drawn by cli-table3. The cells come padded: each line is a table of its own, since a list is streamed
 * and since cli-table3 measures emoji by older rules than terminals follow today.
 */
export async function loadGrid(): Promise<DrawLine> {
  const { default: Table } = await import('cli-table3');
  return (cells) => {
    const table = new Table({ chars: FRAMELESS, style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] } });
    table.push([...cells]);
    return `${table.toString().trimEnd()}\n`;
  };
}

const FRAMELESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};
