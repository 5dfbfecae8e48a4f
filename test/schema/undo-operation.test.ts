import { expect, it } from 'vitest';
import { signedIn } from '../support/svc.ts';
import { ROOMS } from './described-resources.ts';
import { storeResources } from './store-description.ts';

it('svc undo sends nothing for an operation of the API spec, whose answer can name any record', async () => {
  const tenant = await signedIn({ personalToken: true });
  await storeResources(tenant.home, tenant.host, [
    {
      ...ROOMS,
      noun: 'work-items',
      singular: 'work-item',
      path: '/work-items',
      itemPath: '/work-items/{work_item}',
      nested: [],
      operations: [
        {
          name: 'uploads',
          method: 'POST',
          path: '/work-items/{work_item}/uploads',
          body: { file_name: { kind: 'string', required: true } },
        },
      ],
    },
  ]);
  const done = await tenant.svc(['work-items', 'uploads', '1', '--file-name', 'plan.pdf']);
  expect(done).toMatchObject({ code: 0 });
  tenant.sandbox.requests.length = 0;
  expect((await tenant.svc(['undo', '--yes'])).code).not.toBe(0);
  expect(tenant.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  // Without the description neither: a POST below a record makes a record only where svc knows the collection.
  await tenant.svc(['schema', 'forget']);
  expect((await tenant.svc(['undo', '--yes'])).code).not.toBe(0);
  expect(tenant.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await tenant.remove();
});
