import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import { escapeUnsafe } from './neutralise.ts';
import type { Styles } from './styles.ts';

/**
 * A value as JSON for a terminal: coloured, indented by two spaces (or on one line), and with everything a terminal would obey written as
 * `\uXXXX`. Without its colours it parses to the same value.
 */
export function prettyJson(value: JsonValue, styles: Styles, layout: 'indented' | 'line' = 'indented'): string {
  return write(value, styles, layout === 'indented' ? '\n' : undefined);
}

/** @param newline a line break and the current indentation; undefined on one line. */
function write(value: JsonValue, styles: Styles, newline: string | undefined): string {
  const inner = newline === undefined ? undefined : `${newline}  `;
  if (Array.isArray(value)) {
    return enclose(
      '[',
      value.map((item: JsonValue) => write(item, styles, inner)),
      ']',
      newline,
    );
  }
  if (isJsonObject(value)) return enclose('{', members(value, styles, inner), '}', newline);
  const text = escapeUnsafe(stringifyJson(value));
  if (typeof value === 'string') return styles.string(text);
  return typeof value === 'boolean' || value === null ? styles.literal(text) : styles.number(text);
}

function members(value: JsonObject, styles: Styles, inner: string | undefined): string[] {
  const colon = inner === undefined ? ':' : ': ';
  return Object.entries(value).map(([key, item]) => {
    return `${styles.key(escapeUnsafe(stringifyJson(key)))}${colon}${write(item, styles, inner)}`;
  });
}

function enclose(open: string, items: readonly string[], close: string, newline: string | undefined): string {
  if (items.length === 0) return open + close;
  if (newline === undefined) return open + items.join(',') + close;
  return `${open}${newline}  ${items.join(`,${newline}  `)}${newline}${close}`;
}
