import { describe, expect, test } from 'vitest';
import { sandbox, send } from '../support.ts';

test.each(['resource-not-found', 'endpoint-not-found', 'not-found'])(
  'the option missingRecordType with the value %s sets the problem type for a missing record and a missing upload ticket',
  async (missingRecordType) => {
    const service = await sandbox({ interpretations: { missingRecordType } });
    for (const [path, method] of [
      ['/users/999', 'GET'],
      ['/uploads/999', 'POST'],
    ]) {
      const { status, body } = await send(service, path ?? '', { method: method ?? 'GET' });
      expect([status, body.type]).toEqual([404, `${service.origin}/problems/${missingRecordType}`]);
    }
  },
);

describe('the option statusTypes', () => {
  test.each(['named', 'blank', 'absent'] as const)(
    'with the value %s sets the problem types for 405, 406, 415, 500 and 503',
    async (statusTypes) => {
      const service = await sandbox({ interpretations: { statusTypes } });
      const answers = [
        await send(service, '/worklogs', { method: 'PATCH' }),
        await send(service, '/worklogs', { headers: { accept: 'text/html' } }),
        await send(service, '/worklogs', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }),
      ];
      for (const status of [500, 503]) {
        service.setFaults([{ status }]);
        answers.push(await send(service, '/worklogs'));
      }
      const names = ['method-not-allowed', 'not-acceptable', 'unsupported-media-type', 'server-error', 'service-unavailable'];
      const types = {
        named: names.map((name) => `${service.origin}/problems/${name}`),
        blank: names.map(() => 'about:blank'),
        absent: names.map(() => undefined),
      };
      expect(answers.map(({ status }) => status)).toEqual([405, 406, 415, 500, 503]);
      expect(answers.map(({ body }) => body.type)).toEqual(types[statusTypes]);
      // What the documentation names keeps its name.
      expect((await send(service, '/worklogs?x=1')).body.type).toBe(`${service.origin}/problems/unsupported-parameter`);
    },
  );
});

test.each([
  ['parameter', { code: 'out_of_range', parameter: 'per_page' }],
  ['key', { code: 'out_of_range', key: 'per_page' }],
  ['field', { code: 'out_of_range', field: 'per_page' }],
  ['source', { code: 'out_of_range', source: { parameter: 'per_page' } }],
  ['errors', { errors: [{ code: 'out_of_range', parameter: 'per_page', detail: 'per_page is 1 to 100 here.' }] }],
] as const)(
  'the option parameterMember with the value %s sets the member of a problem that names the parameter',
  async (parameterMember, expected) => {
    const service = await sandbox({ interpretations: { parameterMember } });
    const { type, title, status, detail, instance, request_id, ...members } = (await send(service, '/worklogs?per_page=101')).body;
    expect(members).toEqual(expected);
  },
);

const DATE = 'The key date is required.';
const MOOD = 'The key __proto__ is not accepted here.';
const all = (name: string, write: (key: string) => string = (key) => key) => [
  { [name]: write('__proto__'), code: 'unknown_key', message: MOOD },
  { [name]: write('date'), code: 'required', message: DATE },
];

test.each([
  ['key', { code: 'unknown_key', key: '__proto__', errors: all('key') }],
  ['field', { code: 'unknown_key', field: '__proto__', errors: all('field') }],
  ['pointer', { code: 'unknown_key', pointer: '/__proto__', errors: all('pointer', (key) => `/${key}`) }],
  ['errors', { errors: all('key') }],
  ['map', { code: 'unknown_key', errors: JSON.parse(`{"__proto__": ["${MOOD}"], "date": ["${DATE}"]}`) }],
] as const)('the option keyMember with the value %s sets the member of a problem that names the key', async (keyMember, expected) => {
  const service = await sandbox({ interpretations: { keyMember } });
  const answer = await send(service, '/worklogs', { method: 'POST', body: '{"minutes": 5, "__proto__": 1}' });
  const { type, title, status, detail, instance, request_id, ...members } = answer.body;
  expect([answer.status, members]).toEqual([422, expected]);
});

const illegal = { reason: 'illegal_transition' };
test.each([
  ['status-ids', { conflict: { ...illegal, from_status_id: 2, to_status_id: 5 } }],
  ['from-to', { conflict: { ...illegal, from: 2, to: 5 } }],
  ['workflow-status-ids', { conflict: { ...illegal, from_workflow_status_id: 2, to_workflow_status_id: 5 } }],
  ['top-level', { conflict: illegal, from_status_id: 2, to_status_id: 5 }],
] as const)(
  'the option transitionEnds with the value %s sets the members of a problem that name the statuses',
  async (transitionEnds, expected) => {
    const service = await sandbox({ interpretations: { transitionEnds } });
    const answer = await send(service, '/work-items/12/actions/transition', { method: 'POST', body: { workflow_status_id: 5 } });
    const { type, title, status, detail, instance, request_id, ...members } = answer.body;
    expect([answer.status, members]).toEqual([409, expected]);
    // Another conflict has no ends.
    await send(service, '/sprints/1/actions/complete', { method: 'POST', body: {} });
    const twice = await send(service, '/sprints/1/actions/complete', { method: 'POST', body: {} });
    expect(twice.body.conflict).toEqual({ reason: 'sprint_already_completed' });
  },
);
