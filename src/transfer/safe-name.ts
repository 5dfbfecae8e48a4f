import { replaceHidden } from '../values/hidden-characters.ts';

/** The most bytes of UTF-8 that a name has; file systems take 255, and a partial file's name is longer. */
const LONGEST = 200;

/** What Windows takes for a device, whatever stands behind the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;

/**
 * A name that somebody else chose, as the name of a file in a directory of one's own, on any system: no path, no control characters, no
 * device of Windows, no leading dot or dash, none that Windows would cut, and not too long. What is left of its form is kept, so that
 * it can be found again.
 *
 * @param fallback What it is called when nothing is left: `file-12`.
 */
export function safeName(told: string, fallback: string): string {
  const last = told.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = replaceHidden(last.replace(/[\t\n]/g, ''), () => '')
    .replace(/[<>:"|?*\ufffd]/g, '_')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[. ]+$/, '');
  const named = plain.replace(/^[.-]+/, '_');
  if (/^_?$/.test(named)) return fallback;
  return shortened(DEVICE.test(named) ? `_${named}` : named);
}

/** Cut in the middle of its length, before the extension. */
function shortened(name: string): string {
  if (bytesIn(name) <= LONGEST) return name;
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,16})?$/su.exec(name) ?? [];
  const room = LONGEST - bytesIn(extension);
  let kept = '';
  let used = 0;
  for (const character of stem) {
    used += bytesIn(character);
    if (used > room) break;
    kept += character;
  }
  return kept.trimEnd() + extension;
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Another name where one is taken: `offer.pdf` becomes `offer (2).pdf`. */
export function numberedName(name: string, number: number): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,16})?$/su.exec(name) ?? [];
  return `${stem} (${number})${extension}`;
}

/**
 * The file's name in a Content-Disposition (RFC 6266): `filename*` over `filename`; undefined where there is none that can be read. As it
 * was told: {@link safeName} comes after.
 */
export function nameInDisposition(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Badly encoded: the plain one may do.
    }
  }
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header) ?? [];
  const name = quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1');
  return name === undefined ? undefined : asUtf8(name);
}

/** Header bytes that were read as Latin-1 and are UTF-8, as many services send them. */
function asUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  } catch {
    return text;
  }
}
