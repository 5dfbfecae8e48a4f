import { MINUTE, utcSecond } from '../dates.ts';
import { rateLimitHeaders } from '../limits/limiter.ts';
import { endpointNotFound, missingPermission, Problem, problemDocument } from '../problem.ts';
import { covers } from '../tokens/abilities.ts';
import { authenticate, type Bearer } from '../tokens/authenticate.ts';
import { MANAGE_API_TOKENS, roleMay } from '../tokens/roles.ts';
import type { World } from '../world.ts';
import type { ServedOperation } from './call.ts';
import { isOffered } from './discovery.ts';
import type { Reply } from './reply.ts';

/** One request to the API as it came in. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly body: string;
  readonly bytes: Buffer;
  readonly address: string;
  readonly requestId: string;
}

export interface SandboxAnswer extends Reply {
  readonly headers: Readonly<Record<string, string>>;
  /** Spent from the buckets of the request's kind. */
  readonly units: number;
}

const BASE = '/api/v2';

/** Milliseconds between the service's clock and the one that stamps records. */
const RECORD_CLOCK = { same: 0, behind: -MINUTE, ahead: MINUTE } as const;

/**
 * Answers a request. Checks in the order of the documentation: the address's limit, the endpoint, the token, the budget, the
 * representation, the ability, the permission. Then the operation runs.
 * @param target The operation, or the problem that says why there is none.
 */
export function answer(world: World, request: ReceivedRequest, target: ServedOperation | Problem): SandboxAnswer {
  const now = world.clock.now();
  const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
  let spending = world.limiter.spending(undefined, kind);
  let units = 0;
  let reply: Reply;
  try {
    world.limiter.countAddress(request.address, request.url.host, now);
    if (!world.switches.api) throw endpointNotFound();
    if (target instanceof Problem) throw target;
    if (!isOffered(world, target)) throw endpointNotFound();
    const bearer = authenticate(world, request.headers.get('authorization'), now);
    if (bearer.kind === 'oauth' && target.personalOnly?.(world.knobs) === true) {
      throw new Problem(401, 'unauthenticated', 'File contents can be sent with a personal access token only.');
    }
    spending = world.limiter.spending(bearer.owner, kind);
    const cost = target.cost(request.url.searchParams, world.knobs);
    world.limiter.admit(spending, world.knobs.admission === 'cost' ? cost : 1, now);
    // From here on it costs something: one unit for an error, a 304 or a replay, the full cost for a success.
    units = 1;
    reply = run(world, request, target, bearer, now);
    if (reply.status < 300 && reply.headers?.['Idempotency-Replayed'] === undefined) units = cost;
  } catch (error) {
    reply = problemReply(world, request, asProblem(error));
  }
  world.limiter.spend(spending, units, now);
  return { ...reply, headers: { ...reply.headers, ...rateLimitHeaders(spending, now, world.settings.windowSeconds) }, units };
}

function run(
  world: World,
  { method, url, params, headers, body, bytes }: ReceivedRequest,
  operation: ServedOperation,
  bearer: Bearer,
  now: number,
): Reply {
  const { media = 'application/json' } = operation;
  if (!accepts(headers.get('accept'), media)) throw new Problem(406, 'not-acceptable', `This answers in ${media} alone.`);
  const need = operation.need(world);
  if (!covers(bearer.abilities, need)) {
    const suffix = typeof need.prefixes === 'string' ? '' : `:${need.prefixes[0] ?? ''}`;
    throw new Problem(403, 'insufficient-token-scope', `The token lacks the ability api:${need.class}${suffix}.`);
  }
  const may = (permission: string): boolean => roleMay(bearer.user, permission);
  // An app stops with the permission to sign it in; personal access tokens keep working (rules 12.26, 12.27).
  if (bearer.kind === 'oauth' && !may(MANAGE_API_TOKENS)) throw missingPermission(MANAGE_API_TOKENS);
  if (operation.permission !== null && !may(operation.permission)) throw missingPermission(operation.permission);
  return operation.run({
    world,
    operation,
    db: world.db,
    now,
    stamp: utcSecond(now + RECORD_CLOCK[world.knobs.recordClock]),
    method,
    path: url.pathname.slice(BASE.length),
    params,
    query: url.searchParams,
    headers,
    body,
    bytes,
    abilities: bearer.abilities,
    actor: { user: bearer.user, may },
    owner: world.knobs.keyOwner === 'user' ? `user ${bearer.user.id}` : bearer.owner,
  });
}

/** A failure as a problem document. */
export function problemReply(world: World, { url, requestId }: Pick<ReceivedRequest, 'url' | 'requestId'>, problem: Problem): Reply {
  const document = problemDocument(problem, { origin: world.origin, instance: url.pathname, requestId }, world.knobs);
  return {
    status: problem.status,
    text: JSON.stringify(document),
    headers: { 'Content-Type': 'application/problem+json', ...problem.headers },
  };
}

function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(500, 'server-error', `The sandbox failed: ${String(error)}`);
}

/** Whether the media type is among what the client takes; a missing header takes everything (RFC 9110 §12.5.1). */
function accepts(accept: string | null, media: string): boolean {
  if (accept === null || accept.trim() === '') return true;
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !isRefused && (type === '*/*' || type === 'application/*' || type === media);
  });
}
