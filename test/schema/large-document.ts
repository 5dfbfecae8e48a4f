/**
 * Returns an API spec as large as those of large public services, and in their style.
 * The spec has hundreds of resources, deep inline objects and long descriptions. It also has `anyOf` of an id and a record, forms that
 * repeat whole schemas, and vendor extensions.
 * @param collections number of resources. 400 give about eight megabytes of JSON.
 */
export function largeDocument(collections = 400): Record<string, unknown> {
  const names = Array.from({ length: collections }, (_, at) => `${WORDS[at % WORDS.length]}_${WORDS[(at * 7 + 3) % WORDS.length]}${at}`);
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) {
    schemas[name] = recordSchema(name, names, at);
    const own = { $ref: `#/components/schemas/${name}` };
    paths[`/v1/${name}s`] = {
      get: listOperation(name, own),
      post: { operationId: `Post_${name}`, description: LONG, requestBody: form(name, at), responses: answer(own) },
    };
    paths[`/v1/${name}s/{${name}}`] = {
      parameters: [{ name, in: 'path', required: true, schema: { type: 'string', maxLength: 5000 } }],
      get: { operationId: `Get_${name}`, description: LONG, responses: answer(own) },
      post: { operationId: `Update_${name}`, description: LONG, requestBody: form(name, at), responses: answer(own) },
      delete: { operationId: `Delete_${name}`, responses: answer({ $ref: `#/components/schemas/deleted` }) },
    };
    paths[`/v1/${name}s/{${name}}/cancel`] = { post: { operationId: `Cancel_${name}`, description: LONG, responses: answer(own) } };
    paths[`/v1/${name}s/{${name}}/lines`] = { get: listOperation(`${name}_line`, own) };
  }
  schemas['deleted'] = { type: 'object', properties: { id: { type: 'string' }, deleted: { type: 'boolean', enum: [true] } } };
  return {
    openapi: '3.0.0',
    info: { title: 'A large service', version: '2026-10-28', description: LONG, 'x-origin': 'generated' },
    servers: [{ url: 'https://api.large.example/' }],
    paths,
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

const WORDS = ['account', 'balance', 'charge', 'customer', 'dispute', 'event', 'invoice', 'mandate', 'payout', 'price', 'refund', 'topup'];
const LONG =
  '<p>Says what it is for, who may use it, and what happens when something it needs is missing. Amounts are in the smallest unit of their currency; what was never set is null, and what was removed is left out.</p>';

function recordSchema(name: string, names: readonly string[], at: number): unknown {
  const other = names[(at * 31 + 5) % names.length] ?? name;
  return {
    title: name,
    description: LONG,
    type: 'object',
    required: ['id', 'object', 'created'],
    'x-resourceId': name,
    'x-expandableFields': ['owner', 'details'],
    properties: {
      id: { type: 'string', maxLength: 5000, description: 'Unique identifier for the object.' },
      object: { type: 'string', enum: [name], description: 'Always the same.' },
      created: { type: 'integer', format: 'unix-time', description: LONG },
      owner: {
        nullable: true,
        anyOf: [{ type: 'string', maxLength: 5000 }, { $ref: `#/components/schemas/${other}` }],
        'x-expansionResources': { oneOf: [{ $ref: `#/components/schemas/${other}` }] },
      },
      itself: { nullable: true, $ref: `#/components/schemas/${name}` },
      status: { type: 'string', nullable: true, enum: ['active', 'paused', 'ended'], description: LONG },
      ...Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`setting_${field}`, tree(2, field)])),
    },
  };
}

function tree(depth: number, seed: number): unknown {
  if (depth === 0) return { type: seed % 2 === 0 ? 'string' : 'integer', description: 'A value of its own.', maxLength: 5000 };
  return {
    type: 'object',
    nullable: true,
    description: LONG,
    properties: Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`part_${at}`, tree(depth - 1, seed + at)])),
  };
}

function form(name: string, at: number): unknown {
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`setting_${field}`, tree(1, field + at)]));
  return {
    content: {
      'application/x-www-form-urlencoded': {
        encoding: { setting_0: { explode: true, style: 'deepObject' } },
        schema: { type: 'object', properties: { ...properties, [`${name}_note`]: { type: 'string', description: LONG } } },
      },
    },
  };
}

function listOperation(name: string, items: unknown): unknown {
  const parameters = ['ending_before', 'starting_after', 'limit', 'status'].map((parameter) => ({
    name: parameter,
    in: 'query',
    description: LONG,
    schema: { type: 'string', maxLength: 5000 },
    style: 'form',
  }));
  const created = { anyOf: [{ type: 'object', properties: { gt: { type: 'integer' }, lte: { type: 'integer' } } }, { type: 'integer' }] };
  const data = { type: 'array', items };
  return {
    operationId: `List_${name}`,
    description: LONG,
    parameters: [...parameters, { name: 'created', in: 'query', explode: true, style: 'deepObject', schema: created }],
    responses: answer({ type: 'object', required: ['data'], properties: { data, has_more: { type: 'boolean' }, url: { type: 'string' } } }),
  };
}

function answer(schema: unknown): unknown {
  return {
    '200': { description: 'Successful response.', content: { 'application/json': { schema } } },
    default: { description: 'Error response.', content: { 'application/json': { schema: { $ref: '#/components/schemas/deleted' } } } },
  };
}
