import { NotFoundError, OtherFormError, RefusedError, RememberedRefusal, SvcError } from '../errors.ts';
import { loadTemporal } from '../values/temporal.ts';
import type { ApiClient, ApiRequest } from './api.ts';
import type { Query } from './cost.ts';
import { requestUrl } from './origin.ts';

export interface RefusalMemory {
  has(what: string): boolean;
  add(what: readonly string[]): Promise<void>;
}

/** The stored name of a GET whose path is in the documentation but not in discovery (rule 18.18). */
export const LISTING = 'GET';

export function assumedIn(include: readonly string[]): readonly string[] {
  return include.map((relation) => `include=${relation}`);
}

/**
 * Returns the filters and the trash parameter of a query, in the form of `ApiRequest.assumed`. The documentation shows few of these
 * parameters (rules 8.36, 18.27).
 */
export function assumedFilters(query: Query): readonly string[] {
  return query.map(([name]) => name).filter((name) => name.startsWith('filter[') || name === 'trashed');
}

/**
 * Returns the name under which svc remembers a refusal.
 *
 * @param path The path within the API, with or without ids: `/work-items/12/comments`.
 */
export function rememberedName(path: string, name: string): string {
  return `${placeOf(path)} ${name}`;
}

function placeOf(path: string): string {
  return path.replace(/^\/api\/v2(?=\/)/, '').replace(/\/(?:\d+|[A-Z][A-Z0-9]*-\d+|\{[^}]*\})(?=\/|$)/g, '/{}');
}

/** Matches a filter whose value has two forms: `true` or `1` (rule 18.6), a date-time or a date (rule 18.4). */
const TWO_FORMS = /filter(?:\[|%5B)[^&]*=(?:true|false|[^&]*T[^&]*Z)(?:&|$)/i;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const DIGITS: Readonly<Record<string, string>> = { true: '1', false: '0' };

function formOf(path: string, name: string, value: string): string | undefined {
  const field = /^filter\[([^\]]*)\]/.exec(name)?.[1];
  if (field === undefined) return undefined;
  if (Object.hasOwn(DIGITS, value)) return 'booleans as words';
  return DATE_TIME.test(value) ? rememberedName(path, `date-times of ${field}`) : undefined;
}

/**
 * Wraps a client. The wrapped client remembers which undocumented parameters and forms of values the service refuses. svc sends an
 * undocumented parameter. If a 400 names the parameter, svc remembers the refusal for a day. During that day, a first request with the
 * parameter fails with RememberedRefusal, and svc sends nothing. The sender of the request decides what to do without the parameter. The
 * sender repeats the request after an {@link OtherFormError}.
 *
 * @param open Opens the stored refusals, at the first request with an undocumented parameter or form.
 * @param timeZone The zone that converts a date-time to a date.
 */
export function rememberingRefusals(client: ApiClient, open: () => Promise<RefusalMemory>, timeZone: () => Promise<string>): ApiClient {
  /** The forms that the service refused in this run, for runs without stored refusals. */
  const refusedForms = new Set<string>();
  return {
    ...client,
    async send({ assumed = [], ...request }) {
      const hasForms = TWO_FORMS.test(request.path) || request.query?.some(([name, value]) => TWO_FORMS.test(`${name}=${value}`)) === true;
      if (request.method.toUpperCase() !== 'GET' || request.ownOrigin === true || (assumed.length === 0 && !hasForms))
        return client.send(request);
      const url = new URL(requestUrl(client.host, request.path, request.query));
      const memory = await open();
      const refused = assumed.filter((name) => memory.has(rememberedName(url.pathname, name)));
      // If the request continues a list, the service has already accepted the parameters.
      const isFirst = !url.searchParams.has('cursor') && !url.searchParams.has('page');
      if (isFirst && refused.length > 0) throw new RememberedRefusal(refused, placeOf(url.pathname));
      const wanted = await inWantedForms(url, (form) => refusedForms.has(form) || memory.has(form), timeZone);
      try {
        return await client.send(wanted === undefined ? request : withAddress(request, wanted));
      } catch (error) {
        const form = refusedForm(error, wanted ?? url);
        const named = form !== undefined || isAboutValue(error) ? [] : refusedIn(error, assumed);
        await memory.add([...named.map((name) => rememberedName(url.pathname, name)), ...(form === undefined ? [] : [form])]);
        if (form === undefined) throw error;
        refusedForms.add(form);
        throw OtherFormError.from(error as RefusedError);
      }
    },
  };
}

async function inWantedForms(url: URL, isRefused: (form: string) => boolean, timeZone: () => Promise<string>): Promise<URL | undefined> {
  const other = async ([name, value]: [string, string]): Promise<[string, string]> => {
    const form = formOf(url.pathname, name, value);
    if (form === undefined || !isRefused(form)) return [name, value];
    return [name, DIGITS[value] ?? (await dateOf(value, await timeZone()))];
  };
  const before = [...url.searchParams];
  const after = await Promise.all(before.map(other));
  if (after.every(([, value], index) => value === before[index]?.[1])) return undefined;
  return new URL(`${url.origin}${url.pathname}?${new URLSearchParams(after)}`);
}

async function dateOf(utc: string, timeZone: string): Promise<string> {
  const { Instant } = await loadTemporal();
  return Instant.from(utc).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

function withAddress({ query: _, ...request }: ApiRequest, url: URL): ApiRequest {
  return { ...request, path: url.href };
}

function refusedForm(error: unknown, url: URL): string | undefined {
  if (!isRefusal(error) || error.details.type === 'unsupported-parameter') return undefined;
  const forms = new Map([...url.searchParams].map(([name, value]) => [name, formOf(url.pathname, name, value)]));
  const [name] = refusedIn(
    error,
    [...forms.keys()].filter((each) => forms.get(each) !== undefined),
  );
  return name === undefined ? undefined : forms.get(name);
}

/**
 * Returns the parameters of `assumed` that a refusal names. Empty if the refusal concerns something else. The service does not document how
 * a problem document names its parameter (rule 18.16).
 */
export function refusedIn(error: unknown, assumed: readonly string[]): readonly string[] {
  if (error instanceof RememberedRefusal) return assumed.filter((name) => error.names.includes(name));
  if (isNotThere(error)) return assumed.filter((name) => name === LISTING);
  if (!isRefusal(error)) return [];
  const { parameter, lines = [] } = error.details;
  if (isAboutInclude(error)) {
    const includes = assumed.filter((name) => name.startsWith('include='));
    const text = [error.message, parameter ?? '', ...lines].join('\n');
    const reported = includes.filter((name) => new RegExp(`\\b(?:${name.slice('include='.length).replaceAll(',', '|')})\\b`).test(text));
    return reported.length > 0 ? reported : includes;
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
 * Returns a handler for `catch` that returns undefined if the service refused one of the given parameters. The handler throws every other
 * error again.
 */
export function undefinedIfRefused(...assumed: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (refusedIn(error, assumed).length === 0) throw error;
  };
}

function isNotThere(error: unknown): boolean {
  return error instanceof NotFoundError || (error instanceof SvcError && error.details.status === 405);
}

export function isAboutValue(error: unknown): boolean {
  return isRefusal(error) && ['invalid_format', 'out_of_range'].includes(error.details.code ?? '');
}

/** Removes the value from a parameter: `sort=-id` → `sort`. */
function plain(name: string): string {
  return name.replace(/=.*/, '');
}

export function isAboutInclude(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { parameter } = error.details;
  return parameter === undefined ? /\binclude/.test(error.message) : parameter.startsWith('include');
}

export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof RefusedError && error.details.status === 400;
}

/** Returns undefined for a refusal, as a handler for `catch`. Throws every other error again. */
export function undefinedForRefusal(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
}
