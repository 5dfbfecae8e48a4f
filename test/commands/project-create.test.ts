// svc creates a project with a workflow and a key prefix, or warns about what the project lacks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json, startHttpServer } from '../support/http-server.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());
const env = { NO_COLOR: '1' };
const lack = 'Without a workflow, the work items of the project cannot change status.';

describe('svc projects create', () => {
  it('accepts a workflow by name, and a key prefix', async () => {
    const argv = ['projects', 'create', '--name', 'Harbour', '--workflow', 'simple', '--key-prefix', 'HAR'];
    const { code, stdout, stderr } = await here.svc(argv, { terminal: 100, env });
    expect([code, stdout.slice(0, 27)], stderr).toEqual([0, 'Created the project Harbour']);
    expect(stderr).not.toContain(lack);
    expect(here.sandbox.rows('projects').at(-1)).toMatchObject({ name: 'Harbour', workflow_id: 2, key_prefix: 'HAR' });
  });

  it('warns at a terminal about a missing workflow, and prints the command that sets a workflow', async () => {
    const { stderr } = await here.svc(['projects', 'create', '--name', 'Bare'], { terminal: 100, env });
    const { id } = here.sandbox.rows('projects').at(-1) ?? { id: 0 };
    const told = `${lack} To set it: svc projects update ${id} --workflow <id|name>`;
    expect(stderr).toContain(told);
    const set = await here.svc(['projects', 'update', String(id), '--workflow', 'Development'], { terminal: 100, env });
    expect(set.code, set.stderr).toBe(0);
    expect(here.sandbox.rows('projects').at(-1)).toMatchObject({ workflow_id: 1 });
    // A program gets no warning, because it reads the record.
    expect((await here.svc(['projects', 'create', '--name', 'Piped'])).stderr).toBe('');
    expect((await here.svc(['projects', 'create', '--name', 'Quiet', '--quiet'], { terminal: 100, env })).stderr).not.toContain(lack);
  });

  it('gives no warning when the answer lacks the workflow, and explains that svc assumed a refused field', async () => {
    const server = await startHttpServer();
    const options = { terminal: 100, env: { ...env, SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' } };
    server.fallback(json(201, { id: 9, name: 'Plain' }));
    const plain = await here.svc(['projects', 'create', '--name', 'Plain'], options);
    expect([plain.code, plain.stderr.includes(lack)], plain.stderr).toEqual([0, false]);
    const type = `${server.origin}/problems/validation-failed`;
    server.fallback(json(422, { type, title: 'Unprocessable', status: 422, detail: 'Unknown key.', parameter: 'key_prefix' }));
    const refused = await here.svc(['projects', 'create', '--name', 'Other', '--key-prefix', 'OTH'], options);
    expect(refused.code).toBe(9);
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'The service’s documentation does not show key_prefix; svc assumed the field.',
    );
    await server.close();
  });
});
