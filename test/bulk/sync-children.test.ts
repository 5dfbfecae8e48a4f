// Child records in a local database. svc reads them from a top-level list if there is one, and otherwise by parent at the lowest
// cost.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import { json } from '../support/http-server.ts';
import { recordsIn } from '../support/local-database-file.ts';
import { oddService, USUAL_SERVICE } from '../support/odd-service.ts';
import { randomOf } from '../support/random.ts';
import { startRecording } from '../support/recording.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
afterEach(() => here?.remove());

async function start(interpretations: Partial<Interpretations> = {}) {
  here = await signedIn({ limits: 'off', personalToken: true, interpretations, worklogIdsBy: 20 });
}

/** Syncs into a file. @returns the requests without ids, such as `/subtasks 200`. */
async function sync(...words: string[]): Promise<string[]> {
  here.sandbox.requests.length = 0;
  const { code, stderr } = await here.svc(['sync', '--to', join(here.home, 'children.sqlite'), ...words]);
  expect(code, stderr).toBe(0);
  return here.sandbox.requests.map(
    ({ path, status }) => `${path.replace(/^\/api\/v2|\?.*$/g, '').replace(/\/\d+(?=\/)/, '/{}')} ${status}`,
  );
}

function verifiedIn(path: string): ReadonlyMap<string, string | null> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT noun, verified_at FROM svc_tables').all();
  database.close();
  return new Map(rows.map(({ noun, verified_at }) => [String(noun), verified_at as string | null]));
}

const stored = (noun: string) => recordsIn(join(here.home, 'children.sqlite'), noun);
const there = (resource: string, by: string, parents: string) => {
  const isThere = (row: Readonly<Record<string, unknown>>) => (row['deleted_at'] ?? null) === null;
  const shown = new Set(here.sandbox.rows(parents).flatMap((row) => (isThere(row) ? [row.id] : [])));
  return here.sandbox
    .rows(resource)
    .filter((row) => isThere(row) && shown.has(Number(row[by])))
    .map(({ id }) => id)
    .sort((one, other) => one - other);
};

it.each([true, 'operations', 'unlisted'] as const)(
  'svc sync reads subtasks from their own list when topLevelChildren is %s (rule 18.18)',
  async (topLevelChildren) => {
    await start({ topLevelChildren });
    const sent = await sync('work-items');
    expect(sent).toContain('/subtasks 200');
    expect(sent).not.toContain('/work-items/{}/subtasks 200');
    expect([...stored('subtasks').keys()]).toEqual(there('subtasks', 'work_item_id', 'work-items'));
    expect(stored('work-items.subtasks').size).toBe(0);
  },
);

it('svc sync tries a list that discovery does not name only once within a day', async () => {
  await start({ topLevelChildren: false });
  expect((await sync('work-items')).filter((line) => line.endsWith('404'))).toEqual(['/subtasks 404', '/work-item-links 404']);
  expect((await sync('work-items')).filter((line) => line.endsWith('404'))).toEqual([]);
  expect([...stored('work-items.subtasks').keys()].sort((one, other) => one - other)).toEqual(
    there('subtasks', 'work_item_id', 'work-items'),
  );
  const named = await here.svc(['sync', '--to', join(here.home, 'named.sqlite'), 'subtasks']);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('The service has no list of all subtasks.')]);
});

it('svc sync sends no query parameters to a path until svc knows that the path is a list', async () => {
  const recording = await startRecording();
  try {
    recording.server.fallback((request, response, socket) => {
      const entries = [
        { name: 'settings', path: '/settings' },
        { name: 'labels', path: '/labels', item_path: '/labels/{label}' },
      ];
      const isOne = /\/(settings|me)$/.test(request.path);
      if (isOne && request.query.size > 0) return json(400, { type: 'unsupported-parameter', status: 400 })(request, response, socket);
      const page = { data: request.path.endsWith('/labels') ? [] : entries, meta: { page: { total: 0 } }, links: { next: null } };
      json(200, isOne ? { data: { id: 7 } } : page)(request, response, socket);
    });
    const argv = ['sync', '--to', join(recording.home, 'settings.sqlite')];
    for (const times of [1, 0]) {
      recording.sent();
      const { code, stderr } = await recording.svc(argv, { terminal: 100, answers: [] });
      expect(code, stderr).toBe(0);
      expect(recording.sent().filter((line) => /settings|me\?/.test(line))).toEqual(Array.from({ length: times }, () => 'GET /settings'));
    }
  } finally {
    await recording.remove();
  }
});

it('svc sync requests no comments for a counter of 0, and mostly lists files in the summary view', async () => {
  await start({ topLevelChildren: false });
  await sync('work-items');
  const sentTo = (segment: string) => here.sandbox.requests.filter(({ path }) => path.includes(`/${segment}?`));
  const idsOf = (paths: readonly { readonly path: string }[]) => new Set(paths.map(({ path }) => path.split('/')[4]));
  const commented = new Set(
    there('comments', 'work_item_id', 'work-items').map(
      (id) => here.sandbox.rows('comments').find((row) => row.id === id)?.['work_item_id'],
    ),
  );
  const [asked, byRelation] = [idsOf(sentTo('comments')), here.sandbox.requests.filter(({ path }) => path.includes('include=comments'))];
  expect([...asked].filter((id) => !commented.has(Number(id)))).toEqual([]);
  expect(stored('work-items.comments').size).toBe(there('comments', 'work_item_id', 'work-items').length);
  // The first lists show that related comments have all fields. After that, the relation shows those of 25 work items for six units.
  expect(asked.size).toBeGreaterThanOrEqual(5);
  expect(asked.size).toBeLessThan(commented.size / 2);
  expect(byRelation.map(({ units }) => units)).toEqual(
    Array.from({ length: Math.ceil(there('work-items', 'id', 'work-items').length / 25) }, () => 6),
  );
  // The summary view is enough once it has shown the fields of the detail view for five files.
  const files = sentTo('attachments');
  expect(idsOf(files).size).toBe(there('work-items', 'id', 'work-items').length);
  const inDetail = files.filter(({ path }) => path.includes('view=detail'));
  expect(inDetail.length).toBeGreaterThanOrEqual(5);
  expect(inDetail.length).toBeLessThan(5 + 8);
  expect(files.reduce((sum, { units }) => sum + units, 0)).toBe(files.length + 2 * inDetail.length);
});

it.each(['as-asked', 'summary', 'cut', 'refused'] as const)(
  'svc sync stores each comment as in the list of comments (related comments: %s)',
  async (includes) => {
    const recording = await startRecording();
    try {
      const service = oddService({ ...USUAL_SERVICE, children: 'none', includes }, randomOf(3), { contacts: 1, parents: 120 });
      recording.server.fallback(service.answer);
      service.rest();
      const path = join(recording.home, `related-${includes}.sqlite`);
      for (const words of [[], ['--children']]) {
        const { code, stderr } = await recording.svc(['sync', '--to', path, ...words], { now: service.now() * 1_000 });
        expect(code, stderr).toBe(0);
        const lists = recording.sent().filter((line) => line.includes('/comments')).length;
        const comments = recordsIn(path, 'work-items.comments');
        expect(Object.fromEntries(comments)).toEqual(Object.fromEntries(service.truth('comments')));
        if (words.length === 0 && includes === 'as-asked') expect(lists).toBeLessThan(comments.size / 2);
      }
    } finally {
      await recording.remove();
    }
  },
);

it('svc sync skips parents whose relation shows no comments when the service has no counters', async () => {
  const recording = await startRecording();
  try {
    const service = oddService({ ...USUAL_SERVICE, children: 'none', counters: false }, randomOf(5), { contacts: 1, parents: 60 });
    recording.server.fallback(service.answer);
    service.rest();
    const path = join(recording.home, 'relation.sqlite');
    const { code, stderr } = await recording.svc(['sync', '--to', path], { now: service.now() * 1_000 });
    expect(code, stderr).toBe(0);
    const sent = recording.sent();
    const asked = new Set(sent.flatMap((line) => /\/work-items\/(\d+)\/comments/.exec(line)?.[1] ?? []));
    const comments = [...recordsIn(path, 'work-items.comments').values()].map((text) => JSON.parse(text) as { work_item_id: number });
    expect(asked).toEqual(new Set(comments.map(({ work_item_id }) => String(work_item_id))));
    // Three pages of 25 work items in the summary view, at four units each.
    expect(sent.filter((line) => line.includes('view=summary&include=comments'))).toHaveLength(3);
  } finally {
    await recording.remove();
  }
});

it('svc sync reads child records in the detail view when lists have fewer fields', async () => {
  await start({ topLevelChildren: false, summary: 'bare' });
  await sync('work-items');
  for (const [noun, resource] of [
    ['work-items.attachments', 'attachments'],
    ['work-items.subtasks', 'subtasks'],
  ] as const) {
    const { baseUrl, tokens } = here.sandbox;
    for (const [id, text] of stored(noun)) {
      const item = (JSON.parse(text) as { work_item_id: number }).work_item_id;
      const url = `${baseUrl}/work-items/${item}/${resource}?view=detail&per_page=100`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens[0]?.value}` } });
      const { data } = (await answer.json()) as { data: { id: number }[] };
      expect(JSON.parse(text)).toEqual(data.find((row) => row.id === id));
    }
  }
});

it('svc sync finds a changed, a new and a deleted comment of an unchanged work item', async () => {
  await start();
  await sync('work-items');
  const [changed, gone] = [...stored('work-items.comments').values()].map(
    (text) => JSON.parse(text) as { id: number; work_item_id: number },
  );
  const [item, id] = [String(changed?.work_item_id), String(changed?.id)];
  const done = async (...argv: string[]) => {
    const { code, stderr } = await here.svc(argv);
    expect(code, stderr).toBe(0);
  };
  await done('work-items', 'comments', 'update', item, id, '--body', 'Other words');
  await done('work-items', 'comments', 'delete', String(gone?.work_item_id), String(gone?.id), '--yes');
  await done('work-items', 'comments', 'create', item, '--body', 'A new one');
  await sync('work-items');
  expect(stored('work-items.comments').get(Number(id))).toContain('Other words');
  expect([...stored('work-items.comments').keys()]).toEqual(there('comments', 'work_item_id', 'work-items'));
});

it('svc sync spends one rate-limit unit on each list of unchanged child records', async () => {
  await start({ topLevelChildren: false });
  for (const words of [[], ['--children'], ['--children']]) await sync('work-items', ...words);
  // Comments and subtasks come with their work items.
  const children = here.sandbox.requests.filter(({ path }) => /\/work-items\/\d+\/(?!comments|subtasks)/.test(path));
  expect(children.length).toBeGreaterThan(0);
  expect(new Set(children.map(({ status, units }) => `${status} ${units}`))).toEqual(new Set(['304 1']));
});

it('the setting sync-exclude leaves out child records by parent and name, such as work-items.attachments', async () => {
  await start();
  await sync('work-items');
  expect((await here.svc(['config', 'set', 'sync-exclude', 'work-items.attachments work-items.subtasks'])).code).toBe(0);
  const sent = await sync();
  expect(sent.filter((line) => /attachments|subtasks/.test(line))).toEqual([]);
  for (const noun of ['work-items.attachments', 'subtasks', 'work-items.subtasks']) expect(stored(noun).size, noun).toBe(0);
  expect(stored('work-items.comments').size).toBeGreaterThan(0);
});

it('svc sync requests no child records with --no-children', async () => {
  await start({ topLevelChildren: false });
  await sync('work-items');
  expect((await sync('work-items', '--no-children')).filter((line) => line.includes('{}'))).toEqual([]);
  const other = await here.svc(['sync', '--to', join(here.home, 'without.sqlite'), 'work-items', '--no-children']);
  expect(JSON.parse(other.stdout).map(({ noun }: { noun: string }) => noun)).toEqual(['work-items']);
});

it('svc sync checks the children of each parent within 30 days', async () => {
  const recording = await startRecording();
  try {
    const service = oddService({ ...USUAL_SERVICE, children: 'none', touches: false, counters: false }, randomOf(7), {
      contacts: 1,
      parents: 80,
    });
    recording.server.fallback(service.answer);
    const path = join(recording.home, 'month.sqlite');
    const run = async () => {
      const { code, stderr } = await recording.svc(['sync', '--to', path], { now: service.now() * 1_000 });
      expect(code, stderr).toBe(0);
    };
    service.rest();
    await run();
    service.happen(110);
    for (let day = 0; day < 30; day += 3) {
      service.wait(3 * 86_400);
      await run();
    }
    for (const name of ['comments', 'subtasks'] as const)
      expect(Object.fromEntries(recordsIn(path, `work-items.${name}`))).toEqual(Object.fromEntries(service.truth(name)));
  } finally {
    await recording.remove();
  }
});

it('svc sync --children finds a comment despite an old counter, and keeps the old verification time', async () => {
  const recording = await startRecording();
  try {
    let commented = 0;
    let date = new Date('2026-11-23T08:00:00Z');
    recording.server.fallback((request, response, socket) => {
      const headers = { date: date.toUTCString() };
      const page = (data: readonly unknown[], next: string | null = null, total = data.length) =>
        json(200, { data, meta: { page: { total } }, links: { next } }, headers)(request, response, socket);
      if (request.path.endsWith('/me')) return json(200, { data: { id: 7 } }, headers)(request, response, socket);
      if (request.query.has('include'))
        return json(400, { type: 'unsupported-parameter', parameter: 'include', status: 400 }, headers)(request, response, socket);
      if (request.path.endsWith('/api/v2/'))
        return page([
          { name: 'work-items', path: '/work-items', item_path: '/work-items/{work_item}' },
          { name: 'comments', path: null, item_path: '/work-items/{work_item}/comments/{comment}' },
        ]);
      const [, item] = /\/work-items\/(\d+)\/comments$/.exec(request.path) ?? [];
      if (item !== undefined) return page(Number(item) === commented ? [{ id: 7 }] : []);
      if ([...request.query].some(([name]) => name.startsWith('filter[updated_at]'))) return page([], null, 0);
      const after = Number(request.query.get('cursor') ?? 0);
      const query = new URLSearchParams([...request.query]);
      query.set('cursor', String(after + 100));
      const rows = Array.from({ length: 100 }, (_, at) => after + at + 1).map((id) => ({
        id,
        comments_count: id === commented ? 1 : 0,
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
      }));
      page(rows, after < 300 ? `${request.path}?${query}` : null, 400);
    });
    const path = join(recording.home, 'counters.sqlite');
    const sync = async (...words: string[]) => {
      const { code, stderr } = await recording.svc(['sync', '--to', path, ...words], { now: date.getTime() });
      expect(code, stderr).toBe(0);
      return [...recordsIn(path, 'work-items.comments').keys()];
    };
    await sync();
    expect(await sync('--verify')).toEqual([]);
    // A comment of a work item on the last page. The work item does not show that it changed.
    commented = 350;
    date = new Date('2026-11-24T08:00:00Z');
    expect(await sync('--children', '--max-units', '0')).toEqual([7]);
    expect([...verifiedIn(path).values()]).toEqual(['2026-11-23T08:00:00Z', '2026-11-23T08:00:00Z']);
  } finally {
    await recording.remove();
  }
});

it('svc sync reads the children again when a parent disappears and returns', async () => {
  const recording = await startRecording();
  try {
    let parents = [1, 2, 3];
    recording.server.fallback((request, response, socket) => {
      const [, item] = /\/work-items\/(\d+)\/comments$/.exec(request.path) ?? [];
      const operations = ['GET /work-items/{work_item}/comments'];
      const entries = [
        { name: 'work-items', path: '/work-items', item_path: '/work-items/{work_item}' },
        { name: 'comments', path: null, item_path: '/work-items/{work_item}/comments/{comment}', operations },
      ];
      const rows = item !== undefined ? [{ id: 1000 + Number(item) }] : parents.map((id) => ({ id }));
      const data = request.path.endsWith('/api/v2/') ? entries : rows;
      const etag = `W/"${JSON.stringify(data).length}-${item ?? ''}"`;
      if (request.path.endsWith('/me')) return json(200, { data: { id: 7 } })(request, response, socket);
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
      json(200, { data, meta: { page: { total: data.length } }, links: { next: null } }, { etag })(request, response, socket);
    });
    const path = join(recording.home, 'again.sqlite');
    const comments = async (...words: string[]) => {
      const { code, stderr } = await recording.svc(['sync', '--to', path, ...words]);
      expect(code, stderr).toBe(0);
      return [...recordsIn(path, 'work-items.comments').keys()];
    };
    expect(await comments()).toEqual([1001, 1002, 1003]);
    expect(await comments('--children')).toEqual([1001, 1002, 1003]);
    parents = [1, 3];
    expect(await comments('--max-units', '0')).toEqual([1001, 1003]);
    parents = [1, 2, 3];
    expect(await comments('--max-units', '0')).toEqual([1001, 1002, 1003]);
  } finally {
    await recording.remove();
  }
});
