import { expect, test } from 'vitest';
import type { Interpretations } from '../../../src/sandbox/interpretations.ts';
import { problem, sandbox, send, tokenNamed } from '../support.ts';
import { documentOf } from './run.ts';
import type { Loose } from './validator.ts';

test('a narrowed token can read the API spec, and an unknown token cannot', async () => {
  const service = await sandbox();
  const answer = await send(service, '/openapi.json', { token: tokenNamed(service, 'hours-only') });
  expect(answer).toMatchObject({ status: 200, body: { openapi: '3.1.0', info: { version: '2.8.0' } } });
  expect(answer.headers.get('ratelimit')).toBe('limit=600, remaining=599, reset=60');
  const etag = answer.headers.get('etag') ?? '';
  expect(await send(service, '/openapi.json', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, text: '' });
  expect(problem(await send(service, '/openapi.json', { token: 'nobody' }))).toEqual({ status: 401, type: 'unauthenticated' });
  expect(problem(await send(service, '/openapi.json?view=detail'))).toMatchObject({
    status: 400,
    type: 'unsupported-parameter',
    at: 'view',
  });
  service.interpretations.openapi = 'absent';
  expect(problem(await send(service, '/openapi.json'))).toEqual({ status: 404, type: 'endpoint-not-found' });
});

test('the API spec lists the documented filters, and only paths of enabled features and of the option uploads', async () => {
  const service = await sandbox();
  const absences = async () => (await documentOf(service)).paths['/absences'].get;
  expect(await absences()).toMatchObject({
    operationId: 'listAbsences',
    security: [
      { oauth: ['api:read:absences'] },
      { oauth: ['api:read'] },
      { personalToken: ['api:read:absences'] },
      { personalToken: ['api:read'] },
    ],
    'x-cost': { bucket: 'read', units: 1, 'view=detail': 2, include: { user: 1, manager: 1 } },
  });
  const names = (await absences()).parameters.map(({ name, $ref }: { name?: string; $ref?: string }) => name ?? $ref?.split('/').at(-1));
  // Exactly what rules 9.16 to 9.29 list, and the headers.
  expect(names.sort()).toEqual(
    [
      ...['PerPage', 'Cursor', 'PageNumber', 'ListView', 'sort', 'include', 'XRequestId', 'IfNoneMatch'],
      ...['created_at', 'updated_at'].flatMap((field) => ['', '[gte]', '[lt]'].map((operator) => `filter[${field}]${operator}`)),
      ...['', '[gte]', '[lte]', '[null]'].map((operator) => `filter[end]${operator}`),
      ...['', '[gte]', '[lte]'].map((operator) => `filter[start]${operator}`),
      ...['', '[in]', '[null]'].map((operator) => `filter[manager_id]${operator}`),
      ...['', '[in]'].map((operator) => `filter[user_id]${operator}`),
    ].sort(),
  );

  const paths = async () => Object.keys((await documentOf(service)).paths);
  expect(await paths()).toEqual(expect.arrayContaining(['/sprints', '/subtasks', '/upload-tickets']));
  expect(await paths()).not.toContain('/furlough-balance-mutations');
  service.setFeature('furlough', true);
  service.setFeature('sprints', false);
  Object.assign(service.interpretations, { uploads: 'none' } satisfies Partial<Interpretations>);
  const after = await paths();
  expect(after).toContain('/furlough-balance-mutations');
  expect(after.filter((path) => /sprints|upload/.test(path))).toEqual([]);
});

/** Describes a schema in a few words: `integer|null → /users`. */
function wordsOf({ $ref, anyOf, items, enum: values, type = 'any', format, description }: Loose): string {
  if ($ref !== undefined) return lastPart($ref);
  const to = /^Refers to a record of (\S+)\.$/.exec(description ?? '')?.[1];
  return [
    anyOf === undefined ? [type].flat().join('|') : anyOf.map(wordsOf).join('|'),
    ...(items === undefined ? [] : [`of ${wordsOf(items)}`]),
    ...(values === undefined ? [] : [`(${values.join(' ')})`]),
    ...(format === undefined || format === 'int64' ? [] : [format]),
    ...(to === undefined ? [] : [`→ ${to}`]),
  ].join(' ');
}

function lastPart(pointer: string): string {
  return pointer.split('/').at(-1) ?? '';
}

/** Describes each operation of an API spec in a line: its body, its answer, its sorts, its relations and its filters. */
function operationsOf({ paths }: Loose): string[] {
  return Object.entries<Loose>(paths).flatMap(([path, methods]) =>
    Object.entries<Loose>(methods).map(([method, { parameters, requestBody, responses }]) => {
      const [[status = '', answer] = []] = Object.entries<Loose>(responses);
      const [body, sent] = [requestBody, answer].map((each) => Object.values<Loose>(each?.content ?? {})[0]?.schema);
      const query = parameters.flatMap(({ name, schema, in: place, $ref }: Loose) => {
        if ($ref !== undefined) return lastPart($ref);
        if (place !== 'query') return [];
        const values = name === 'sort' || name === 'include' ? schema.items.enum.filter((value: string) => !value.startsWith('-')) : [];
        return [[name.replace('filter', ''), ...values].join(' ')];
      });
      return `${method.toUpperCase()} ${path}: ${body === undefined ? '' : `${wordsOf(body)}, `}${status} ${wordsOf(sent ?? {})}; ${query.join(', ')}`;
    }),
  );
}

/**
 * Describes each record of an API spec in a line. The marks of a field: `*` if a create needs the field, `+` if a create can have it, `=`
 * if an update can, `-` if the summary lacks it, `?` if a record can lack it.
 */
function recordsOf({ components: { schemas } }: Loose): string[] {
  return Object.entries<Loose>(schemas).flatMap(([name, { properties = {}, required = [] }]) => {
    if (/(?:Body|Page|Summary|Problem)$/.test(name)) return [];
    const [create, update, summary] = ['CreateBody', 'UpdateBody', 'Summary'].map((kind) => schemas[`${name}${kind}`] ?? {});
    const fields = Object.entries<Loose>(properties).map(([field, schema]) => {
      const marks = [
        create.required?.includes(field) ? '*' : field in (create.properties ?? {}) ? '+' : '',
        field in (update.properties ?? {}) ? '=' : '',
        field in (summary.properties ?? properties) ? '' : '-',
        required.includes(field) ? '' : '?',
      ];
      return `${field}${marks.join('')} ${wordsOf(schema)}`;
    });
    return [`${name}: ${fields.join(', ')}`];
  });
}

test('the API spec has the operations and the fields of the stored list', async () => {
  const document = await documentOf(await sandbox());
  const lines = [...operationsOf(document), '', ...recordsOf(document), ''];
  await expect(lines.join('\n')).toMatchFileSnapshot('goldens/api-spec.txt');
});

test('a filter in the form deep-object is an object of operators, except a filter by a flag', async () => {
  const service = await sandbox({ interpretations: { openapiFilters: 'deep-object' } });
  const { paths } = await documentOf(service);
  const filtersOf = ({ parameters }: Loose) => parameters.find(({ name }: Loose) => name === 'filter').schema.properties;
  expect(filtersOf(paths['/users'].get).is_active).not.toHaveProperty('anyOf');
  const { due_date } = filtersOf(paths['/work-items'].get);
  expect(Object.keys(due_date.anyOf.at(-1).properties)).toEqual(['gte', 'lt', 'lte', 'in', 'null']);
});
