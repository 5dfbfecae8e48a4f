/**
 * Every failure that svc can name: one small class per decision of a caller. `message` is one line about the failure; `hint` is one line
 * about the next step. Neither ever holds a token.
 */

/** The service's report on a failure, as far as there is one; field names are those of `--error-format json`. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  /** The problem type's name, the last part of its URL: `validation-failed`. */
  readonly type?: string | undefined;
  /** The rule that was broken: `date_format`, `out_of_range`. */
  readonly code?: string | undefined;
  readonly parameter?: string | undefined;
  /** The service's own id of the request (a ULID), for its support. */
  readonly request_id?: string | undefined;
  /** Seconds after which a retry makes sense. */
  readonly retry_after?: number | undefined;
  /** Why the service refused a change of state: `illegal_transition`. */
  readonly reason?: string | undefined;
  /** `GET https://acme.example.com/api/v2/worklogs`: the request that failed, never with a secret. */
  readonly request?: string | undefined;
  /** The command that resumes where this one stopped. */
  readonly resume?: string | undefined;
  /** The key of a write that may have been done. A second request with this key writes only once (rule 6.12). */
  readonly idempotency_key?: string | undefined;
  /** The ETag that the record has now, after a write that depended on another one. */
  readonly etag?: string | undefined;
  /** Further lines for a person: each failed row of a bulk run, each broken rule of a 422. */
  readonly lines?: readonly string[] | undefined;
}

export interface SvcErrorOptions {
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

/** A failure that svc explains. Exit 1 unless a subclass says otherwise. */
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

/** The same failure, of the same class, with further lines after its own, and with all other given details. */
export function withMore<E extends SvcError>(error: E, { lines = [], ...more }: ErrorDetails): E {
  const all = [...(error.details.lines ?? []), ...lines];
  const details: ErrorDetails = { ...error.details, ...more, lines: all.length === 0 ? undefined : all };
  return withHint(error, error.hint, details);
}

export function withHint<E extends SvcError>(error: E, hint: string | undefined, details: ErrorDetails = error.details): E {
  return Object.assign(Object.create(Object.getPrototypeOf(error)) as E, error, { message: error.message, hint, details });
}

/** Wrong use, or input that cannot be sent. Nothing was sent. */
export class UsageError extends SvcError {}
/** 404: the record, the path, or the feature is not there; or the API is switched off. */
export class NotFoundError extends SvcError {}
/** A sign-in or a personal access token is needed, expired, refused or cancelled. */
export class SignInError extends SvcError {}
/** 403: the token's scope or the user's permission does not cover it. */
export class ForbiddenError extends SvcError {}
/** 409 and 412: the record is not in the state that the request assumed. */
export class ConflictError extends SvcError {}
export class RateLimitError extends SvcError {}
/** 5xx, an unreadable answer, or no answer: the service or the way to it failed. */
export class UnavailableError extends SvcError {}
/** 400, 415, 422 and other 4xx: the service understood and refused the input. */
export class RefusedError extends SvcError {}
/** A search in the local database, which only the service can answer. Code that handles a refusal of the service handles it too. */
export class NotAvailableOfflineError extends RefusedError {
  constructor(message: string, parameter: string, hint: string) {
    super(message, { hint, details: { status: 400, type: 'unsupported-parameter', parameter } });
  }
}
/** Parameters that the service refused within the last day, so svc did not ask again. */
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
/** The service wants a value of the query in another form. svc remembers that: the same request again goes out in that form. */
export class OtherFormError extends RefusedError {
  static from({ message, hint, details }: RefusedError): OtherFormError {
    return new OtherFormError(message, { hint, details });
  }
}
export class PartialError extends SvcError {}
export class DeclinedError extends SvcError {}
/** Signals that ask svc to end, and the exit code that shells give a program which one of them ended: 128 and its number. */
const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type EndingSignal = keyof typeof SIGNAL_EXIT_CODES;

export class InterruptedError extends SvcError {
  /** Ctrl-C at a question sends no signal, and counts as its own. */
  readonly signal: EndingSignal;

  constructor(message: string, options: SvcErrorOptions & { readonly signal?: EndingSignal } = {}) {
    super(message, options);
    this.signal = options.signal ?? 'SIGINT';
  }
}

/** `ran` says whether the service may have acted on it. `no`: no byte of the request left. `maybe`: everything else. */
export class NetworkError extends UnavailableError {
  readonly ran: 'no' | 'maybe';
  /** `proxy`: it wants a password, or forbids the request. */
  readonly kind: NetworkErrorKind;

  constructor(message: string, options: SvcErrorOptions & { readonly ran: 'no' | 'maybe'; readonly kind: NetworkErrorKind }) {
    super(message, options);
    this.ran = options.ran;
    this.kind = options.kind;
  }
}

export type NetworkErrorKind = 'timeout' | 'tls' | 'dns' | 'refused' | 'reset' | 'truncated' | 'too-large' | 'proxy' | 'other';

/** The exit code of each class; the first match counts, so subclasses are before their parents. */
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

/** For `catch`: undefined for errors of some classes; it throws every other error again. */
export function undefinedFor(...classes: readonly (abstract new (...args: never[]) => Error)[]): (error: unknown) => undefined {
  return (error) => {
    if (!classes.some((type) => error instanceof type)) throw error;
  };
}

/** The exit code for anything thrown: the class's own, or 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return SIGNAL_EXIT_CODES[error.signal];
  for (const [type, code] of EXIT_CODES) if (error instanceof type) return code;
  return 1;
}

/** The error for a path that is a symbolic link, a directory, a pipe or a device: svc writes to none of them. */
export function noPlainFile(path: string): SvcError {
  return new SvcError(`${path} is a symbolic link or not a regular file, so svc does not use it.`, {
    hint: `Remove ${path}, or name another path.`,
  });
}
