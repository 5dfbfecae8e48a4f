import { RefusedError } from '../errors.ts';
import type { Query } from './cost.ts';

/**
 * Rewrites the booleans of a query after a refusal. Their spelling is not documented (rule 18.6). svc sends `true` and `false` first, and
 * `1` and `0` where the service refuses one of them.
 *
 * @returns The query to send instead; undefined where the refusal is about something else.
 */
export function withDigits(error: unknown, query: Query): Query | undefined {
  if (!(error instanceof RefusedError) || error.details.status !== 400 || error.details.type === 'unsupported-parameter') return undefined;
  const { parameter } = error.details;
  // The name of the parameter in the problem is not documented either (rule 18.16).
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
