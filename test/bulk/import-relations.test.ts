import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off' });
});
afterAll(() => here.remove());

/** Returns the bodies that an import of this file would send. */
async function bodies(noun: string, name: string, text: string): Promise<unknown[]> {
  const path = join(here.home, name);
  await writeFile(path, text);
  const result = await here.svc([noun, 'import', path, '--dry-run']);
  expect(result.code, result.stderr).toBe(0);
  return (JSON.parse(result.stdout) as { body: unknown }[]).map(({ body }) => body);
}

describe('an import column that names a relation', () => {
  it('sets the id in CSV', async () => {
    expect(await bodies('worklogs', 'a.csv', 'date,minutes,user,budget\n2026-03-05,61,3,2\n')).toEqual([
      { date: '2026-03-05', minutes: 61, user_id: 3, budget_id: 2 },
    ]);
    expect(await bodies('absences', 'b.csv', 'user,start\n3,2026-11-01\n')).toEqual([{ user_id: 3, start: '2026-10-31T23:00:00Z' }]);
  });

  it('sets the id of its own resource when two resources share a name', async () => {
    const made = await here.svc(['sprints', 'create', '--name', 'Web shop']);
    expect(made.code, made.stderr).toBe(0);
    const { id } = JSON.parse(made.stdout) as { id: number };
    const stdin = 'title,project,sprint\nNamed,Web shop,Web shop\n';
    const { code, stderr } = await here.svc(['work-items', 'import', '-'], { stdin });
    expect(code, stderr).toBe(0);
    expect(here.sandbox.rows('work-items').at(-1)).toMatchObject({ title: 'Named', project_id: 2, sprint_id: id });
  });

  it('sets the id in JSON, from an id or a record', async () => {
    const rows = [
      { title: 'T', project: 1, assignee: 8 },
      { title: 'U', project: { id: 2, name: 'Website' } },
    ];
    expect(await bodies('work-items', 'c.json', JSON.stringify(rows))).toEqual([
      { title: 'T', project_id: 1, assignee_id: 8 },
      { title: 'U', project_id: 2 },
    ]);
  });

  it('is ignored when the row also has the id', async () => {
    expect(await bodies('worklogs', 'd.json', JSON.stringify([{ minutes: 5, user: { id: 3 }, user_id: 4 }]))).toEqual([
      { minutes: 5, user_id: 4 },
    ]);
  });
});
