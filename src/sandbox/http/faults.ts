import { HOUR } from '../dates.ts';

/** A deliberate error or wait. The first matching fault applies to a request. Each fault applies at most `times` times. */
export interface Fault {
  /** The HTTP method of matching requests. Default: any method. */
  readonly method?: string;
  /**
   * The path without its query: in full (`/api/v2/worklogs`, `/oauth/token`) or without the API’s own path (`/worklogs`). A string must
   * match exactly. A string that ends with `*` must match as a prefix. Default: any path.
   */
  readonly path?: string | RegExp;
  /** The number of requests that the fault affects. Default: 1. Infinity means all requests. */
  readonly times?: number;
  /** The number of matching requests that the sandbox first answers normally. Default: 0. */
  readonly skip?: number;
  /** The status with which the sandbox answers. The request does not run. Default: the sandbox answers normally. */
  readonly status?: number;
  /** The value of the `Retry-After` header, in seconds. Needs `status`. Default: no header. */
  readonly retryAfter?: number;
  /** Closes the connection without an answer, before or after the request runs. Default: the connection stays open. */
  readonly drop?: 'before' | 'after';
  /** The wait before the request runs, in milliseconds. Default: 0. */
  readonly delayMs?: number;
  /** The longest additional wait, in milliseconds. The actual wait is random. Default: 0. */
  readonly jitterMs?: number;
  /**
   * The share of matching requests that `drop` applies to, from 0 to 1. The other requests get only the other effects of the fault, such as
   * the wait. Default: 1.
   */
  readonly dropShare?: number;
  /** True to run the request, send the headers and half of the body, and then close the connection. Default: false. */
  readonly truncate?: boolean;
  /** True to answer 200 with a body that does not match its content type. The request does not run. Default: false. */
  readonly garbage?: boolean;
}

export type FaultQueue = ReturnType<typeof createFaults>;

export function createFaults() {
  let waiting: { fault: Fault; left: number; skip: number }[] = [];
  return {
    set: (faults: readonly Fault[]): void => {
      waiting = faults.map((fault) => ({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 }));
    },
    get waiting(): readonly Fault[] {
      return waiting.flatMap(({ fault, left, skip }) => (left > 0 ? [{ ...fault, times: left, skip }] : []));
    },
    take: (method: string, pathname: string): Fault | undefined => {
      const entry = waiting.find(({ fault, left }) => left > 0 && fits(fault, method, pathname));
      if (entry === undefined) return undefined;
      if (entry.skip > 0) {
        entry.skip -= 1;
        return undefined;
      }
      entry.left -= 1;
      return entry.fault;
    },
  };
}

function fits({ method, path }: Fault, sent: string, pathname: string): boolean {
  if (method !== undefined && method !== sent) return false;
  if (path === undefined) return true;
  const spellings = pathname.startsWith('/api/v2') ? [pathname, pathname.slice('/api/v2'.length)] : [pathname];
  return spellings.some((spelling) => {
    if (path instanceof RegExp) return path.test(spelling);
    return path.endsWith('*') ? spelling.startsWith(path.slice(0, -1)) : spelling === path;
  });
}

type Setting = { -readonly [K in keyof Fault]: Fault[K] };

const EXAMPLE = 'Write the fault like "GET /worklogs 503 x2".';

/**
 * Reads a fault in the form that people type: `[METHOD] [path] effect… [xN] [skip=N]`. Examples: `GET /worklogs 503 x2`, `429
 * retry-after=3`, `POST /worklogs* drop=after`, `/me delay=2s`.
 *
 * @throws RangeError that names the fault and the reason, such as an unknown word or a fault without an effect.
 */
export function parseFault(text: string): Fault {
  const fault: Setting = {};
  for (const [index, word] of text.split(/\s+/).filter(Boolean).entries()) {
    if (index === 0 && /^(GET|HEAD|POST|PATCH|PUT|DELETE|OPTIONS)$/.test(word)) fault.method = word;
    else if (word.startsWith('/') && fault.path === undefined) fault.path = word;
    else Object.assign(fault, effectOf(word, text));
  }
  const hasEffect = [fault.status, fault.drop, fault.delayMs, fault.truncate, fault.garbage].some((effect) => effect !== undefined);
  if (!hasEffect) {
    throw new RangeError(`The fault "${text}" has no effect. Add a status, drop, delay=…, truncate or garbage. ${EXAMPLE}`);
  }
  if (fault.retryAfter !== undefined && fault.status === undefined) {
    throw new RangeError(`The fault "${text}" has retry-after without a status. Write the fault like "429 retry-after=3".`);
  }
  return fault;
}

function effectOf(word: string, text: string): Setting {
  const [name = '', value] = word.split('=', 2);
  const refuse = (why: string): RangeError => new RangeError(`The fault "${text}": ${why} ${EXAMPLE}`);
  const whole = (digits: string | undefined): number => {
    if (digits === undefined || !/^\d{1,9}$/.test(digits)) throw refuse(`${name} takes a whole number, not "${digits ?? ''}".`);
    return Number(digits);
  };
  if (/^\d+$/.test(word)) {
    const status = Number(word);
    if (status < 400 || status > 599) throw refuse(`a status must be from 400 to 599, not ${word}.`);
    return { status };
  }
  if (/^x(\d+|\*)$/.test(word)) return { times: word === 'x*' ? Number.POSITIVE_INFINITY : whole(word.slice(1)) };
  switch (name) {
    case 'skip':
      return { skip: whole(value) };
    case 'retry-after':
      return { retryAfter: whole(value) };
    case 'delay':
      return { delayMs: range(value, refuse) };
    case 'drop':
      if (value === undefined || value === 'before') return { drop: 'before' };
      if (value === 'after') return { drop: 'after' };
      throw refuse(`drop must be before or after, not "${value}".`);
  }
  if (word === 'truncate') return { truncate: true };
  if (word === 'garbage') return { garbage: true };
  throw refuse(`"${word}" is not understood.`);
}

function range(text: string | undefined, refuse: (why: string) => RangeError): number {
  const [, digits, unit] = /^(\d{1,7})(ms|s)?$/.exec(text ?? '') ?? [];
  if (digits === undefined) throw refuse(`delay takes 500ms or 2s, not "${text ?? ''}".`);
  const ms = Number(digits) * (unit === 'ms' ? 1 : 1000);
  if (ms > HOUR) throw refuse('delay is an hour at most.');
  return ms;
}

/**
 * Formats a fault in the form of {@link parseFault}. Leaves out `jitterMs` and `dropShare`, because the form has no words for these values.
 */
export function faultText(fault: Fault): string {
  const { method, path, status, retryAfter, drop, truncate, garbage, delayMs, times, skip } = fault;
  const words = [
    method,
    path === undefined ? undefined : String(path),
    status === undefined ? undefined : String(status),
    retryAfter === undefined ? undefined : `retry-after=${retryAfter}`,
    drop === undefined ? undefined : `drop=${drop}`,
    truncate === true ? 'truncate' : undefined,
    garbage === true ? 'garbage' : undefined,
    delayMs === undefined ? undefined : `delay=${delayMs}ms`,
    times === undefined || times === 1 ? undefined : `x${times === Number.POSITIVE_INFINITY ? '*' : times}`,
    skip === undefined || skip === 0 ? undefined : `skip=${skip}`,
  ];
  return words.filter((word) => word !== undefined).join(' ');
}
