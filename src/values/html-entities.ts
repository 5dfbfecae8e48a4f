import { ownEntry } from './json.ts';

/** Decodes entities once, so `&amp;lt;` becomes `&lt;`. Unknown names stay unchanged. An invalid code point becomes U+FFFD. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]\w{1,8}));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ownEntry(ENTITIES, name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** The named entities that rich text contains most often. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', shy: '', hellip: '…', ndash: '–', mdash: '—' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•', middot: '·', euro: '€', pound: '£' },
  ...{ yen: '¥', cent: '¢', copy: '©', reg: '®', trade: '™', deg: '°', plusmn: '±', times: '×', divide: '÷', frac12: '½' },
  ...{ sect: '§', para: '¶', rarr: '→', larr: '←', szlig: 'ß', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü' },
  ...{ eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç' },
};
