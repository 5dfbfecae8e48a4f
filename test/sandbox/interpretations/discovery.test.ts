import { describe, expect, test } from 'vitest';
import type { Interpretations, Sandbox } from '../../../src/sandbox/start.ts';
import { signIn } from '../oauth-flow.ts';
import { type Answer, problem, sandbox, send, tokenNamed } from '../support.ts';

interface Entry {
  readonly name: string;
  readonly path: string | null;
  readonly operations: unknown;
}

async function entries(interpretations: Partial<Interpretations>): Promise<Entry[]> {
  return (await send(await sandbox({ interpretations }), '/')).body.data;
}

test.each(['name', 'resource', 'key'] as const)(
  'the option discoveryName makes %s the member of discovery with the name of a resource',
  async (discoveryName) => {
    const first = (await entries({ discoveryName }))[0] as unknown as Record<string, unknown>;
    expect(['name', 'resource', 'key'].map((member) => first[member])).toEqual(
      ['name', 'resource', 'key'].map((member) => (member === discoveryName ? 'projects' : undefined)),
    );
  },
);

const BRANCHES = '/company-branches';
const BRANCH = '/company-branches/{company_branch}';
test.each([
  ['named', { name: 'list', method: 'GET', path: BRANCHES }],
  ['unnamed', { method: 'GET', path: BRANCHES }],
  ['texts', `GET ${BRANCHES}`],
] as const)('the option discoveryOperations with the value %s makes an operation in discovery %j', async (discoveryOperations, first) => {
  const entry = (await entries({ discoveryOperations })).find(({ path }) => path === BRANCHES);
  const operations = entry?.operations as unknown[] | undefined;
  expect([operations?.length, operations?.[0]]).toEqual([5, first]);
});

test('the option discoveryOperations with the value map lists operations by name, also for child records', async () => {
  const all = await entries({ discoveryOperations: 'map' });
  expect(all.find(({ path }) => path === BRANCHES)?.operations).toEqual({
    list: { method: 'GET', path: BRANCHES },
    get: { method: 'GET', path: BRANCH },
    create: { method: 'POST', path: BRANCHES },
    update: { method: 'PATCH', path: BRANCH },
    delete: { method: 'DELETE', path: BRANCH },
  });
  expect(all.find(({ path }) => path === '/subtasks')?.operations).toMatchObject({ list: { path: '/subtasks' } });
});

test.each([
  ['in-entry', true, false],
  ['own-entry', false, true],
  ['none', false, false],
] as const)('the option discoveryActions with the value %s sets where discovery lists actions', async (discoveryActions, inside, own) => {
  const all = await entries({ discoveryActions });
  const path = '/work-items/{work_item}/actions/transition';
  const operations = all.find(({ name }) => name === 'work-items')?.operations as { path: string }[];
  expect(operations.some((operation) => operation.path === path)).toBe(inside);
  expect(all.filter((entry) => entry.path === path)).toHaveLength(own ? 1 : 0);
  expect(operations.some((operation) => operation.path === '/work-items')).toBe(true);
});

test('the options discoveryMe and discoveryUploads add /me and /upload-tickets to discovery', async () => {
  const lone = async (interpretations: Partial<Interpretations>) =>
    (await entries(interpretations))
      .filter(({ name }) => name === 'me' || name === 'upload-tickets')
      .map(({ name, path, operations }) => ({ name, path, operations }));
  const me = { name: 'me', path: '/me', operations: [{ name: 'me', method: 'GET', path: '/me' }] };
  const ask = { name: 'request_upload', method: 'POST', path: '/upload-tickets' };
  const uploads = { name: 'upload-tickets', path: '/upload-tickets', operations: [ask] };
  expect(await lone({ discoveryMe: false, discoveryUploads: false })).toEqual([]);
  expect(await lone({ discoveryMe: true, discoveryUploads: false })).toEqual([me]);
  expect(await lone({ discoveryMe: true, discoveryUploads: true, uploads: 'both' })).toEqual([me, uploads]);
  // What is not there is not listed.
  expect(await lone({ discoveryMe: false, discoveryUploads: true, uploads: 'work-item' })).toEqual([]);
});

const FILE = { file_name: 'a.txt', mime_type: 'text/plain' };

function ask(service: Sandbox, way: 'work-item' | 'tickets', token?: string): Promise<Answer> {
  const body = way === 'work-item' ? FILE : { ...FILE, work_item_id: 12 };
  const options = { method: 'POST', body, ...(token === undefined ? {} : { token }) };
  return send(service, way === 'work-item' ? '/work-items/12/uploads' : '/upload-tickets', options);
}

describe('uploads in the sandbox', () => {
  test.each([
    ['work-item', [201, 404]],
    ['tickets', [404, 201]],
    ['both', [201, 201]],
    ['none', [404, 404]],
  ] as const)('start only at the paths that the option uploads allows with the value %s', async (uploads, expected) => {
    const service = await sandbox({ interpretations: { uploads } });
    for (const [index, way] of (['work-item', 'tickets'] as const).entries()) {
      const ticket = await ask(service, way);
      expect([way, ticket.status]).toEqual([way, expected[index]]);
      if (ticket.status === 404) {
        expect(problem(ticket).type).toBe('endpoint-not-found');
        // Nor is it there for other methods.
        expect((await send(service, way === 'work-item' ? '/work-items/12/uploads' : '/upload-tickets')).status).toBe(404);
        continue;
      }
      const path = String(ticket.body.data.upload_url).slice(service.baseUrl.length);
      const sent = await send(service, path, { method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' } });
      expect([sent.status, sent.body.data]).toEqual([201, expect.objectContaining({ file_name: 'a.txt', size: 5, work_item_id: 12 })]);
      expect((await send(service, path, { method: 'POST', body: 'again' })).status).toBe(404);
    }
  });

  test.each([
    ['either', [201, 201]],
    ['octet-stream', [201, 415]],
    ['multipart', [415, 201]],
  ] as const)('accept the bytes of a file only in the format of uploadContents %s', async (uploadContents, expected) => {
    const service = await sandbox({ interpretations: { uploadContents } });
    // No text in any encoding; with what could be taken for the end of a part.
    const file = new Uint8Array([0, 255, 13, 10, 45, 45, 254, 13, 10]);
    const form = new FormData();
    form.append('note', 'not the file');
    form.append('file', new Blob([file]), 'a.txt');
    for (const [index, body] of [file, form].entries()) {
      const path = String((await ask(service, 'work-item')).body.data.upload_url);
      const headers = {
        authorization: `Bearer ${tokenNamed(service, 'full')}`,
        ...(body === file && { 'content-type': 'application/octet-stream' }),
      };
      const sent = await fetch(path, { method: 'POST', body, headers });
      expect(sent.status).toBe(expected[index]);
      if (sent.status === 201) expect(await sent.json()).toMatchObject({ data: { size: file.length } });
      else await sent.arrayBuffer();
    }
  });

  test('refuse a form without the file, and the ticket stays valid', async () => {
    const service = await sandbox();
    const path = String((await ask(service, 'work-item')).body.data.upload_url);
    const form = new FormData();
    form.append('other', 'x');
    const authorization = `Bearer ${tokenNamed(service, 'full')}`;
    expect((await fetch(path, { method: 'POST', body: form, headers: { authorization } })).status).toBe(400);
    expect((await fetch(path, { method: 'POST', body: 'x', headers: { authorization } })).status).toBe(201);
  });

  test('accept a ticket only at its own address, and require work_item_id for a new ticket', async () => {
    const service = await sandbox({ interpretations: { uploads: 'both' } });
    const { id } = (await ask(service, 'tickets')).body.data;
    expect((await send(service, `/uploads/${id}`, { method: 'POST', body: 'x' })).status).toBe(404);
    const nowhere = await send(service, '/upload-tickets', { method: 'POST', body: FILE });
    expect(problem(nowhere)).toMatchObject({ status: 422, code: 'required', at: 'work_item_id' });
  });

  test.each([
    ['contents', 201],
    ['every-step', 401],
  ] as const)(
    'with uploadsRefuseApps %s return %i to an app for a ticket, and refuse the app’s file',
    async (uploadsRefuseApps, status) => {
      const service = await sandbox({ interpretations: { uploads: 'both', uploadsRefuseApps } });
      const { access } = await signIn(service);
      for (const way of ['work-item', 'tickets'] as const) {
        expect((await ask(service, way, access)).status).toBe(status);
        const path = String((await ask(service, way)).body.data.upload_url).slice(service.baseUrl.length);
        const sent = await send(service, path, { method: 'POST', body: 'x', token: access });
        expect(problem(sent)).toMatchObject({ status: 401, type: 'unauthenticated' });
      }
    },
  );
});
