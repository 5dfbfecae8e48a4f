import { HOUR } from '../dates.ts';

/** Something that goes wrong on purpose. The first fault that fits a request is applied, `times` times. */
export interface Fault {
  /** `GET`; absent: any. */
  readonly method?: string;
  /**
   * Of the path without the query, either in full (`/api/v2/worklogs`, `/oauth/token`) or relative to the API's base
   * (`/worklogs`). A text fits exactly, or as a prefix when it ends with `*`. Absent: any.
   */
  readonly path?: string | RegExp;
  /** How many requests it spoils; 1 when absent, Infinity for all. */
  readonly times?: number;
  /** How many fitting requests it lets pass first. */
  readonly skip?: number;
  /** Answers with this status; the request does not run. */
  readonly status?: number;
  /** `Retry-After` in seconds, with `status`. */
  readonly retryAfter?: number;
  /** Closes the connection without an answer: before the work is done, or after. */
  readonly drop?: 'before' | 'after';
  /** Waits before the request runs. */
  readonly delayMs?: number;
  /** Waits up to so much longer, at random. */
  readonly jitterMs?: number;
  /** Of the requests that it fits, this part is dropped, at random, and the others only wait; from 0 to 1. Absent: all. */
  readonly dropShare?: number;
  /** Does the work, sends the headers and half of the body, then closes the connection. */
  readonly truncate?: boolean;
  /** Answers 200 with a body that is not what its content type says; the request does not run. */
  readonly garbage?: boolean;
}

export interface FaultQueue {
  set(faults: readonly Fault[]): void;
  /** Faults that still wait for requests, with the times and skips that are left. */
  readonly waiting: readonly Fault[];
  /** The fault for this request, used up once. */
  take(method: string, pathname: string): Fault | undefined;
}

export function createFaults(): FaultQueue {
  let waiting: { fault: Fault; left: number; skip: number }[] = [];
  return {
    set: (faults) => {
      waiting = faults.map((fault) => ({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 }));
    },
    get waiting() {
      return waiting.flatMap(({ fault, left, skip }) => (left > 0 ? [{ ...fault, times: left, skip }] : []));
    },
    take: (method, pathname) => {
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

const EXAMPLE = 'Write it like "GET /worklogs 503 x2".';

/**
 * Reads a fault as people type it: `[METHOD] [path] what… [xN] [skip=N]`, for example `GET /worklogs 503 x2`,
 * `429 retry-after=3`, `POST /worklogs* drop=after`, `/me delay=2s`.
 * @throws RangeError that names the word it does not understand.
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
    throw new RangeError(`The fault "${text}" does not say what goes wrong: a status, drop, delay=…, truncate or garbage. ${EXAMPLE}`);
  }
  if (fault.retryAfter !== undefined && fault.status === undefined) {
    throw new RangeError(`The fault "${text}" has retry-after without a status. Write it like "429 retry-after=3".`);
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
    if (status < 400 || status > 599) throw refuse(`a status is 400 to 599, not ${word}.`);
    return { status };
  }
  if (/^x(\d+|\*)$/.test(word)) return { times: word === 'x*' ? Number.POSITIVE_INFINITY : whole(word.slice(1)) };
  switch (name) {
    case 'skip':
      return { skip: whole(value) };
    case 'retry-after':
      return { retryAfter: whole(value) };
    case 'delay':
      return { delayMs: span(value, refuse) };
    case 'drop':
      if (value === undefined || value === 'before') return { drop: 'before' };
      if (value === 'after') return { drop: 'after' };
      throw refuse(`drop is before or after the work is done, not "${value}".`);
  }
  if (word === 'truncate') return { truncate: true };
  if (word === 'garbage') return { garbage: true };
  throw refuse(`"${word}" is not understood.`);
}

function span(text: string | undefined, refuse: (why: string) => RangeError): number {
  const [, digits, unit] = /^(\d{1,7})(ms|s)?$/.exec(text ?? '') ?? [];
  if (digits === undefined) throw refuse(`delay takes 500ms or 2s, not "${text ?? ''}".`);
  const ms = Number(digits) * (unit === 'ms' ? 1 : 1000);
  if (ms > HOUR) throw refuse('delay is an hour at most.');
  return ms;
}

/** The fault as {@link parseFault} reads it; `times` as it is left. */
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
