/** The forms of API specs of other services, each as small as possible. The specs themselves are not in this repository. */
export interface WildDocument {
  readonly shape: string;
  readonly document: Readonly<Record<string, unknown>>;
}

type Schema = Readonly<Record<string, unknown>>;

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const answer = (schema: unknown) => ({ 200: { description: 'Done.', ...json(schema) } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (items: unknown) => ({ type: 'array', items });
const record = (properties: Schema, more: Schema = {}) => ({
  type: 'object',
  properties: { id: { type: 'integer' }, ...properties },
  ...more,
});
const NAME = { name: { type: 'string' } };

function documentOf(openapi: string, paths: Schema, more: Schema = {}): Readonly<Record<string, unknown>> {
  return { openapi, info: { title: 'Small', version: '1' }, servers: [{ url: 'https://small.example/v1' }], paths, ...more };
}

/** Returns a list with records, and operations to read, create and change them. */
function collection(path: string, shown: unknown, sent: unknown): Schema {
  return {
    [path]: { get: { responses: answer(listOf(shown)) }, post: { requestBody: json(sent), responses: answer(shown) } },
    [`${path}/{id}`]: {
      get: { responses: answer(shown) },
      patch: { requestBody: json(sent), responses: answer(shown) },
      delete: { responses: { 204: { description: 'Deleted.' } } },
    },
  };
}

const underData = (schema: unknown) => ({ type: 'object', properties: { data: schema } });

/** Returns a resource whose bodies and answers are all in `data`. */
function wrapped(path: string, shown: unknown, sent: unknown): Schema {
  const one = { requestBody: json(underData(sent)), responses: answer(underData(shown)) };
  return {
    [path]: { get: { responses: answer(underData(listOf(shown))) }, post: one },
    [`${path}/{id}`]: { get: { responses: one.responses }, patch: one, delete: { responses: { 204: { description: 'Deleted.' } } } },
  };
}

export const WILD: readonly WildDocument[] = [
  {
    shape: 'bodies under `data`, in 3.0',
    document: documentOf('3.0.0', wrapped('/tasks', ref('Task'), ref('TaskBody')), {
      components: {
        schemas: {
          Task: record({ ...NAME, follower_ids: listOf({ type: 'integer' }), plan_id: { type: 'integer' } }),
          TaskBody: {
            type: 'object',
            required: ['name'],
            properties: { ...NAME, follower_ids: listOf({ type: 'integer' }), plan_id: { type: 'integer' } },
          },
        },
      },
    }),
  },
  {
    shape: '3.0 with `nullable` and an exclusive bound that is true or false',
    document: documentOf(
      '3.0.3',
      collection('/rates', record({ amount: { type: 'number', minimum: 0, exclusiveMinimum: true, nullable: true } }), {
        type: 'object',
        properties: { amount: { type: 'number', minimum: 0, exclusiveMinimum: true, nullable: true } },
      }),
    ),
  },
  {
    shape: '3.1 with type lists, `const` and numeric exclusive bounds',
    document: documentOf(
      '3.1.0',
      collection('/hours', record({ hours: { type: ['number', 'null'] }, kind: { const: 'work' } }), {
        type: 'object',
        properties: { hours: { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 24 }, kind: { const: 'work' } },
      }),
    ),
  },
  {
    shape: '3.2 with the method `query` and other methods',
    document: documentOf('3.2.0', {
      '/notes': {
        get: { responses: answer(listOf(record(NAME))) },
        query: { responses: answer(listOf(record(NAME))) },
        additionalOperations: { COPY: { responses: answer(record(NAME)) } },
      },
    }),
  },
  {
    shape: 'Swagger 2.0',
    document: { swagger: '2.0', info: { title: 'Old', version: '1' }, basePath: '/v1', paths: { '/clients': { get: { responses: {} } } } },
  },
  {
    shape: 'parameters of paths, and paths in components',
    document: documentOf(
      '3.1.0',
      {
        '/boards': { $ref: '#/components/pathItems/Boards' },
        '/boards/{board}': {
          parameters: [
            { name: 'board', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'fields', in: 'query', schema: { type: 'string' } },
          ],
          get: { responses: answer(record(NAME)) },
        },
        '/lanes': { $ref: '#/components/pathItems/Lanes' },
      },
      {
        components: {
          pathItems: {
            Boards: {
              parameters: [{ name: 'filter[name]', in: 'query', schema: { type: 'string' } }],
              get: { responses: answer(listOf(record(NAME))) },
            },
          },
        },
      },
    ),
  },
  {
    shape: '`oneOf` and `anyOf` in bodies and records',
    document: documentOf(
      '3.0.3',
      collection('/payments', { oneOf: [ref('Card'), ref('Transfer')] }, { anyOf: [ref('CardBody'), ref('TransferBody')] }),
      {
        components: {
          schemas: {
            Card: record({ amount: { type: 'integer' }, card: { type: 'string' } }),
            Transfer: record({ amount: { type: 'integer' }, account: { type: 'string' } }),
            CardBody: {
              type: 'object',
              required: ['amount', 'card'],
              properties: { amount: { type: 'integer' }, card: { type: 'string' } },
            },
            TransferBody: {
              type: 'object',
              required: ['amount', 'account'],
              properties: { amount: { type: 'integer' }, account: { type: 'string' } },
            },
          },
        },
      },
    ),
  },
  {
    shape: '`allOf` that narrows properties',
    document: documentOf('3.1.0', collection('/leads', ref('Lead'), ref('LeadBody')), {
      components: {
        schemas: {
          Base: {
            type: 'object',
            properties: { state: { type: 'string' }, score: { type: 'number', minimum: 0 }, owner: { type: 'string' } },
          },
          Lead: { allOf: [ref('Base'), record({})] },
          LeadBody: {
            allOf: [
              ref('Base'),
              { properties: { weight: { type: 'number', minimum: 2 } } },
              {
                required: ['state'],
                properties: {
                  state: { enum: ['open', 'won'] },
                  score: { type: 'integer', maximum: 10 },
                  owner: { readOnly: true },
                  weight: { maximum: 5 },
                },
              },
            ],
          },
        },
      },
    }),
  },
  {
    shape: 'null as a type, as `anyOf` and in an enum',
    document: documentOf(
      '3.1.0',
      collection(
        '/items',
        record({ due: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }, size: { enum: ['s', 'm', null] } }),
        {
          type: 'object',
          properties: { due: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }, size: { enum: ['s', 'm', null] } },
        },
      ),
    ),
  },
  {
    shape: 'a discriminator with a mapping',
    document: documentOf('3.0.3', collection('/fields', ref('Field'), ref('Field')), {
      components: {
        schemas: {
          Field: {
            oneOf: [ref('TextField'), ref('NumberField')],
            discriminator: {
              propertyName: 'type',
              mapping: { text: '#/components/schemas/TextField', number: '#/components/schemas/NumberField' },
            },
          },
          TextField: record({ type: { type: 'string', enum: ['text'] }, length: { type: 'integer' } }, { required: ['type'] }),
          NumberField: record({ type: { type: 'string', enum: ['number'] }, precision: { type: 'integer' } }, { required: ['type'] }),
        },
      },
    }),
  },
  {
    shape: 'references through several references',
    document: documentOf('3.0.3', collection('/deals', ref('A'), ref('A')), {
      components: {
        schemas: { A: ref('B'), B: ref('C'), C: { allOf: [ref('D')] }, D: record({ value: { type: 'number', format: 'double' } }) },
      },
    }),
  },
  {
    shape: 'records that contain themselves',
    document: documentOf('3.1.0', collection('/folders', ref('Folder'), ref('Folder')), {
      components: {
        schemas: {
          Folder: record({ ...NAME, parent: ref('Folder'), children: listOf(ref('Folder')), child_ids: listOf({ type: 'integer' }) }),
        },
      },
    }),
  },
];
