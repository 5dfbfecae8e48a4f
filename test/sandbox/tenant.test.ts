import { expect, test } from 'vitest';
import { signedIn } from '../support/svc.ts';
import { createTenant } from '../support/tenant/tenant.ts';
import type { TenantChange } from '../support/tenant/tenant-change.ts';
import { documentOf } from './openapi/run.ts';
import { problem, sandbox, send } from './support.ts';

/** A tenant's changes of one kind, in collections that have an address of their own. */
function changes(seed: number, kind: TenantChange['kind'], what: TenantChange['what']): TenantChange[] {
  const nested = ['comments', 'attachments', 'drive-files', 'drive-comments', 'tags'];
  return createTenant(seed).changes.filter((change) => change.kind === kind && change.what === what && !nested.includes(change.resource));
}

test('the same seed creates the same tenant, and another seed creates another tenant', async () => {
  const read = async (tenant: number): Promise<string> => {
    const service = await sandbox({ tenant });
    return JSON.stringify([createTenant(tenant).changes, await documentOf(service)]).replaceAll(service.origin, '');
  };
  const [one, again, other] = [await read(7), await read(7), await read(8)];
  expect(one).toBe(again);
  expect(one).not.toBe(other);
});

test('a tenant refuses its missing resources, fields, filters, sorts and includes', async () => {
  const service = await sandbox({ tenant: 3, limits: 'off', switches: { furlough: true } });
  for (const { resource } of changes(3, 'removed', 'resource')) {
    expect(problem(await send(service, `/${resource}`))).toEqual({ status: 404, type: 'endpoint-not-found' });
  }
  for (const { was } of changes(3, 'renamed', 'resource')) expect((await send(service, `/${was}`)).status).toBe(404);
  const gone = [...changes(3, 'removed', 'field'), ...changes(3, 'renamed', 'field').map(({ was, ...rest }) => ({ ...rest, name: was }))];
  expect(gone.length).toBeGreaterThan(5);
  for (const { resource, name = '' } of gone) {
    const patched = await send(service, `/${resource}`, { method: 'POST', body: { [name]: null } });
    expect(patched.body.errors).toContainEqual({ key: name, code: 'unknown_key', message: expect.any(String) });
    expect(patched.status).toBe(422);
    expect(problem(await send(service, `/${resource}?filter[${name}]=1`))).toMatchObject({ status: 400, at: `filter[${name}]` });
    expect(problem(await send(service, `/${resource}?sort=${name}`))).toMatchObject({ status: 400, at: 'sort' });
  }
  for (const { resource, name } of changes(3, 'removed', 'filter')) {
    expect(problem(await send(service, `/${resource}?filter[${name}]=1`))).toMatchObject({ status: 400, at: `filter[${name}]` });
  }
  for (const { resource, name } of changes(3, 'removed', 'sort')) {
    expect(problem(await send(service, `/${resource}?sort=${name}`))).toMatchObject({ status: 400, at: 'sort' });
  }
  for (const { resource, name } of changes(3, 'removed', 'include')) {
    expect(problem(await send(service, `/${resource}?include=${name}`))).toMatchObject({ status: 400, at: 'include' });
  }
});

test('discovery lists the features of the tenant, with the paths and schemas of its API spec', async () => {
  const service = await sandbox({ tenant: 5 });
  const entries = (await send(service, '/')).body.data;
  const document = await documentOf(service);
  const paths = Object.keys(document.paths).map((path) => path.replace('/api/v2', ''));
  for (const { path, item_path, schemas } of entries) {
    for (const known of [path, item_path]) if (known !== null) expect(paths).toContain(known);
    if (path !== null && path !== '/upload-tickets') expect(document.components.schemas).toHaveProperty(schemas.detail);
  }
  for (const { resource } of changes(5, 'added', 'resource').filter((change) => !change.resource.includes('/'))) {
    expect(entries).toContainEqual(expect.objectContaining({ name: resource, path: `/${resource}` }));
  }
});

test.each([1, 4])('svc signs in, logs hours and lists people with the tenant %i', async (tenant) => {
  const machine = await signedIn({ tenant });
  const me = await machine.svc(['me', '--output', 'json']);
  expect(JSON.parse(me.stdout)).toMatchObject({ name: 'Sanne de Vries' });
  const added = await machine.svc(['worklogs', 'add', '1h', 'project:1', 'Talked', '--output', 'json']);
  expect({ code: added.code, stderr: added.stderr }).toMatchObject({ code: 0 });
  const listed = await machine.svc(['worklogs', 'list', '--user', 'me', '--limit', '1', '--output', 'json']);
  expect(listed.code).toBe(0);
  expect((await machine.svc(['users', 'list', '--limit', '3'])).code).toBe(0);
  await machine.remove();
});
