/** Anything JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A record as it is kept: snake_case fields, already in the form in which they are sent. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Json;
}

/** Fields of a record that is not made yet, or changes to one that is. */
export type Values = { [field: string]: Json };

export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
