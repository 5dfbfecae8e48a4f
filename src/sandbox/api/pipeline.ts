import { MINUTE, utcSecond } from '../dates.ts';
import type { Row } from '../json.ts';
import { rateLimitHeaders } from '../limits.ts';
import { endpointNotFound, missingPermission, Problem, problemDocument } from '../problem.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { covers, MANAGE_API_TOKENS, userMay } from '../tokens/permissions.ts';
import type { ServedOperation } from './call.ts';
import { isOffered } from './discovery.ts';
import type { Reply } from './stores.ts';

interface Bearer {
  readonly kind: 'personal' | 'oauth';
  readonly abilities: readonly string[];
  readonly user: Row;
  /**
   * The owner of a request: a personal access token, or an app with its user. Rate limits and Idempotency-Keys therefore survive a token
   * refresh (rule 15.14).
   */
  readonly owner: string;
}

/**
 * Finds the owner of a token.
 * @throws Problem `401 unauthenticated` if the token is missing, unknown, expired or revoked, or its user is deleted or inactive.
 */
function authenticate(sandboxState: SandboxState, authorization: string | null, now: number): Bearer {
  const value = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const found = value === undefined ? undefined : find(sandboxState, value, now);
  const user = found === undefined ? undefined : sandboxState.db.table('users').get(found.userId);
  if (found === undefined || user === undefined || user['is_active'] === false || (user['deleted_at'] ?? null) !== null) {
    throw new Problem(401, 'unauthenticated', 'Send a valid access token in the header Authorization: Bearer.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  return { ...found, user };
}

function find(sandboxState: SandboxState, value: string, now: number): (Omit<Bearer, 'user'> & { userId: number }) | undefined {
  const personal = sandboxState.tokens.find(value, now);
  if (personal !== undefined) {
    return { kind: 'personal', abilities: personal.abilities, userId: personal.userId, owner: `personal ${personal.id}` };
  }
  const connection = sandboxState.apps.byAccessToken(value, now);
  if (connection === undefined) return undefined;
  return {
    kind: 'oauth',
    abilities: connection.scopes,
    userId: connection.userId,
    owner: `app ${connection.client.id} ${connection.userId}`,
  };
}

interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly body: string;
  readonly bytes: Buffer;
  readonly address: string;
  readonly requestId: string;
}

interface SandboxAnswer extends Reply {
  readonly headers: Readonly<Record<string, string>>;
  readonly units: number;
}

const BASE = '/api/v2';

const RECORD_CLOCK = { same: 0, behind: -MINUTE, ahead: MINUTE } as const;

/**
 * Answers a request. Checks the address limit, endpoint, token, budget, media type, ability and permission, in the documented order. Then
 * runs the operation.
 * @param target operation, or the problem of a request without an operation.
 */
export function answer(sandboxState: SandboxState, request: ReceivedRequest, target: ServedOperation | Problem): SandboxAnswer {
  const now = sandboxState.clock.now();
  const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
  let spending = sandboxState.limiter.spending(undefined, kind);
  let units = 0;
  let reply: Reply;
  try {
    sandboxState.limiter.countAddress(request.address, request.url.host, now);
    if (!sandboxState.switches.api) throw endpointNotFound();
    if (target instanceof Problem) throw target;
    if (!isOffered(sandboxState, target)) throw endpointNotFound();
    const bearer = authenticate(sandboxState, request.headers.get('authorization'), now);
    if (bearer.kind === 'oauth' && target.personalOnly?.(sandboxState.interpretations) === true) {
      throw new Problem(401, 'unauthenticated', 'Only a personal access token can upload files.');
    }
    spending = sandboxState.limiter.spending(bearer.owner, kind);
    const cost = target.cost(request.url.searchParams, sandboxState.interpretations);
    sandboxState.limiter.admit(spending, sandboxState.interpretations.admission === 'cost' ? cost : 1, now);
    // A request that passed these checks costs rate-limit units. An error, a 304 or a replay costs one unit, and a success costs the full
    // price.
    units = 1;
    reply = run(sandboxState, request, target, bearer, now);
    if (reply.status < 300 && reply.headers?.['Idempotency-Replayed'] === undefined) units = cost;
  } catch (error) {
    reply = problemReply(sandboxState, request, asProblem(error));
  }
  sandboxState.limiter.spend(spending, units, now);
  return { ...reply, headers: { ...reply.headers, ...rateLimitHeaders(spending, now, sandboxState.settings.windowSeconds) }, units };
}

function run(
  sandboxState: SandboxState,
  { method, url, params, headers, body, bytes }: ReceivedRequest,
  operation: ServedOperation,
  bearer: Bearer,
  now: number,
): Reply {
  const { media = 'application/json' } = operation;
  if (!accepts(headers.get('accept'), media)) throw new Problem(406, 'not-acceptable', `This path only answers with ${media}.`);
  const need = operation.need(sandboxState);
  if (!covers(bearer.abilities, need)) {
    const suffix = typeof need.prefixes === 'string' ? '' : `:${need.prefixes[0] ?? ''}`;
    throw new Problem(403, 'insufficient-token-scope', `The token lacks the ability api:${need.class}${suffix}.`);
  }
  const isReading = method === 'GET' || method === 'HEAD';
  const may = (permission: string): boolean => userMay(sandboxState.read, bearer.user, permission, isReading);
  // The sandbox refuses an app whose user has lost the permission Manage API tokens. The user’s personal access tokens stay valid (rules
  // 12.26, 12.27).
  if (bearer.kind === 'oauth' && !may(MANAGE_API_TOKENS)) throw missingPermission(MANAGE_API_TOKENS);
  if (operation.permission !== null && !may(operation.permission)) throw missingPermission(operation.permission);
  return operation.run({
    sandboxState,
    operation,
    db: sandboxState.db,
    now,
    stamp: utcSecond(now + RECORD_CLOCK[sandboxState.interpretations.recordClock]),
    method,
    path: url.pathname.slice(BASE.length),
    params,
    query: url.searchParams,
    headers,
    body,
    bytes,
    abilities: bearer.abilities,
    actor: { user: bearer.user, may },
    owner: sandboxState.interpretations.keyOwner === 'user' ? `user ${bearer.user.id}` : bearer.owner,
  });
}

export function problemReply(
  sandboxState: SandboxState,
  { url, requestId }: Pick<ReceivedRequest, 'url' | 'requestId'>,
  problem: Problem,
): Reply {
  const document = problemDocument(
    problem,
    { origin: sandboxState.origin, instance: url.pathname, requestId },
    sandboxState.interpretations,
  );
  return {
    status: problem.status,
    text: JSON.stringify(document),
    headers: { 'Content-Type': 'application/problem+json', ...problem.headers },
  };
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(500, 'server-error', `The sandbox failed: ${String(error)}`);
}

function accepts(accept: string | null, media: string): boolean {
  if (accept === null || accept.trim() === '') return true;
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !isRefused && (type === '*/*' || type === 'application/*' || type === media);
  });
}
