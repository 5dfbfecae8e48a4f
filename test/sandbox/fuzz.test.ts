import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/sandbox/api/operations.ts';
import { sandbox, send } from './support.ts';

/** Every documented problem type a request may meet; anything else is the sandbox's own mistake. */
const KNOWN = new Set([
  'invalid-query-parameter',
  'unsupported-parameter',
  'invalid-cursor',
  'malformed-request',
  'insufficient-permission',
  'resource-not-found',
  'state-conflict',
  'precondition-failed',
  'unsupported-media-type',
  'validation-failed',
]);

const value = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-1',
    'true',
    'me',
    'ABC-12',
    '2025-01-01',
    '2025-01-01T00:00:00Z',
    '2025-02-30',
    'on-hold',
    '1,2,3',
    'id',
    '-id',
    'detail',
    '1e9',
  ),
  fc.string({ maxLength: 12 }),
);
const fieldName = fc.constantFrom(
  'id',
  'name',
  'date',
  'minutes',
  'user_id',
  'start',
  'end',
  'status',
  'title',
  'sprint_id',
  'constructor',
  '__proto__',
  'links',
  'deleted_at',
);
const parameter = fc.oneof(
  fc.constantFrom('per_page', 'page', 'cursor', 'sort', 'q', 'include', 'view', 'with_total', 'trashed'),
  fc
    .tuple(fieldName, fc.constantFrom('', '[gte]', '[lt]', '[lte]', '[in]', '[null]', '[x]'))
    .map(([name, operator]) => `filter[${name}]${operator}`),
  fc.string({ maxLength: 8 }),
);
const body = fc.oneof(
  fc.dictionary(fieldName, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }).map((object) => JSON.stringify(object)),
  fc.json({ maxDepth: 1 }),
  fc.string({ maxLength: 20 }),
);

// Deleting the user whose token is used would turn every later answer into a 401.
const harmless = OPERATIONS.filter(({ method, path }) => method !== 'DELETE' || path !== '/users/{user}');

test('whatever is sent, the answer is a success or a documented problem', async () => {
  const service = await sandbox({ limits: 'off' });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...harmless),
      fc.array(fc.tuple(parameter, value), { maxLength: 3 }),
      fc.constantFrom('1', '12', 'ABC-12', '999999', 'x', '%00'),
      body,
      async (operation, query, id, text) => {
        const path = operation.path.replaceAll(/\{\w+\}/g, id);
        const answer = await send(service, `${path}?${new URLSearchParams(query)}`, {
          method: operation.method,
          ...(operation.method === 'GET' ? {} : { body: text }),
        });
        const type = answer.status < 400 ? undefined : String(answer.body.type).split('/').at(-1);
        // Furlough is switched off, so its paths are not there.
        if (operation.resource?.feature === 'furlough') expect(type).toBe('endpoint-not-found');
        else if (type !== undefined) expect(KNOWN).toContain(type);
      },
    ),
    { numRuns: 600 },
  );
});
