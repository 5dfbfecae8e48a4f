import { expect, test } from 'vitest';
import type { Interpretations } from '../../../src/sandbox/interpretations.ts';
import { problem, sandbox, send, tokenNamed } from '../support.ts';
import { documentOf } from './run.ts';

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
