import { NotFoundError, RefusedError, RememberedRefusal, SvcError } from '../errors.ts';
import type { ApiClient, ApiRequest } from './api.ts';
import { inDigits, withDigits } from './boolean-filters.ts';
import type { Query } from './cost.ts';
import { requestUrl } from './origin.ts';

/** The parameters that the service refused for one account within the last day. */
export interface RefusalMemory {
  has(what: string): boolean;
  add(what: readonly string[]): Promise<void>;
}

/** The name for a GET of a path that the documentation names and discovery does not list (rule 18.18). */
export const LISTING = 'GET';

/** Relations as `ApiRequest.assumed` has them. */
export function assumedIn(include: readonly string[]): readonly string[] {
  return include.map((relation) => `include=${relation}`);
}

/** Filters and the trash in a query, as `ApiRequest.assumed` has them: few are documented (rules 8.36, 18.27). */
export function assumedFilters(query: Query): readonly string[] {
  return query.map(([name]) => name).filter((name) => name.startsWith('filter[') || name === 'trashed');
}

/** The name under which svc remembers a refusal. @param path With or without ids, below the API: `/work-items/12/comments`. */
export function rememberedName(path: string, name: string): string {
  return `${placeOf(path)} ${name}`;
}

function placeOf(path: string): string {
  return path.replace(/^\/api\/v2(?=\/)/, '').replace(/\/(?:\d+|[A-Z][A-Z0-9]*-\d+|\{[^}]*\})(?=\/|$)/g, '/{}');
}

const BOOLEAN = /=(?:true|false)(?:&|$)/;

/** The name for booleans written as `true` (rule 18.6). */
const BOOLEAN_WORDS = 'booleans as words';

/**
 * Remembers which undocumented parameters the service accepts; nothing else knows that. svc tries an assumed parameter; a 400 that names it
 * is an answer for a day. The sender of the request decides what to do without the parameter.
 *
 * @param open Opens the memory; called with the first such request.
 */
export function rememberingRefusals(client: ApiClient, open: () => Promise<RefusalMemory>): ApiClient {
  return {
    ...client,
    async send({ assumed = [], ...request }) {
      const hasBooleans = BOOLEAN.test(request.path) || request.query?.some(([, value]) => BOOLEAN.test(`=${value}`)) === true;
      if (request.method.toUpperCase() !== 'GET' || request.ownOrigin === true || (assumed.length === 0 && !hasBooleans))
        return client.send(request);
      const url = new URL(requestUrl(client.host, request.path, request.query));
      const memory = await open();
      const refused = assumed.filter((name) => memory.has(rememberedName(url.pathname, name)));
      // The service accepted the parameters of a walk that is under way.
      const isFirst = !url.searchParams.has('cursor') && !url.searchParams.has('page');
      if (isFirst && refused.length > 0) throw new RememberedRefusal(refused, placeOf(url.pathname));
      const asked = hasBooleans && memory.has(BOOLEAN_WORDS) ? writtenInDigits(request, url) : request;
      try {
        return await client.send(asked);
      } catch (error) {
        const named = isAboutValue(error) ? [] : refusedIn(error, assumed);
        const isAboutWords = named.length === 0 && asked === request && withDigits(error, [...url.searchParams]) !== undefined;
        await memory.add([...named.map((name) => rememberedName(url.pathname, name)), ...(isAboutWords ? [BOOLEAN_WORDS] : [])]);
        throw error;
      }
    },
  };
}

function writtenInDigits({ query: _, ...request }: ApiRequest, url: URL): ApiRequest {
  const digits = inDigits([...url.searchParams]).map(([name, value]): [string, string] => [name, value]);
  return { ...request, path: `${url.origin}${url.pathname}?${new URLSearchParams(digits)}` };
}

/**
 * The assumed parameters that a refusal is about; none where it is about something else. The documentation does not say how a problem names
 * its parameter (rule 18.16).
 */
export function refusedIn(error: unknown, assumed: readonly string[]): readonly string[] {
  if (error instanceof RememberedRefusal) return assumed.filter((name) => error.names.includes(name));
  if (isNotThere(error)) return assumed.filter((name) => name === LISTING);
  if (!isRefusal(error)) return [];
  const { parameter, lines = [] } = error.details;
  if (isAboutInclude(error)) {
    const includes = assumed.filter((name) => name.startsWith('include='));
    const text = [error.message, parameter ?? '', ...lines].join('\n');
    const told = includes.filter((name) => new RegExp(`\\b(?:${name.slice('include='.length).replaceAll(',', '|')})\\b`).test(text));
    return told.length > 0 ? told : includes;
  }
  const others = assumed.filter((name) => !name.startsWith('include='));
  const exact = others.filter((name) => plain(name) === parameter);
  if (exact.length > 0) return exact;
  return others.filter((name) => {
    if (parameter === undefined) return error.message.includes(plain(name));
    const [, field] = /^filter\[([^\]]*)\]/.exec(name) ?? [];
    return field !== undefined && (parameter === field || parameter === `filter[${field}]` || parameter.startsWith(`filter.${field}`));
  });
}

/**
 * A handler for `catch`. It returns undefined for a refusal of one of these parameters, and throws every other error again. The caller does
 * without the parameter.
 */
export function undefinedIfRefused(...assumed: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (refusedIn(error, assumed).length === 0) throw error;
  };
}

/** Whether the path does not exist, or has no GET. */
function isNotThere(error: unknown): boolean {
  return error instanceof NotFoundError || (error instanceof SvcError && error.details.status === 405);
}

/** Whether a refusal is about a value only, and says nothing of the parameter. */
function isAboutValue(error: unknown): boolean {
  return isRefusal(error) && ['invalid_format', 'out_of_range'].includes(error.details.code ?? '');
}

/** `sort=-id` → `sort`. */
function plain(name: string): string {
  return name.replace(/=.*/, '');
}

/** Whether a failure says that the service will not add a relation to records (400). */
export function isAboutInclude(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { parameter } = error.details;
  return parameter === undefined ? /\binclude/.test(error.message) : parameter.startsWith('include');
}

/** Whether the service refuses the query itself (400). */
export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof RefusedError && error.details.status === 400;
}
