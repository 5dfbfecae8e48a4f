import { UsageError } from '../../errors.ts';

/** A file's text, and how it was written. */
export interface Decoded {
  readonly text: string;
  /** The encoding, where it was guessed and may be another one. */
  readonly guessed?: string;
}

/**
 * The text of a file. A byte order mark settles how it is written; without one it is UTF-8, or UTF-16 where every other byte is
 * zero, or else what most spreadsheets of Western Europe write, Windows-1252. That is a guess, and said to be one.
 *
 * @param encoding When somebody said so: any name that browsers know (WHATWG Encoding).
 * @throws UsageError for a name that is none, and for bytes that are no text in it.
 */
export function decodeFile(bytes: Uint8Array, encoding: string | undefined): Decoded {
  if (ARCHIVE.every((byte, index) => bytes[index] === byte)) {
    throw new UsageError('The file is a workbook or an archive, and no text.', { hint: 'Save the sheet as CSV, in UTF-8.' });
  }
  const found = markOf(bytes);
  if (encoding !== undefined) return { text: decode(bytes, encoding) ?? refuse(encoding) };
  const name = found ?? zeroesOf(bytes) ?? 'utf-8';
  const text = decode(bytes, name);
  if (text !== undefined) return { text };
  // Five bytes mean nothing in Windows-1252; what has one is something else.
  if (found !== undefined || name !== 'utf-8' || bytes.some((byte) => UNUSED.has(byte))) return refuse(name);
  return { text: decode(bytes, WESTERN) ?? refuse(name), guessed: 'Windows-1252' };
}

/** What a ZIP file begins with, and so an Excel workbook. */
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

const WESTERN = 'windows-1252';

const UNUSED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** The encoding that the file's first bytes name. */
function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** So many bytes tell. */
const SAMPLE = 4_096;

/** UTF-16 without a mark: in a table most characters are ASCII, of which one byte is zero. UTF-8 has no zeroes. */
function zeroesOf(bytes: Uint8Array): string | undefined {
  const zeroes = [0, 0];
  for (const [index, byte] of bytes.subarray(0, SAMPLE).entries()) if (byte === 0) zeroes[index % 2] = (zeroes[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeroes;
  if (even + odd === 0) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Undefined where the bytes are no text in this encoding. @throws UsageError for an encoding that there is not. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding.trim(), { fatal: true });
  } catch {
    throw new UsageError(`--encoding: there is no encoding "${encoding}".`, {
      hint: 'For example: utf-8, utf-16le, windows-1252, windows-1250, iso-8859-2, shift_jis.',
    });
  }
  try {
    const text = decoder.decode(bytes);
    return decoder.encoding === WESTERN
      ? text.replace(/[\u0080-\u009f]/g, (character) => WESTERN_80[character.charCodeAt(0) - 0x80] ?? '')
      : text;
  } catch {
    return undefined;
  }
}

/** The characters of Windows-1252 from 0x80 on. Some Nodes of 22 read it as Latin-1, which has control characters there. */
const WESTERN_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function refuse(encoding: string): never {
  throw new UsageError(`The file is not written in ${encoding}.`, {
    hint: 'Say how it is written, such as --encoding windows-1252, or save it as UTF-8.',
  });
}
