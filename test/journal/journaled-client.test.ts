import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InterruptedError, NetworkError } from '../../src/errors.ts';
import {
  bytesOf,
  type FailedWrite,
  type JournaledClient,
  type JournaledRequest,
  journaledClient,
  resendRequest,
} from '../../src/journal/journaled-client.ts';
import type { Journal } from '../../src/journal/open-journal.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { watchAttempts } from '../../src/journal/write-outcome.ts';
import { createNetwork } from '../../src/system/network.ts';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { type Answer, drop, json, truncate } from '../support/http-server.ts';
import { aWrite } from './fixtures/entries.ts';
import { onFullDisk } from './fixtures/full-disk.ts';

let directory: string;
let api: ApiFixture;
let journal: Journal | undefined;
let opened: number;
let said: string[];
let failures: FailedWrite[];
let client: JournaledClient;
/** What the next exchanges do instead of reaching the service. */
let instead: (() => Promise<never>)[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-journal-'));
  opened = 0;
  said = [];
  failures = [];
  instead = [];
  const real = createNetwork({ env: {} });
  const attempts = watchAttempts({ request: (request) => instead.shift()?.() ?? real.request(request) });
  api = await startApi({ network: attempts.network });
  client = journaledClient(api.client, {
    journal: theJournal,
    attempts,
    command: ['worklogs', 'add', '--minutes', '90'],
    notice: async (line) => void said.push(line),
    explain: (failed) => {
      failures.push(failed);
      return failed.error;
    },
  });
  const closeApi = api.close;
  Object.assign(api, { close: () => Promise.all([real.close(), closeApi()]) });
});
afterEach(async () => {
  journal?.close();
  journal = undefined;
  await api.close();
  await rm(directory, { recursive: true });
});

const path = () => join(directory, 'journal', 'acme.sqlite');

async function theJournal(): Promise<Journal> {
  opened += 1;
  journal ??= await openJournal(path(), { clock: api.clock, onSetAside: (line) => said.push(line) });
  return journal;
}

const create: JournaledRequest = {
  method: 'post',
  path: '/api/v2/worklogs',
  query: [['view', 'detail']],
  body: { json: { date: '2026-01-15', minutes: 90 } },
  note: { noun: 'worklogs' },
};

const newest = async () => (await (await theJournal()).history())[0];
const noByte = () => Promise.reject(new NetworkError('No way there.', { ran: 'no', kind: 'refused', hint: '' }));

test('svc does not open the journal for a read', async () => {
  await client.send({ method: 'GET', path: '/me' });
  await client.send({ method: 'HEAD', path: '/me' });
  await client.resolve();
  expect(opened).toBe(0);
});

test('svc stores a write on the disk, exactly as sent, before the first byte leaves', async () => {
  let seen: unknown;
  const look = async () => {
    const other = await openJournal(path(), { clock: api.clock, onSetAside: () => undefined });
    seen = await other.history();
    other.close();
    return noByte();
  };
  instead = [look];
  api.server.script(json(201, { id: 5902 }, { etag: '"e1"' }));
  await client.send({ ...create, ifMatch: '"e0"' });
  const [sent] = api.server.requests;
  expect(sent?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: '/worklogs?view=detail',
      body: new Uint8Array(Buffer.from(sent?.body ?? '')),
      key: sent?.headers['idempotency-key'],
      etagSeen: '"e0"',
      command: ['worklogs', 'add', '--minutes', '90'],
      noun: 'worklogs',
      outcome: 'sent',
    },
  ]);
});

test('svc records an answered write as done only when the command resolves the write', async () => {
  api.server.script(json(201, { data: { id: 5902 } }, { etag: '"e1"' }));
  await client.send(create);
  expect(await newest()).toMatchObject({ outcome: 'sent' });
  await client.resolve();
  expect(await newest()).toMatchObject({ outcome: 'done', status: 201, recordId: '5902', etagLeft: '"e1"' });
  await client.resolve();
});

test.each([
  ['a delete without a body', 'DELETE', '/worklogs/5902', (_: unknown, response) => void response.writeHead(204).end(), '5902'],
  ['a delete of a child record', 'DELETE', '/work-items/ABC-1/comments/7', json(200, {}), '7'],
  ['an action whose answer has no record', 'POST', '/sprints/12/actions/complete', json(200, {}), '12'],
  ['a create whose answer has no record', 'POST', '/worklogs', json(201, {}), undefined],
] satisfies [string, string, string, Answer, string | undefined][])(
  'svc finds the record id, if any, of %s',
  async (_name, method, where, answer, id) => {
    api.server.script(answer);
    await client.send({ method, path: where });
    await client.resolve();
    expect(await newest()).toMatchObject({ outcome: 'done' });
    expect((await newest())?.recordId).toBe(id);
  },
);

describe('the entry after a failure', () => {
  const many = (answer: Answer): Answer[] => Array.from({ length: 5 }, () => answer);
  test.each<[string, Answer[], Partial<JournaledRequest>, string, number | undefined]>([
    ['refused input', [json(422, {})], {}, 'refused', 422],
    ['a conflict', [json(412, {})], { ifMatch: '"old"' }, 'refused', 412],
    ['a missing permission', [json(403, {})], {}, 'refused', 403],
    ['a rate limit beyond the longest wait', [json(429, {}, { 'retry-after': '9999' })], {}, 'dropped', undefined],
    ['repeated failures of the service', many(json(503, {})), {}, 'unknown', 503],
    ['dropped connections', many(drop), {}, 'unknown', undefined],
    ['truncated answers', many(truncate), {}, 'unknown', undefined],
    ['a page instead of a record', [page], {}, 'unknown', 200],
    ['a lost answer, then a refusal of the same request', [drop, json(422, {})], {}, 'refused', 422],
    ['a lost answer, then a missing permission', [drop, json(403, {})], {}, 'unknown', 403],
    ['a lost answer, then a rate limit', [drop, json(429, {}, { 'retry-after': '9999' })], {}, 'unknown', 429],
    ['a PATCH with a lost answer', [drop], { method: 'PATCH', path: '/worklogs/1' }, 'unknown', undefined],
    ['a refusal by svc itself', [], { path: 'https://evil.example/', note: { keepOffline: true } }, 'dropped', undefined],
    ['an address on another host', [], { path: 'https://evil.example/api/v2/worklogs' }, 'dropped', undefined],
  ])('records, after %s, whether the write is refused, dropped or unconfirmed', async (_name, answers, given, outcome, status) => {
    api.server.script(...answers);
    const sent = client.send({ ...create, ...given });
    await sent.then(
      () => undefined,
      () => undefined,
    );
    await client.resolve();
    const entry = await newest();
    expect(entry).toMatchObject({ outcome });
    expect(entry?.status).toBe(status);
  });

  test('is dropped without a connection, or waits if the outbox keeps offline writes', async () => {
    instead = Array.from({ length: 10 }, () => noByte);
    await expect(client.send(create)).rejects.toThrow('No way there.');
    expect(await newest()).toMatchObject({ outcome: 'dropped' });
    await expect(client.send({ ...create, note: { keepOffline: true } })).rejects.toThrow('No way there.');
    expect(await newest()).toMatchObject({ outcome: 'waiting', sentAt: undefined });
  });

  test('stays unconfirmed after a lost answer and then no connection', async () => {
    api.server.script(drop);
    const lost = () => Promise.reject(new NetworkError('Gone.', { ran: 'maybe', kind: 'reset', hint: '' }));
    instead = [lost, noByte, noByte, noByte, noByte];
    await expect(client.send({ ...create, note: { keepOffline: true } })).rejects.toThrow('No way there.');
    const entry = await newest();
    expect(entry).toMatchObject({ outcome: 'unknown' });
    expect(failures).toEqual([
      { error: expect.any(NetworkError), entry: entry?.number, isKeyed: true, isStored: true, key: entry?.key, outcome: 'unknown' },
    ]);
  });

  test('stays unconfirmed after a DELETE with a lost answer and then no connection', async () => {
    const lost = () => Promise.reject(new NetworkError('Gone.', { ran: 'maybe', kind: 'reset', hint: '' }));
    instead = [lost, noByte, noByte, noByte, noByte];
    await expect(client.send({ method: 'DELETE', path: '/worklogs/7' })).rejects.toThrow('No way there.');
    expect(await newest()).toMatchObject({ outcome: 'unknown' });
  });

  test('stays unconfirmed after an interrupt', async () => {
    const controller = new AbortController();
    api.server.script(() => controller.abort(new InterruptedError('Interrupted.', { hint: '' })));
    await expect(client.send({ ...create, signal: controller.signal })).rejects.toThrow('Interrupted.');
    expect(await newest()).toMatchObject({ outcome: 'unknown' });
  });

  test('is refused after a 422, even if the caller accepts the 422 as an answer', async () => {
    api.server.script(json(422, {}));
    await client.send({ ...create, keepProblem: true });
    await client.resolve();
    expect(await newest()).toMatchObject({ outcome: 'refused', status: 422 });
  });
});

describe('an entry to send again', () => {
  test('is sent with the same bytes, key and ETag, and is resolved', async () => {
    const number = await (await theJournal()).begin(
      aWrite({ key: 'old-key', etagSeen: '"e0"', body: Buffer.from('{ "minutes": 9.0 }') }),
      'waiting',
    );
    api.server.script(json(201, { id: 1 }));
    const entry = await (await theJournal()).entry(number);
    if (entry === undefined) throw new Error('There is no entry.');
    await client.send(resendRequest(entry));
    await client.resolve();
    expect(api.server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/v2/worklogs',
        body: '{ "minutes": 9.0 }',
        headers: { 'idempotency-key': 'old-key', 'if-match': '"e0"' },
      },
    ]);
    expect(await (await theJournal()).history()).toMatchObject([{ number, outcome: 'done', recordId: '1' }]);
  });

  test('stays unconfirmed without a connection after a lost first answer', async () => {
    const number = await lostEntry();
    instead = Array.from({ length: 5 }, () => noByte);
    await expect(client.send({ ...create, idempotencyKey: 'lost', note: { entry: number } })).rejects.toThrow('No way there.');
    expect(await newest()).toMatchObject({ number, outcome: 'unknown' });
  });

  test('stays waiting without a connection, and after a 429', async () => {
    const number = await (await theJournal()).begin(aWrite({ key: 'waits' }), 'waiting');
    instead = Array.from({ length: 5 }, () => noByte);
    await expect(client.send({ ...create, idempotencyKey: 'waits', note: { entry: number } })).rejects.toThrow();
    expect(await newest()).toMatchObject({ number, outcome: 'waiting' });
    api.server.script(json(429, {}, { 'retry-after': '9999' }));
    await expect(client.send({ ...create, idempotencyKey: 'waits', note: { entry: number } })).rejects.toThrow();
    expect(await newest()).toMatchObject({ number, outcome: 'waiting' });
  });

  test('is not sent when another svc has resolved the entry', async () => {
    const number = await lostEntry();
    await (await theJournal()).resolve(number, { outcome: 'done', status: 201 });
    await expect(client.send({ ...create, note: { entry: number } })).rejects.toMatchObject({ name: 'ConflictError' });
    expect(api.server.requests).toEqual([]);
  });

  test('is refused if the journal did not store its large body', async () => {
    const number = await (await theJournal()).begin(aWrite({ bodyWithheld: true }), 'waiting');
    const entry = await (await theJournal()).entry(number);
    if (entry === undefined) throw new Error('There is no entry.');
    expect(() => resendRequest(entry)).toThrow('The journal does not store a body');
  });

  test('is not sent when svc cannot write the journal', async () => {
    const number = await (await theJournal()).begin(aWrite({ key: 'waits' }), 'waiting');
    const entry = await (await theJournal()).entry(number);
    if (entry === undefined) throw new Error('There is no entry.');
    const other = new DatabaseSync(path());
    other.exec('BEGIN EXCLUSIVE');
    await expect(client.send(resendRequest(entry))).rejects.toMatchObject({ name: 'JournalError', fault: 'locked' });
    other.close();
    expect(api.server.requests).toEqual([]);
    expect(await newest()).toMatchObject({ number, outcome: 'waiting' });
  });

  async function lostEntry(): Promise<number> {
    const number = await (await theJournal()).begin(aWrite({ key: 'lost' }));
    await (await theJournal()).resolve(number, { outcome: 'unknown' });
    return number;
  }
});

test('svc sends a write without a journal too, and reports the missing journal once', async () => {
  await writeFile(join(directory, 'journal'), 'in the way');
  api.server.fallback(json(201, { id: 1 }));
  expect((await client.send(create)).status).toBe(201);
  expect((await client.send(create)).status).toBe(201);
  await client.resolve();
  expect(said).toEqual([expect.stringMatching(/^svc cannot use the journal .* svc cannot list or undo your writes from now on\./)]);
});

test.each([
  [201, 'although the service completed the write. To resolve: svc outbox send'],
  [422, 'although the service did nothing. To send again: svc outbox send. To drop the entry: svc outbox drop 1'],
  [401, 'although the service did nothing. To send again: svc outbox send. To drop the entry: svc outbox drop 1'],
])('svc reports an entry as open when svc cannot record the outcome of the status %i', async (status, meaning) => {
  await theJournal();
  const other = new DatabaseSync(path());
  api.server.fallback((...exchange) => {
    if (!other.isTransaction) other.exec('BEGIN IMMEDIATE');
    return json(status, { id: 1 })(...exchange);
  });
  await client.send(create).catch(() => undefined);
  await client.resolve();
  other.close();
  expect(said).toEqual([expect.stringMatching(/^Another program uses the journal .* So entry 1 stays open, /)]);
  expect(said[0]).toContain(meaning);
  expect(await newest()).toMatchObject({ number: 1, outcome: 'sent' });
});

describe('a journal on a full disk', () => {
  const change = (minutes: number): JournaledRequest => ({ method: 'PATCH', path: '/api/v2/worklogs/7', body: { json: { minutes } } });

  test('does not stop a change, which then has no entry', async () => {
    await theJournal();
    await onFullDisk(() => client.send(change(45)));
    expect(api.server.requests).toHaveLength(1);
    expect(said).toEqual([expect.stringContaining('cannot list or undo')]);
    expect(await newest()).toBeUndefined();
  });

  test.each(['unknown', 'waiting'] as const)('stops a change of the fields that an open entry changes (%s)', async (outcome) => {
    const open = await (await theJournal()).begin(aWrite({ method: 'PATCH', path: '/worklogs/7?view=detail' }));
    await (await theJournal()).resolve(open, { outcome });
    await expect(onFullDisk(() => client.send(change(45)))).rejects.toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining(`Entry ${open} of the journal is open and changes the same fields of this record`),
    });
    expect(api.server.requests).toEqual([]);
    await onFullDisk(() => client.send({ ...change(45), path: '/api/v2/worklogs/77' }));
    expect(api.server.requests).toHaveLength(1);
  });

  test('does not stop a change when the open entry changes other fields', async () => {
    const open = await (await theJournal()).begin(
      aWrite({ method: 'PATCH', path: '/worklogs/7', body: Buffer.from('{"description":"x"}') }),
    );
    await (await theJournal()).resolve(open, { outcome: 'unknown' });
    await onFullDisk(() => client.send(change(45)));
    expect(api.server.requests).toHaveLength(1);
  });

  test('does not stop a repeat of the open change', async () => {
    const { body } = change(45);
    const open = await (await theJournal()).begin(aWrite({ method: 'PATCH', path: '/worklogs/7', body: bytesOf(body) }));
    await (await theJournal()).resolve(open, { outcome: 'unknown' });
    await onFullDisk(() => client.send(change(45)));
    expect(api.server.requests).toHaveLength(1);
  });
});

test('the journal stores no upload and no oversized body', async () => {
  api.server.fallback(json(201, { id: 1 }));
  await client.send({ ...create, body: { raw: 'x'.repeat(1024 * 1024 + 1) } });
  expect(await newest()).toMatchObject({ body: undefined, bodyWithheld: true });
  await client.send({ ...create, body: { raw: new Uint8Array([1, 2]) }, upload: true });
  expect(await newest()).toMatchObject({ body: undefined, bodyWithheld: true });
  await client.send({ ...create, body: { raw: 'x'.repeat(1024 * 1024) } });
  expect(await newest()).toMatchObject({ bodyWithheld: false });
});

test('the journal records a key or an ETag that the caller gave as a header', async () => {
  api.server.script(json(201, { id: 1 }));
  await client.send({ ...create, headers: { 'Idempotency-Key': 'mine', 'IF-MATCH': '"h"' } });
  expect(api.server.requests[0]?.headers).toMatchObject({ 'idempotency-key': 'mine', 'if-match': '"h"' });
  expect(await newest()).toMatchObject({ key: 'mine', etagSeen: '"h"' });
});

test('svc writes no token and no value of an unknown header to the journal’s files', async () => {
  api.server.script(json(401, {}), json(201, { id: 1 }));
  await client.send({ ...create, headers: { 'X-Key': 'h-secret' } });
  await client.resolve();
  expect(api.server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first-secret', 'Bearer second-secret']);
  for (const name of await readdir(join(directory, 'journal'))) {
    expect([name, (await readFile(join(directory, 'journal', name))).includes('secret')]).toEqual([name, false]);
  }
  expect((await readFile(`${path()}-wal`)).includes('2026-01-15')).toBe(true);
});

function page(_request: unknown, response: Parameters<Answer>[1]): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the train</h1>');
}
