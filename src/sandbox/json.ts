/** Anything JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A stored record: snake_case fields, in the form in which the service sends them. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Json;
}

/** Fields of a new record, or changes of an existing one. */
export type Values = { [field: string]: Json };

/** Reads a JSON object; undefined for any other text. */
export function parseObject(text: string): { [key: string]: Json } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object: no list, and not null. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
