import { type Query, requestCost } from '../client/cost.ts';
import { rows } from '../client/pages.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { inDigits, withDigits } from './boolean-filters.ts';

/** Something that was asked for, or why it is not known. */
export type Known<T> = { readonly value: T } | { readonly why: string };

/** What one request of a glance asks for. */
export interface GlanceQuestion {
  /** What the rows are, for what is remembered of refusals: `work-items`. */
  readonly of: string;
  readonly path: string;
  /** What is documented. */
  readonly query?: Query;
  /** Filters that are not (rule 18.27). */
  readonly assumedFilters?: Query;
  /** Relations to one record each that are not. */
  readonly assumedIncludes?: readonly string[];
}

/** At most a hundred rows. */
export interface GlancePage {
  readonly rows: readonly JsonObject[];
  /** These are all. */
  readonly complete: boolean;
  /** Whether this filter was in the query. */
  readonly filteredBy: (name: string) => boolean;
}

/** What was refused lately, by {@link GlanceQuestion.of} and parameter. */
export interface Refusals {
  has(what: string): boolean;
  /** Notes it for the next time. */
  note(what: string): void;
}

/** How `true` is written (rule 18.6). */
const BOOLEAN_WORDS = 'booleans as words';

/**
 * One page of a collection by one request, whatever happens: what may not be seen is not known, and so is what the service
 * would not be asked for. A parameter that was only assumed is then left out for a day, from the next time on; asking again at once
 * would be a request more than a glance has.
 */
export async function glanceAt(
  context: Needs<'client'>,
  refusals: Refusals,
  { of, path, query = [], assumedFilters = [], assumedIncludes = [] }: GlanceQuestion,
): Promise<Known<GlancePage>> {
  const filters = assumedFilters.filter(([name]) => !refusals.has(`${of} ${name}`));
  const include = assumedIncludes.filter((relation) => !refusals.has(`${of} include ${relation}`));
  const plain: Query = [
    ...query,
    ...filters,
    ...(include.length === 0 ? [] : [['include', include.join(',')] as const]),
    ['per_page', '100'],
  ];
  const asked = refusals.has(BOOLEAN_WORDS) ? inDigits(plain) : plain;
  const cost = requestCost({ method: 'GET', query: asked, toMany: new Set() });
  try {
    const stream = rows(await context.client(), { method: 'GET', path, query: asked, cost }, { limit: 100 });
    const found = (await Array.fromAsync(stream.batches())).flat();
    return { value: { rows: found, complete: !stream.position().more, filteredBy: (name) => filters.some(([field]) => field === name) } };
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return { why: error.message };
    if (!(error instanceof RefusedError)) throw error;
    const refused = [
      ...(withDigits(error, asked) === undefined ? [] : [BOOLEAN_WORDS]),
      ...filters.filter(([name]) => names(error, name)).map(([name]) => `${of} ${name}`),
      ...(names(error, 'include') ? include.map((relation) => `${of} include ${relation}`) : []),
    ];
    if (refused.length === 0) return { why: error.message };
    for (const what of refused) refusals.note(what);
    return { why: 'The service refused the question; the next svc status asks it otherwise.' };
  }
}

/** Whether a refusal is about a parameter; how the problem names it is not documented (rule 18.16). */
function names(error: RefusedError, parameter: string): boolean {
  const { parameter: named } = error.details;
  if (named === undefined) return error.message.includes(parameter);
  return named === parameter || named.startsWith(`${parameter}.`) || parameter.startsWith(`filter[${named}]`);
}
