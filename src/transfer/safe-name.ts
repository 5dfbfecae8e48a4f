import { replaceHidden } from '../values/hidden-characters.ts';

/** The longest file name that svc writes, in bytes of UTF-8. File systems accept 255, and the name of a partial file is longer. */
const LONGEST = 200;

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;

/**
 * Converts a name from outside to a file name that is safe on every system. The result has at most 200 bytes. The result has no path, no
 * control characters, no leading dot or dash, and no name that Windows reserves. Characters that Windows forbids become `_`. Other
 * characters stay, so that you recognise the file.
 *
 * @param fallback name if nothing is left: `file-12`.
 */
export function safeName(reported: string, fallback: string): string {
  const last = reported.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = replaceHidden(last.replace(/[\t\n]/g, ''), () => '')
    .replace(/[<>:"|?*\ufffd]/g, '_')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[. ]+$/, '');
  const named = plain.replace(/^[.-]+/, '_');
  if (/^_?$/.test(named)) return fallback;
  return shortened(DEVICE.test(named) ? `_${named}` : named);
}

function shortened(name: string): string {
  if (bytesIn(name) <= LONGEST) return name;
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,16})?$/su.exec(name) ?? [];
  const room = LONGEST - bytesIn(extension);
  let start = '';
  let used = 0;
  for (const character of stem) {
    used += bytesIn(character);
    if (used > room) break;
    start += character;
  }
  return start.trimEnd() + extension;
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns another name for a name in use: `offer.pdf` becomes `offer (2).pdf`. */
export function numberedName(name: string, number: number): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,16})?$/su.exec(name) ?? [];
  return `${stem} (${number})${extension}`;
}

/**
 * Returns the file name of a Content-Disposition header (RFC 6266). `filename*` takes precedence over `filename`. Undefined without a name.
 * The name is not safe yet: pass the name to {@link safeName}.
 */
export function nameInDisposition(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {}
  }
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header) ?? [];
  const name = quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1');
  return name === undefined ? undefined : asUtf8(name);
}

/** Decodes header bytes that the HTTP library read as Latin-1. Many services send UTF-8. */
function asUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  } catch {
    return text;
  }
}
