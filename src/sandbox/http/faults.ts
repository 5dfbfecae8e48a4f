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
