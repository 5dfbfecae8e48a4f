import type { ValueKind } from '../values/kind.ts';
import { isKind } from './described.ts';
import type { Flat } from './flatten.ts';

/**
 * Finds the kind of a schema’s values. The extension `x-kind` takes precedence. Then the function checks the type, other extensions, the
 * format, the name, the pattern, the title and the description. The function never runs a pattern.
 *
 * @param name name of the property or parameter.
 */
export function kindOf(flat: Flat, name: string): ValueKind {
  const exact = flat.extensions.get('x-kind');
  if (isKind(exact)) return exact;
  const { types } = flat;
  const said = saidKind(flat);
  if (types.includes('boolean') && types.length === 1) return 'boolean';
  if (flat.values !== undefined) return 'enum';
  if (types.includes('string')) return said ?? textKind(flat, name);
  if (types.includes('integer')) return said !== undefined && FOR_NUMBERS.has(said) ? said : integerKind(flat, name);
  if (types.includes('number'))
    return said !== undefined && FOR_FRACTIONS.has(said) ? said : /^(?:lat|lng|latitude|longitude)$/.test(name) ? 'coordinate' : 'number';
  if (types.length === 0 && flat.properties.size === 0) return said ?? (isIdName(name) ? 'id' : 'json');
  return 'json';
}

/** The kinds, except `integer` itself, whose values can be integers in JSON. */
const FOR_NUMBERS: ReadonlySet<ValueKind> = new Set(['id', 'user', 'work-item', 'duration', 'percentage']);

/** The kinds whose values can be numbers with a fraction in JSON. */
const FOR_FRACTIONS: ReadonlySet<ValueKind> = new Set(['money', 'decimal', 'percentage', 'coordinate']);

/** The kinds by the names that formats, media types and extensions use for them. */
const SAID: Readonly<Record<string, ValueKind>> = {
  date: 'date',
  'date-time': 'date-time',
  datetime: 'date-time',
  time: 'time',
  'partial-time': 'time',
  'time-of-day': 'time',
  html: 'html',
  'text/html': 'html',
  markdown: 'markdown',
  'text/markdown': 'markdown',
  money: 'money',
  currency: 'money',
  decimal: 'decimal',
  minutes: 'duration',
  'duration-minutes': 'duration',
  percentage: 'percentage',
  percent: 'percentage',
  coordinate: 'coordinate',
  latitude: 'coordinate',
  longitude: 'coordinate',
  id: 'id',
  uuid: 'string',
};

const SAYING = ['x-format', 'x-type', 'x-unit'];

function saidKind({ format, mediaType, extensions }: Flat): ValueKind | undefined {
  for (const said of [...SAYING.map((name) => extensions.get(name)), mediaType, format]) {
    if (typeof said !== 'string') continue;
    const word = said.toLowerCase();
    if (Object.hasOwn(SAID, word)) return SAID[word];
  }
  return undefined;
}

function integerKind({ minimum, maximum, description = '' }: Flat, name: string): ValueKind {
  if (isIdName(name)) return 'id';
  if (minimum === 0 && maximum === 100) return 'percentage';
  if (/(?:^|_)minutes$/.test(name) || /\bminutes\b/i.test(description)) return 'duration';
  return /\b(?:percentage|per cent|percent)\b/i.test(description) && maximum === 100 ? 'percentage' : 'integer';
}

function textKind({ pattern, description = '', title = '' }: Flat, name: string): ValueKind {
  if (name === 'id') return 'id';
  const byPattern = pattern === undefined ? undefined : patternKind(pattern);
  if (byPattern !== undefined) return byPattern;
  const text = `${title} ${description}`;
  if (/YYYY-MM-DDTHH/i.test(text)) return 'date-time';
  if (/YYYY-MM-DD/.test(text)) return 'date';
  if (/\bHH:MM\b/.test(text)) return 'time';
  if (/\bmarkdown\b/i.test(text)) return 'markdown';
  if (/\bhtml\b/i.test(text)) return 'html';
  if (/\btwo decimals\b/i.test(text) || /\bmoney\b/i.test(text)) return 'money';
  return /\bdecimal string\b/i.test(text) ? 'decimal' : 'string';
}

/** Returns the kind that a pattern describes, by the digits and separators of the pattern. */
function patternKind(pattern: string): ValueKind | undefined {
  const form = pattern
    .slice(0, 200)
    .replace(/^\^|\$$/g, '')
    .replace(/\[0-9\]|\[0-9\]|\\d/g, '9')
    .replace(/\\([-.:/+])/g, '$1')
    .replace(/\[([.])\]/g, '$1')
    .replace(/\(\?:/g, '(');
  if (/^9\{4\}-/.test(form) || /^9999-/.test(form)) return form.includes('T') ? 'date-time' : 'date';
  if (/^[[\]()|0-59{},-]*:[[\]()|0-59{},-]*$/.test(form) && form.includes(':')) return 'time';
  if (!/^[-+?]*[[\]()|0-9{},?*+.]*$/.test(form) || !form.includes('9')) return undefined;
  if (!form.includes('.')) return undefined;
  return /\.(?:9\{(?:1,|0,)?2\}|99\??|9\?9\?)\)?\??$/.test(form) ? 'money' : 'decimal';
}

function isIdName(name: string): boolean {
  return name === 'id' || /_id$/.test(name);
}
