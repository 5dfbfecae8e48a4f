/** The members of a source map (ECMA-426) that find a line of the source. The other members would double the size of the npm package. */
interface SourceMapJson {
  readonly version: number;
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** A position in a line of the bundle, and the line of the source that begins there. */
interface Segment {
  readonly column: number;
  readonly source: number;
  readonly line: number;
}

/** Removes names and columns from a source map. Keeps one segment per change of the source line. */
export function thinSourceMap(text: string): string {
  const { version, sources, mappings } = JSON.parse(text) as SourceMapJson;
  return JSON.stringify({ version, sources, names: [], mappings: encode(decode(mappings).map(firstOfEachLine)) });
}

function firstOfEachLine(segments: readonly Segment[]): readonly Segment[] {
  return segments.filter(({ source, line }, index) => {
    const before = segments[index - 1];
    return before?.source !== source || before.line !== line;
  });
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Decodes the mappings of a source map. Each number is the difference from the number before. Columns of the bundle restart on each line.
 */
function decode(mappings: string): Segment[][] {
  let source = 0;
  let line = 0;
  return mappings.split(';').map((group) => {
    let column = 0;
    return group.split(',').flatMap((segment) => {
      const [columns = 0, sources, lines = 0] = numbersOf(segment);
      column += columns;
      // Code that the bundler itself wrote has no source.
      if (sources === undefined) return [];
      source += sources;
      line += lines;
      return { column, source, line };
    });
  });
}

function encode(groups: readonly (readonly Segment[])[]): string {
  let last: Segment = { column: 0, source: 0, line: 0 };
  return groups
    .map((segments) => {
      last = { ...last, column: 0 };
      return segments
        .map((segment) => {
          const differences = [segment.column - last.column, segment.source - last.source, segment.line - last.line, 0];
          last = segment;
          return differences.map(digitsOf).join('');
        })
        .join(',');
    })
    .join(';');
}

/**
 * Decodes base 64 digits of five bits each, the lowest digit first. A sixth bit marks further digits. The lowest bit of a number is its
 * sign.
 */
function numbersOf(digits: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of digits) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function digitsOf(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let digits = '';
  do {
    const bits = rest & 31;
    rest >>>= 5;
    digits += DIGITS[rest > 0 ? bits | 32 : bits];
  } while (rest > 0);
  return digits;
}
