import type { JsonSchema } from '../resources/define.ts';
import type { ParameterPlace } from './parameters.ts';

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': { description: 'The server’s id of the request, a ULID.', schema: { type: 'string' } },
  'X-Service-Api-Version': { description: 'The major version of this API.', schema: { type: 'string', enum: ['2'] } },
  RateLimit: { description: 'limit, remaining and reset of the tightest budget.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'Its units and its window in seconds.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { deprecated: true, description: 'Units of the tightest budget, until 2027-09-01.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { deprecated: true, description: 'What is left of it, until 2027-09-01.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { deprecated: true, description: 'When it is full again, until 2027-09-01.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds until it is worth trying again.', schema: { type: 'integer' } },
  ETag: { description: 'The validator: strong of a record, weak of a page.', schema: { type: 'string' } },
  Location: { description: 'The address of what was made.', schema: { type: 'string', format: 'uri' } },
  'Idempotency-Replayed': { description: 'The answer was stored for this Idempotency-Key.', schema: { type: 'string', enum: ['true'] } },
};

const EVERYWHERE = ['X-Request-Id', 'X-Service-Api-Version'];
const RATE_LIMIT = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The headers of an answer: those that every one has, and these. */
export function headersOf(names: readonly string[], { components, knobs }: ParameterPlace): JsonSchema {
  const all = [...EVERYWHERE, ...(knobs.rateLimitHeaders === 'never' ? [] : RATE_LIMIT), ...names];
  return Object.fromEntries(all.map((name) => [name, components.ref('headers', name.replaceAll('-', ''), () => HEADERS[name] ?? {})]));
}
