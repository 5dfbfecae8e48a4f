import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServedOperation } from '../../src/sandbox/api/call.ts';
import { OPERATIONS } from '../../src/sandbox/api/operations.ts';
import { createApp } from '../../src/sandbox/http/app.ts';
import { INTERPRETATIONS, type Interpretations } from '../../src/sandbox/interpretations.ts';
import { createSandboxState, type SandboxState } from '../../src/sandbox/sandbox-state.ts';
import { seed } from '../../src/sandbox/seed/index.ts';
import { settingsFrom } from '../../src/sandbox/settings.ts';
import { answersJson, type Draft, takesView, validRequest } from './valid-requests.ts';

const LEGAL = 10_000;
const ILLEGAL = 2500;
const COMBINATIONS = 2500;

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
  readonly body: any;
}

/** A service without a socket: ten thousand requests in seconds. */
function service(): { sandboxState: SandboxState; send(draft: Draft): Promise<Answer> } {
  const sandboxState = createSandboxState(settingsFrom({ limits: 'off', clock: { now: () => Date.UTC(2026, 5, 15, 12) } }), {});
  seed(sandboxState);
  sandboxState.switches.features.add('furlough');
  sandboxState.origin = 'http://127.0.0.1:1';
  const app = createApp(sandboxState);
  const token = sandboxState.tokens.all[0]?.value ?? '';
  return {
    sandboxState,
    send: async ({ method, path, query, headers, body }) => {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const request = new Request(`${sandboxState.origin}/api/v2${path}${query.size === 0 ? '' : `?${query}`}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...type, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const answer = await app.fetch(request, { incoming: { socket: { remoteAddress: '127.0.0.1' } } });
      const text = await answer.text();
      const parsed = text === '' ? undefined : JSON.parse(text);
      return { status: answer.status, type: answer.status < 400 ? undefined : String(parsed.type).split('/').at(-1), body: parsed };
    },
  };
}

/** Any value of every option. */
const anyInterpretations = fc.record(
  Object.fromEntries(Object.entries(INTERPRETATIONS).map(([name, values]) => [name, fc.constantFrom<unknown>(...values)])),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Interpretations>;

test('valid requests cause no server error with random combinations of interpretations', async () => {
  const { sandboxState, send } = service();
  await fc.assert(
    fc.asyncProperty(fc.gen(), anyInterpretations, async (g, interpretations) => {
      Object.assign(sandboxState.interpretations, interpretations);
      const draft = validRequest(g, sandboxState);
      const { status, body } = await send(draft);
      expect({ status, answer: body, ...inShort(draft) }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 500) });
    }),
    { numRuns: COMBINATIONS },
  );
});

/** What may keep a legal request from succeeding: the record is not there, or is not in the state for it, or is somebody else's. */
const EXPECTED = ['resource-not-found', 'state-conflict'];

test(`${LEGAL} valid requests succeed, or get a reason for a refusal`, async () => {
  const { sandboxState, send } = service();
  let succeeded = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const draft = validRequest(g, sandboxState);
      const { status, type, body } = await send(draft);
      // Emergency contacts are their own employee's alone, whatever else an admin may do.
      const isEmergency = draft.operation.resource?.name === 'contacts' && status === 403;
      if (status < 300) succeeded += 1;
      else if (!isEmergency) expect({ type, answer: body, ...inShort(draft) }).toMatchObject({ type: expect.toBeOneOf(EXPECTED) });
    }),
    { numRuns: LEGAL },
  );
  // Else the generator would be asking for things that are not there.
  expect(succeeded).toBeGreaterThan(LEGAL * 0.7);
});

/** What a failure shows of a request. */
function inShort({ method, path, query, body }: Draft): { request: string; sent: unknown } {
  return { request: `${method} ${path}?${decodeURIComponent(String(query))}`, sent: body };
}

interface Flaw {
  readonly name: string;
  fits(operation: ServedOperation): boolean;
  /** Spoils the draft; returns what it is now. */
  spoil(draft: Draft): Draft;
  readonly status: number;
  readonly type: string;
  readonly code?: string;
  /** The parameter or key that the problem names. */
  readonly at?: string;
}

const isList = ({ name }: ServedOperation): boolean => name === 'list';
const isCounted = ({ resource, path }: ServedOperation): boolean => {
  const nested = resource?.nested.find(({ segment }) => path.includes('{') && path.endsWith(`/${segment}`));
  return nested?.counted ?? resource?.counted ?? false;
};
const takesBody = ({ name }: ServedOperation): boolean => ['create', 'update', 'transition', 'move', 'complete'].includes(name);
const withQuery = (name: string, value: string) => (draft: Draft) => {
  draft.query.set(name, value);
  return draft;
};
const withHeader = (name: string, value: string) => (draft: Draft) => ({ ...draft, headers: { ...draft.headers, [name]: value } });
const withBody = (key: string, value: unknown) => (draft: Draft) => ({
  ...draft,
  body: { ...(typeof draft.body === 'object' ? draft.body : {}), [key]: value },
});
const hasField =
  (field: string, written: boolean) =>
  ({ resource, name }: ServedOperation): boolean => {
    const known = resource?.fields[field];
    return (
      known !== undefined &&
      (written ? known.write !== undefined && ['create', 'update'].includes(name) : name === 'list' && known.filter !== undefined)
    );
  };
const refused = (parameter: string, code: string) => ({ status: 400, type: 'invalid-query-parameter', code, at: parameter });
const invalid = (key: string, code: string) => ({ status: 422, type: 'validation-failed', code, at: key });

/** Each thing that the documentation refuses, and the problem it names for it. */
const FLAWS: readonly Flaw[] = [
  {
    name: 'an unknown parameter (rules 9.1, 14.13)',
    fits: () => true,
    spoil: withQuery('no_such', '1'),
    status: 400,
    type: 'unsupported-parameter',
    at: 'no_such',
  },
  {
    name: 'per_page above 100 (rules 8.3, 8.6)',
    fits: isList,
    spoil: withQuery('per_page', '101'),
    ...refused('per_page', 'out_of_range'),
  },
  {
    name: 'page above 1000 (rules 8.12, 8.18)',
    fits: (o) => isList(o) && isCounted(o),
    spoil: withQuery('page', '1001'),
    ...refused('page', 'out_of_range'),
  },
  {
    name: 'page for a resource that does not count rows (rules 8.13, 8.19)',
    fits: (o) => isList(o) && !isCounted(o),
    spoil: withQuery('page', '1'),
    status: 400,
    type: 'unsupported-parameter',
    at: 'page',
  },
  {
    name: 'with_total for a resource that counts rows (rule 8.24)',
    fits: (o) => isList(o) && isCounted(o),
    spoil: withQuery('with_total', '1'),
    status: 400,
    type: 'unsupported-parameter',
    at: 'with_total',
  },
  {
    name: 'page and cursor (rule 8.20)',
    fits: (o) => isList(o) && isCounted(o),
    spoil: (d) => withQuery('cursor', 'x')(withQuery('page', '1')(d)),
    ...refused('page', 'mutually_exclusive'),
  },
  {
    name: 'an unknown cursor (rules 8.10, 14.14)',
    fits: (o) => isList(o) && !isCounted(o),
    spoil: withQuery('cursor', 'x'),
    status: 400,
    type: 'invalid-cursor',
    at: 'cursor',
  },
  {
    name: 'a time with an offset in a filter (rules 2.20, 8.32)',
    fits: hasField('created_at', false),
    spoil: withQuery('filter[created_at][gte]', '2026-01-01T00:00:00+01:00'),
    ...refused('filter[created_at][gte]', 'invalid_format'),
  },
  {
    name: 'an unknown enum value in a filter (rule 2.35)',
    fits: (o) => ['projects', 'tasks'].includes(o.resource?.name ?? '') && isList(o),
    spoil: withQuery('filter[status]', 'no_such'),
    ...refused('filter[status]', 'invalid_format'),
  },
  {
    name: 'more than 100 values for in (rules 8.30, 16.3)',
    fits: hasField('user_id', false),
    spoil: withQuery('filter[user_id][in]', '1,'.repeat(100) + 1),
    ...refused('filter[user_id][in]', 'out_of_range'),
  },
  {
    name: 'an unknown view (rule 8.35)',
    fits: takesView,
    spoil: withQuery('view', 'all'),
    ...refused('view', 'in'),
  },
  { name: 'an unknown key in the body (rule 9.2)', fits: takesBody, spoil: withBody('no_such', 1), ...invalid('no_such', 'unknown_key') },
  { name: 'id in the body (rule 9.2)', fits: takesBody, spoil: withBody('id', 1), ...invalid('id', 'unknown_key') },
  {
    name: 'a fraction of a second in the body (rules 2.18, 2.19)',
    fits: hasField('start', true),
    spoil: withBody('start', '2026-01-01T00:00:00.000Z'),
    ...invalid('start', 'date_format'),
  },
  {
    name: 'an unknown enum value in the body (rule 2.34)',
    fits: hasField('status', true),
    spoil: withBody('status', 'on_hold'),
    ...invalid('status', 'in'),
  },
  {
    name: 'money with three decimals (rule 2.26)',
    fits: hasField('unit_price', true),
    spoil: withBody('unit_price', '1.234'),
    ...invalid('unit_price', 'decimal'),
  },
  {
    name: 'a work item by its key in the body (rule 2.13)',
    fits: hasField('work_item_id', true),
    spoil: withBody('work_item_id', 'ABC-12'),
    ...invalid('work_item_id', 'integer'),
  },
  {
    name: 'a body that is not an object (rule 14.15)',
    fits: takesBody,
    spoil: (d) => ({ ...d, body: '[]' }),
    status: 400,
    type: 'malformed-request',
  },
  {
    name: 'a body of another type (rule 14.25)',
    fits: takesBody,
    spoil: withHeader('content-type', 'text/plain'),
    status: 415,
    type: 'unsupported-media-type',
  },
  {
    name: 'an Idempotency-Key of 256 characters (rule 6.11)',
    fits: ({ method }) => method === 'POST',
    spoil: withHeader('idempotency-key', 'k'.repeat(256)),
    status: 400,
    type: 'malformed-request',
  },
  {
    name: 'a stale If-Match (rules 6.9, 14.24)',
    fits: ({ name }) => name === 'update' || name === 'delete',
    spoil: withHeader('if-match', '"stale.stale"'),
    status: 412,
    type: 'precondition-failed',
  },
  {
    name: 'a request for HTML (rules 6.2, 14.22)',
    fits: () => true,
    spoil: withHeader('accept', 'text/html'),
    status: 406,
    type: 'not-acceptable',
  },
  {
    name: 'an unknown token (rule 14.17)',
    fits: () => true,
    spoil: withHeader('authorization', 'Bearer none'),
    status: 401,
    type: 'unauthenticated',
  },
  {
    name: 'a method that the path does not have (rules 9.3, 14.21)',
    fits: () => true,
    spoil: (d) => ({ ...d, method: 'PUT' }),
    status: 405,
    type: 'method-not-allowed',
  },
  {
    name: 'an unknown path (rule 14.20)',
    fits: () => true,
    spoil: (d) => ({ ...d, path: `${d.path.replace(/\/$/, '')}/no/such/path` }),
    status: 404,
    type: 'endpoint-not-found',
  },
];

test.each(FLAWS)('a request with $name gets $status $type', async ({ fits, spoil, status, type, code, at }) => {
  const { sandboxState, send } = service();
  const choices = OPERATIONS.filter((operation) => answersJson(operation) && operation.path !== '/users/{user}' && fits(operation));
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const draft = spoil(validRequest(g, sandboxState, choices));
      const answer = await send(draft);
      // A record that is not there is told before what is wrong with the rest may be seen.
      if (answer.type === 'resource-not-found' && status !== 401 && status !== 406) return;
      const found = { status: answer.status, type: answer.type, code: answer.body?.code, at: answer.body?.parameter ?? answer.body?.key };
      expect({ ...found, ...inShort(draft) }).toMatchObject({ status, type, ...(code && { code }), ...(at && { at }) });
    }),
    { numRuns: Math.ceil(ILLEGAL / FLAWS.length) },
  );
});
