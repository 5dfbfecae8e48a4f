/** A part of a line in one style. */
export interface Piece {
  readonly text: string;
  readonly bold: boolean;
  readonly dim: boolean;
  /** The terminal’s colour number from 0 to 7. Undefined for the default colour. */
  readonly color: number | undefined;
}

/** Converts the output of a program to the lines that a terminal shows. Understands colours and carriage returns. */
export function screenLines(output: string): Piece[][] {
  const lines = output.replaceAll('\r\n', '\n').split('\n');
  return lines.map((line) => piecesOf(line.slice(line.lastIndexOf('\r') + 1)));
}

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let style: Omit<Piece, 'text'> = PLAIN;
  for (const [, codes, final, text] of line.matchAll(/\u001b\[([0-9;?]*)([a-zA-Z])|([^\u001b]+|\u001b)/g)) {
    if (text !== undefined) pieces.push({ text, ...style });
    else if (final === 'm') style = (codes ?? '').split(';').reduce(styled, style);
  }
  return pieces;
}

const PLAIN = { bold: false, dim: false, color: undefined };

function styled(style: Omit<Piece, 'text'>, code: string): Omit<Piece, 'text'> {
  const number = Number(code || 0);
  if (number === 0) return PLAIN;
  if (number === 1) return { ...style, bold: true };
  if (number === 2) return { ...style, dim: true };
  if (number === 22) return { ...style, bold: false, dim: false };
  if (number === 39) return { ...style, color: undefined };
  if (number >= 30 && number <= 37) return { ...style, color: number - 30 };
  if (number >= 90 && number <= 97) return { ...style, color: number - 90 };
  return style;
}
