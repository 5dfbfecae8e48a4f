import type { Credential } from '../credential.ts';
import {
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  RefusedError,
  SignInError,
  type SvcError,
  type SvcErrorOptions,
  UnavailableError,
} from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { ownEntry } from '../values/json.ts';
import { type ProblemDocument, readProblem } from './problem-document.ts';

export interface FailedAnswer {
  readonly host: Host;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The credential of the request. svc removes its token from every text. */
  readonly credential: Credential;
  readonly upload: boolean;
  readonly retryAfterMs: number | undefined;
}

interface Facts {
  readonly answer: FailedAnswer;
  readonly problem: ProblemDocument;
  readonly path: string;
}

interface Words {
  readonly message: string;
  readonly hint: string;
}

interface Case {
  readonly error: new (message: string, options: SvcErrorOptions) => SvcError;
  readonly words: (facts: Facts) => Words;
}

/**
 * Converts a failed answer to an error. The status decides the class. The problem type only chooses the words, because the service can add
 * types.
 */
export function problemToError(answer: FailedAnswer): SvcError {
  const url = new URL(answer.url);
  const problem = readProblem(answer.text, answer.headers, answer.credential.token);
  const { status } = answer;
  const { error: ErrorClass, words } = CASES[status] ?? (status >= 400 && status < 500 ? REFUSED : UNAVAILABLE);
  const { message, hint } = words({ answer, problem, path: url.pathname });
  const details: ErrorDetails = {
    status,
    type: problem.type,
    code: problem.code,
    parameter: problem.parameter,
    reason: problem.reason,
    request_id: problem.requestId,
    retry_after: answer.retryAfterMs === undefined ? undefined : Math.ceil(answer.retryAfterMs / 1000),
    request: `${answer.method} ${url.origin}${url.pathname}`,
    lines: problem.lines.length === 0 ? undefined : problem.lines,
  };
  return new ErrorClass(message, { hint, details });
}

const REFUSED: Case = {
  error: RefusedError,
  words: ({ answer, problem }) => ({
    message: problem.detail ?? `The service refused the request (${answer.status}).`,
    hint: ownEntry(REFUSED_HINTS, problem.type ?? '') ?? 'To check the request, add --dry-run.',
  }),
};

const UNAVAILABLE: Case = {
  error: UnavailableError,
  words: ({ answer, problem }) => ({
    message: problem.detail ?? `${answer.host.name} failed to answer the request (${answer.status}).`,
    hint: 'Try again later. If the error remains, report the request id to the operator of the service.',
  }),
};

const REFUSED_HINTS: Readonly<Record<string, string>> = {
  'invalid-query-parameter': 'Check the value of the filter or flag.',
  'unsupported-parameter': 'The list does not accept the parameter; leave out the flag.',
  'invalid-cursor': 'A cursor works only for the list that printed the cursor. Start again without --cursor.',
  'idempotency-key-required': 'Add a key: --idempotency-key <key>',
  'validation-failed': 'Correct the named fields, and run the command again; --dry-run shows the request.',
};

const CASES: Readonly<Record<number, Case>> = {
  401: { error: SignInError, words: unauthenticatedWords },
  403: { error: ForbiddenError, words: forbiddenWords },
  404: { error: NotFoundError, words: notFoundWords },
  405: {
    error: RefusedError,
    words: ({ answer, path }) => ({
      message: `${path} does not accept ${answer.method}.`,
      hint: 'To see the operations: svc resources',
    }),
  },
  406: {
    error: RefusedError,
    words: ({ problem }) => ({
      message: problem.detail ?? 'The service cannot answer in the form of the Accept header.',
      hint: 'Leave out the Accept header.',
    }),
  },
  407: {
    error: UnavailableError,
    words: () => ({
      message: 'The proxy needs a user name and a password (407).',
      hint: 'Set the user name and the password in HTTPS_PROXY: http://user:password@proxy:port.',
    }),
  },
  408: UNAVAILABLE,
  409: { error: ConflictError, words: conflictWords },
  412: {
    error: ConflictError,
    words: ({ answer, problem }) => ({
      message: problem.detail ?? 'The record has changed since svc read it.',
      hint:
        answer.credential.ifMatch === undefined
          ? 'Read the record again, and repeat the command. Without --if-match or --if-unchanged, svc overwrites the change.'
          : 'Read the record again, and repeat the command. The policy allows svc to change the record only as svc read it.',
    }),
  },
  413: {
    error: RefusedError,
    words: ({ problem }) => ({
      message: problem.detail ?? 'The body is larger than the service accepts.',
      hint: 'Send fewer or smaller values at a time.',
    }),
  },
  415: {
    error: RefusedError,
    words: ({ problem }) => ({
      message: problem.detail ?? 'The service does not accept a body of that type.',
      hint: 'Send JSON, with Content-Type: application/json.',
    }),
  },
  429: {
    error: RateLimitError,
    words: ({ answer }) => {
      const wait = answer.retryAfterMs === undefined ? 'later' : `in ${Math.ceil(answer.retryAfterMs / 1000)} s`;
      return {
        message: 'The rate limit is used up (429). The service did not run the request.',
        hint: `Try again ${wait}, or allow a longer wait with --max-wait.`,
      };
    },
  },
};

function unauthenticatedWords({ answer }: Facts): Words {
  const { host, credential, upload } = answer;
  const name = host.name;
  if (credential.kind === 'environment')
    return {
      message: `${name} did not accept the token in SVC_TOKEN.`,
      hint: 'Set SVC_TOKEN to a token that is neither expired nor revoked.',
    };
  if (credential.kind === 'personal') {
    return {
      message: `${name} did not accept the personal access token: it has expired or was revoked.`,
      hint: `Make a new token in the web app, then: svc token set --host ${name}`,
    };
  }
  if (upload) {
    return {
      message: 'An upload needs a personal access token with Write. A browser sign-in is not enough.',
      hint: `Make a token in the web app, then: svc token set --host ${name}`,
    };
  }
  return { message: `${name} did not accept the sign-in: it has expired or was disconnected.`, hint: `Sign in again: svc login ${name}` };
}

function forbiddenWords({ answer, problem }: Facts): Words {
  const { host, method, credential } = answer;
  if (problem.type === 'insufficient-permission') {
    const which = problem.permission === undefined ? 'the permission for this request' : `the permission ${problem.permission}`;
    return {
      message: problem.detail ?? `Your user does not have ${which}.`,
      hint: `Ask an administrator of ${host.name} for ${which}.`,
    };
  }
  const message = problem.detail ?? 'The token does not cover this request.';
  if (problem.type !== 'insufficient-token-scope') return { message, hint: `Ask an administrator of ${host.name} to allow this request.` };
  const ability = problem.ability;
  if (credential.kind !== 'oauth') {
    return {
      message,
      hint: `Create a token with ${ability === undefined ? 'that ability' : ability}: you choose abilities when you create a token.`,
    };
  }
  // A sign-in cannot have a destroy scope (rule 13.53).
  if (method === 'DELETE' || ability?.startsWith('api:destroy')) {
    return { message, hint: `Deleting needs a personal access token with Delete: svc token set --host ${host.name}` };
  }
  return { message, hint: `Sign in again with more scopes: svc login ${host.name}${ability === undefined ? '' : ` --scope ${ability}`}` };
}

function notFoundWords({ answer, problem, path }: Facts): Words {
  if (problem.type !== 'endpoint-not-found' && problem.type !== undefined) {
    return { message: problem.detail ?? `There is no ${path}.`, hint: 'Check the id, and your permission to see the record.' };
  }
  return {
    message: `${answer.host.name} has no ${path}. The record does not exist, the feature is not enabled, or the REST API is switched off.`,
    // A 404 for discovery or `/me` means that the organisation has no REST API. svc then cannot list resources.
    hint: /\/api\/v2\/(?:me)?$/.test(path)
      ? 'Check the host: svc auth status. An administrator can switch the REST API on.'
      : 'To see the resources of this organisation: svc resources',
  };
}

function conflictWords({ problem }: Facts): Words {
  if (problem.reason === 'illegal_transition') {
    return {
      message: problem.detail ?? 'The workflow does not allow that transition.',
      hint: 'List the transitions: svc workflow-transitions list',
    };
  }
  return {
    message: problem.detail ?? 'The record is in a state that does not allow this request.',
    hint: 'Read the record again. Repeat the command only if you still want the change.',
  };
}
