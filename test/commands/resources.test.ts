import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';

let recording: Recording;
beforeEach(async () => {
  recording = await startRecording();
});
afterEach(() => recording.remove());

/** Returns what svc prints at a terminal for a resource with these entries in discovery. */
async function page(noun: string, ...entries: object[]): Promise<string> {
  recording.server.fallback(json(200, { data: entries, links: { next: null } }));
  const { code, stdout, stderr } = await recording.svc(['resources', noun], { terminal: 100, env: { SVC_PAGER: 'cat' } });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

describe('svc resources <resource> at a terminal', () => {
  it('shows the operations of the service and the commands of svc in columns', async () => {
    const entry = { path: '/drive-items', item_path: '/drive-items/{id}', operations: ['GET /drive-items', 'GET /drive-items/{id}'] };
    expect(await page('drive-items', entry)).toMatchInlineSnapshot(`
      "drive-items: Files, documents and notes in the drives

      Commands:
        svc drive-items list
        svc drive-items get
        svc drive-items create
        svc drive-items update
        svc drive-items delete

      Paths and operations:
        GET /drive-items
        GET /drive-items/{id}

      Not available:
        no operation for: create, update, delete

      Abilities:
        read    api:read:project_drive or api:read:customer_drive or api:read:organization_drive or api:read:user_drive
        write   api:write:project_drive or api:write:customer_drive or api:write:organization_drive or api:write:user_drive
        delete  api:destroy:project_drive or api:destroy:customer_drive or api:destroy:organization_drive or api:destroy:user_drive

      Lists:
        page numbers: no
        text search: assumed

      Filters:
        folder_id   id         = in null  assumed
        created_at  date-time  = gte lt   assumed
        updated_at  date-time  = gte lt   assumed

      Fields:
        id              id
        name            string     --name                   assumed
        folder_id       id         --folder  drive-folders
        drive_folder    json
        comments_count  integer                             assumed
        created_at      date-time
        updated_at      date-time

      Relations, for --include:
        drive_folder  folder_id
        files         many       assumed
        comments      many       assumed

      Child records:
        svc drive-items files     /drive-items/{drive_item}/files
        svc drive-items comments  /drive-items/{drive_item}/comments  assumed

      Notes:
        Drives belong to projects, customers, the organisation or users. A token needs a separate ability for each kind of owner.
        The service does not document an assumed fact. If the service refuses an assumed filter, svc filters the rows itself.
      "
    `);
  });

  it('lists the relations and the child records', async () => {
    const text = await page('work-items', { path: '/work-items', item_path: '/work-items/{id}' });
    expect(text.slice(text.indexOf('Relations,'))).toMatchInlineSnapshot(`
      "Relations, for --include:
        assignee     assignee_id
        sprint       sprint_id
        project      project_id   assumed
        comments     many
        drive_items  many
        labels       many
        subtasks     many

      Child records:
        svc work-items subtasks     /work-items/{work_item}/subtasks
        svc work-items links        /work-items/{work_item}/links
        svc work-items comments     /work-items/{work_item}/comments     assumed
        svc work-items attachments  /work-items/{work_item}/attachments

      Notes:
        Commands that take a work item accept its id or its key (ABC-12).
        The service does not document an assumed fact. If the service refuses an assumed filter, svc filters the rows itself.
      "
    `);
  });

  it('shows only the path when the service lists no operations', async () => {
    const text = await page('holidays', { path: '/holidays', item_path: '/holidays/{id}' });
    expect(text).toContain('\nPaths and operations:\n  /holidays\n\nAbilities:\n');
  });

  it('reports that a resource has no list', async () => {
    expect(await page('subtasks', { item_path: '/subtasks/{id}' })).toContain('\nPaths and operations:\n  no list of all records\n\n');
  });
});

describe('svc resources <resource> in JSON', () => {
  /** Returns the JSON of svc for work items with these entries in discovery. */
  async function described(...entries: object[]) {
    recording.server.fallback(json(200, { data: entries, links: { next: null } }));
    return JSON.parse((await recording.svc(['resources', 'work-items'])).stdout);
  }
  const entry = { path: '/work-items', item_path: '/work-items/{id}' };
  const listed = ({ nested }: { nested: { path: string; listed: boolean }[] }) =>
    nested.filter((child) => child.listed).map(({ path }) => path);

  it('marks the child resources that the service lists as entries or as operations', async () => {
    expect(listed(await described(entry))).toEqual([]);
    const [first, second] = (await described(entry)).nested.map(({ path }: { path: string }) => path);
    expect(listed(await described(entry, { path: first }))).toEqual([first]);
    expect(listed(await described({ ...entry, operations: [`GET ${second}`, 'GET /me'] }))).toEqual([second]);
  });

  it('reads operations as names, as objects or in an unknown shape', async () => {
    const operations = { list: 'GET /work-items', make: { method: 'POST', url: '/work-items' }, odd: { name: 'thing' }, none: {} };
    const { operations: told, lacks } = await described({ ...entry, operations });
    expect(told).toEqual(['list GET /work-items', 'POST /work-items', 'odd thing', 'none']);
    expect(lacks).toEqual([]);
    expect((await described({ ...entry, operations: 7 })).operations).toEqual([]);
  });

  it('names the verbs for which the service lists no operation', async () => {
    const operations = ['GET /api/v2/work-items', 'POST https://acme.example.com/api/v2/work-items', 'PATCH /work-items/{key}'];
    expect((await described({ ...entry, operations })).lacks).toEqual(['get', 'delete']);
    expect((await described({ ...entry, operations: ['GET /work-items/{key}'] })).lacks).toEqual(['list', 'create', 'update', 'delete']);
    expect((await described({ ...entry, operations: ['POST /work-items'] })).lacks).toEqual([]);
  });
});
