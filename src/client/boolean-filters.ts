import { RefusedError } from '../errors.ts';
import type { Query } from './cost.ts';

/**
 * How a query's booleans are written is not documented (rule 18.6): they go out as `true` and `false`, and where the service
 * refuses one of them, once more as `1` and `0`.
 *
 * @returns the query to ask with instead; undefined where the refusal is about something else.
 */
export function withDigits(error: unknown, query: Query): Query | undefined {
  if (!(error instanceof RefusedError) || error.details.status !== 400 || error.details.type === 'unsupported-parameter') return undefined;
  const { parameter } = error.details;
  // How the problem names the parameter is not documented either (rule 18.16).
  const isNamed = (name: string): boolean =>
    parameter === undefined ? error.message.includes(name) : name === parameter || name.startsWith(`filter[${parameter}]`);
  return query.some(([name, value]) => digitFor(name, value) !== undefined && isNamed(name)) ? inDigits(query) : undefined;
}

/** The query with `1` and `0` for the booleans of its filters. */
export function inDigits(query: Query): Query {
  return query.map(([name, value]) => [name, digitFor(name, value) ?? value] as const);
}

function digitFor(name: string, value: string): string | undefined {
  if (!name.startsWith('filter[')) return undefined;
  return value === 'true' ? '1' : value === 'false' ? '0' : undefined;
}
