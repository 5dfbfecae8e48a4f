/**
 * The failures that svc explains. Callers treat each class differently. `message` is one line about the failure, and `hint` is one line
 * about the next step. Neither line contains a token.
 */

/** The service’s report on a failure. svc leaves out unknown fields. The field names match `--error-format json`. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  /** The name of the problem type, which is the last part of its URL: `validation-failed`. */
  readonly type?: string | undefined;
  /** The broken rule: `date_format`, `out_of_range`. Absent if the service names no rule. */
  readonly code?: string | undefined;
  readonly parameter?: string | undefined;
  /** The service’s id of the request (a ULID). The service’s support needs this id. */
  readonly request_id?: string | undefined;
  /** The number of seconds to wait before a retry. */
  readonly retry_after?: number | undefined;
  /** The reason why the service refused a transition: `illegal_transition`. Absent for other failures. */
  readonly reason?: string | undefined;
  /** The failed request, without secrets: `GET https://acme.example.com/api/v2/worklogs`. */
  readonly request?: string | undefined;
  /** The command that resumes the stopped work. Absent if svc can’t resume the work. */
  readonly resume?: string | undefined;
  /** The Idempotency-Key of a write whose outcome is unknown. The service runs several requests with this key only once (rule 6.12). */
  readonly idempotency_key?: string | undefined;
  /** The current ETag of the record, after a write that required an older ETag. Absent for other failures. */
  readonly etag?: string | undefined;
  /** Further lines for a person: each failed row of a bulk run, each broken rule of a 422. Default: none. */
  readonly lines?: readonly string[] | undefined;
}

export interface SvcErrorOptions {
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

/** A failure that svc explains. The exit code is 1, unless {@link exitCodeOf} has another code for a subclass. */
export class SvcError extends Error {
  readonly hint: string | undefined;
  readonly details: ErrorDetails;

  constructor(message: string, options: SvcErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

/** Reports that another svc process is writing to the file, directory or database. */
export class TakenError extends SvcError {}

/** Returns a failure with the given details. The given lines follow the failure’s own lines. */
export function withMore<E extends SvcError>(error: E, { lines = [], ...more }: ErrorDetails): E {
  const all = [...(error.details.lines ?? []), ...lines];
  const details: ErrorDetails = { ...error.details, ...more, lines: all.length === 0 ? undefined : all };
  return withHint(error, error.hint, details);
}

export function withHint<E extends SvcError>(error: E, hint: string | undefined, details: ErrorDetails = error.details): E {
  return Object.assign(Object.create(Object.getPrototypeOf(error)) as E, error, { message: error.message, hint, details });
}

/** Reports wrong use, or input that svc cannot send. svc has sent nothing. */
export class UsageError extends SvcError {}
/** Reports a 404: the record, the path or the feature does not exist, or the API is switched off. */
export class NotFoundError extends SvcError {}
/** Reports that a sign-in or a personal access token is missing, expired, refused or cancelled. */
export class SignInError extends SvcError {}
/** Reports a 403: the token’s scope or the user’s permission does not cover the request. */
export class ForbiddenError extends SvcError {}
/** Reports a 409 or 412: the record is not in the state that the request assumed. */
export class ConflictError extends SvcError {}
export class RateLimitError extends SvcError {}
/** Reports a 5xx, an unreadable answer, or no answer: the service or the connection failed. */
export class UnavailableError extends SvcError {}
/** Reports a 400, 415, 422 or another 4xx: the service understood and refused the input. */
export class RefusedError extends SvcError {}
/** Reports that only the service can answer a request, and not the local database. Handlers of `RefusedError` also handle this error. */
export class NotAvailableOfflineError extends RefusedError {
  constructor(message: string, parameter: string, hint: string) {
    super(message, { hint, details: { status: 400, type: 'unsupported-parameter', parameter } });
  }
}
/** Reports parameters that the service refused within the last day, so svc sent no new request. */
export class RememberedRefusal extends RefusedError {
  readonly names: readonly string[];

  constructor(names: readonly string[], where: string) {
    const [parameter = ''] = names.map((name) => name.replace(/=.*/, ''));
    super(`The service refused ${names.join(', ')} of ${where} within the last day.`, {
      hint: 'Leave out the value, or try again at once: --no-cache',
      details: { status: 400, type: 'unsupported-parameter', parameter },
    });
    this.names = names;
  }
}
/** Reports that the service requires another form of a value in the query. svc stores the form, and uses the form in later requests. */
export class OtherFormError extends RefusedError {
  static from({ message, hint, details }: RefusedError): OtherFormError {
    return new OtherFormError(message, { hint, details });
  }
}
export class PartialError extends SvcError {}
export class DeclinedError extends SvcError {}
/** The signals that ask svc to end, with their exit codes in shells. The code is 128 plus the signal’s number. */
const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type EndingSignal = keyof typeof SIGNAL_EXIT_CODES;

export class InterruptedError extends SvcError {
  /** The signal that ended svc. Ctrl-C in a prompt sends no signal, but counts as SIGINT. */
  readonly signal: EndingSignal;

  constructor(message: string, options: SvcErrorOptions & { readonly signal?: EndingSignal } = {}) {
    super(message, options);
    this.signal = options.signal ?? 'SIGINT';
  }
}

/**
 * Reports a network failure. `ran` shows whether the service can have run the request. `no`: svc sent no byte. `maybe`: all other cases.
 */
export class NetworkError extends UnavailableError {
  readonly ran: 'no' | 'maybe';
  /** The kind of failure. `proxy`: the proxy requires a password, or forbids the request. */
  readonly kind: NetworkErrorKind;

  constructor(message: string, options: SvcErrorOptions & { readonly ran: 'no' | 'maybe'; readonly kind: NetworkErrorKind }) {
    super(message, options);
    this.ran = options.ran;
    this.kind = options.kind;
  }
}

export type NetworkErrorKind = 'timeout' | 'tls' | 'dns' | 'refused' | 'reset' | 'truncated' | 'too-large' | 'proxy' | 'other';

/** The exit code of each class whose code is not 1. svc uses the first match, so each subclass precedes its parent class. */
const EXIT_CODES: readonly (readonly [new (...args: never[]) => SvcError, number])[] = [
  [UsageError, 2],
  [NotAvailableOfflineError, 2],
  [NotFoundError, 3],
  [SignInError, 4],
  [ForbiddenError, 5],
  [ConflictError, 6],
  [RateLimitError, 7],
  [UnavailableError, 8],
  [RefusedError, 9],
  [PartialError, 10],
];

/** Returns a handler for `catch` that returns undefined for errors of the given classes, and throws every other error again. */
export function undefinedFor(...classes: readonly (abstract new (...args: never[]) => Error)[]): (error: unknown) => undefined {
  return (error) => {
    if (!classes.some((type) => error instanceof type)) throw error;
  };
}

/** Returns the exit code for any thrown value: the code of its class, or 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return SIGNAL_EXIT_CODES[error.signal];
  for (const [type, code] of EXIT_CODES) if (error instanceof type) return code;
  return 1;
}

/** Creates the error for a write to a symbolic link, a directory, a pipe or a device. */
export function noPlainFile(path: string): SvcError {
  return new SvcError(`${path} is a symbolic link or not a regular file, so svc does not use it.`, {
    hint: `Remove ${path}, or name another path.`,
  });
}
