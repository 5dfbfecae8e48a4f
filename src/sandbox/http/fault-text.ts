import { HOUR } from '../dates.ts';
import type { Fault } from './faults.ts';

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
