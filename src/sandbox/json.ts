export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A stored record, in the form in which the service sends it. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Json;
}

/** The fields of a new record, or the changed fields of an existing record. */
export type Values = { [field: string]: Json };

export function parseObject(text: string): { [key: string]: Json } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
