/**
 * Requests as an enemy would write them, at every route: none is answered with 500, and memory stays what it was. SVC_FUZZ says how many
 * (5,000), SVC_FUZZ_SEED where the dice begin.
 */
import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/sandbox/api/operations.ts';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { sandbox, send, tokenNamed, visiting } from './support.ts';

const COUNT = Number(process.env['SVC_FUZZ'] ?? 5_000);
const SEED = Number(process.env['SVC_FUZZ_SEED'] ?? 21);

type Dice = (faces: number) => number;

const FIELDS = [
  'minutes',
  'date',
  'name',
  'description',
  'user_id',
  'work_item_id',
  'project_id',
  'start',
  'end',
  'status',
  'unit_price',
  'workflow_status_id',
];

/** What ends neither the person nor the token that all the others are sent with. */
const LASTING = OPERATIONS.filter(({ method, path }) => method === 'GET' || !path.startsWith('/users/'));

/** mulberry32: the same numbers for the same seed. */
function diceOf(seed: number): Dice {
  let state = seed;
  return (faces) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % faces;
  };
}

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'id',
  'user_id',
  'minutes',
  'date',
  'include',
  '',
  '\u0000',
  'ü',
  'a.b',
  '[]',
];
const VALUES = [
  ...NAMES,
  ...[
    '-1',
    '0',
    '1',
    '1e999',
    '99999999999999999999',
    'NaN',
    'null',
    'true',
    '{}',
    '[',
    'ABC-12',
    '2026-02-30',
    '2026-06-15T00:00:00Z',
    'me',
  ],
  ...['../../etc/passwd', '%00', "';--", '<script>', '\ud800', '\u202e', 'x'.repeat(5_000), '1,'.repeat(3_000), 'user,user,user', 'eyJ9.'],
];
const PARAMETERS = [
  'per_page',
  'page',
  'cursor',
  'sort',
  'include',
  'view',
  'q',
  'with_total',
  'trashed',
  'user',
  'made',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
];
const OPERATORS = ['', '[gte]', '[lt]', '[in]', '[null]', '[__proto__]', '[constructor]', '[', ']]', '[][]'];
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=utf-7',
  'multipart/form-data',
  '',
];
const HEADERS = [
  'accept',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'x-request-id',
  'cookie',
  'authorization',
  'content-encoding',
  'range',
  'x-forwarded-for',
  'expect-ct',
];

/** Memory is looked at after each. */
const PARTS = 10;

const pick = <T>(dice: Dice, list: readonly T[]): T => list[dice(list.length)] as T;

interface Draft {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

function draft(dice: Dice, service: Sandbox): Draft {
  const { pathname: control } = new URL(service.controlUrl);
  const own = [
    '/',
    '/sandbox/tokens',
    '/sandbox/apps/disconnect',
    '/sandbox/start/x',
    '/projects/1',
    '/work-items/x',
    '/oauth/authorize',
    '/oauth/register',
    '/oauth/token',
    '/oauth/revoke',
    '/.well-known/oauth-authorization-server',
    `${control}/requests`,
    '/sandbox/control/x',
  ];
  const operation = pick(dice, LASTING);
  const template = dice(4) === 0 ? pick(dice, own) : `/api/v2${operation.path}`;
  const path = template.replaceAll(/\{\w+\}/g, () => (dice(3) === 0 ? encoded(pick(dice, VALUES)) : '1'));
  const query = Array.from({ length: Math.max(0, dice(5) - 2) }, () => {
    const name = dice(2) === 0 ? pick(dice, PARAMETERS) : `filter[${pick(dice, NAMES)}]${pick(dice, OPERATORS)}`;
    return `${dice(3) === 0 ? name.replaceAll(/[^!-~]/g, '') : encoded(name)}=${dice(8) === 0 ? '%E0%A4' : encoded(pick(dice, VALUES))}`;
  });
  const method = dice(3) === 0 ? pick(dice, ['GET', 'POST', 'PUT', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']) : operation.method;
  const headers: Record<string, string> = {
    authorization: `Bearer ${tokenNamed(service, 'full')}`,
    ...visiting(service),
    'content-type': dice(3) === 0 ? pick(dice, TYPES) : 'application/json',
  };
  for (let more = Math.max(0, dice(4) - 2); more > 0; more--) headers[pick(dice, HEADERS)] = pick(dice, VALUES).replaceAll(/[^ -~]/g, '?');
  return { method, path: query.length === 0 ? path : `${path}?${query.join('&')}`, headers, body: body(dice) };
}

function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll('\ud800', '?'));
}

function body(dice: Dice): string | Buffer {
  switch (dice(9)) {
    case 0:
      return '';
    case 1:
      return `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    case 2:
      return `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    case 3:
      return Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0xc3, 0x28]);
    case 4:
      return 'x'.repeat(dice(2_000_000));
    case 5:
      return Array.from({ length: dice(5) }, () => `${encoded(pick(dice, PARAMETERS))}=${encoded(pick(dice, VALUES))}`).join('&');
    case 6:
      return '{"__proto__":{"x":1},"constructor":{"prototype":1}}';
    default:
      return JSON.stringify(
        Object.fromEntries(Array.from({ length: dice(6) }, () => [dice(2) === 0 ? pick(dice, FIELDS) : pick(dice, NAMES), value(dice, 3)])),
      );
  }
}

function value(dice: Dice, depth: number): unknown {
  const kind = dice(depth > 0 ? 7 : 5);
  if (kind === 0) return pick(dice, [0, -1, 1.5, 1e308, 2 ** 53]);
  if (kind === 1) return pick(dice, [null, true, false]);
  if (kind < 5) return pick(dice, VALUES);
  if (kind === 5) return Array.from({ length: dice(4) }, () => value(dice, depth - 1));
  return Object.fromEntries(Array.from({ length: dice(4) }, () => [pick(dice, NAMES), value(dice, depth - 1)]));
}

/** The status, and the beginning of the answer; 0 where the connection was ended, as for what is no HTTP. */
function exchange(service: Sandbox, agent: Agent, { method, path, headers, body: sent }: Draft): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const url = new URL(service.origin);
    const asked = request({ host: url.hostname, port: url.port, method, path, headers, agent }, (answer) => {
      let text = '';
      answer.on('data', (piece) => {
        if (text.length < 500) text += String(piece);
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', () => resolve({ status: 0, text }));
    });
    asked.on('error', () => resolve({ status: 0, text: '' }));
    asked.end(method === 'GET' || method === 'HEAD' ? undefined : sent);
  });
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes in use once all that can go is gone. */
function memory(): number {
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + external + arrayBuffers) / 2 ** 20;
}

test(`${COUNT} hostile requests cause no status of 500 or more, and memory grows by less than 12 MB (seed ${SEED})`, async () => {
  const service = await sandbox({ limits: 'off' });
  const dice = diceOf(SEED);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const failed: unknown[] = [];
  const statuses = new Map<number, number>();
  const run = async (count: number) => {
    for (let sent = 0; sent < count; sent += 8) {
      const drafts = Array.from({ length: 8 }, () => draft(dice, service));
      const answers = await Promise.all(drafts.map((each) => exchange(service, agent, each)));
      for (const [at, { status, text }] of answers.entries()) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const { method, path } = drafts[at] as Draft;
        if (status >= 500) failed.push({ status, method, path: path.slice(0, 200), text: text.slice(0, 300) });
      }
    }
  };
  const used: number[] = [];
  for (let part = 0; part < PARTS; part++) {
    await run(Math.ceil(COUNT / PARTS));
    service.requests.length = 0;
    used.push(memory());
  }
  agent.destroy();
  const counted = Object.fromEntries([...statuses].sort(([one], [other]) => one - other));
  process.stdout.write(
    `statuses ${JSON.stringify(counted)}; MB in use after each part: ${used.map((size) => size.toFixed(0)).join(', ')}\n`,
  );
  expect(failed).toEqual([]);
  expect((await send(service, '/me')).status).toBe(200);
  // What is compiled and kept comes in the first parts.
  const [half = 0] = used.slice(PARTS / 2 - 1);
  expect(Math.min(...used.slice(-3)) - half).toBeLessThan(12);
});
