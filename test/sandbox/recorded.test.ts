import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoggedRequest, parseFault, type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Answer, problem, type Sending, send, tokenNamed } from './support.ts';

// A session of requests, its answers recorded; then held against the tables of docs/service-rules.md, whose numbers, names and values are
// read from the page and nowhere repeated here. Who changes a row changes what is expected of the sandbox.

const RULES = new Map(
  [
    ...readFileSync(new URL('../../docs/service-rules.md', import.meta.url), 'utf8').matchAll(
      /^\| (\d+\.\d+) \| (.*?) \| [^|]* \| [^|]* \|$/gm,
    ),
  ].map(([, number = '', text = '']) => [number, text] as const),
);

function rule(number: string): string {
  const text = RULES.get(number);
  if (text === undefined) throw new Error(`There is no rule ${number}.`);
  return text;
}

/** What stands in code in a row. */
function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The number that a row is about: `adds 2`, `costs exactly 1`, `costs nothing`. */
function costIn(number: string): number {
  const [, units] = /(?:is|adds|costs(?: exactly)?) (nothing|\d+)/.exec(rule(number).replace('always ', '')) ?? [];
  if (units === undefined) throw new Error(`Rule ${number} names no cost.`);
  return units === 'nothing' ? 0 : Number(units);
}

/** A request of the session, with the rows that say what it costs: their sum. */
type Step = readonly [method: string, path: string, costs: readonly string[], sending?: Sending];

const json = { 'content-type': 'application/json' };
const post = (body: unknown, headers: Record<string, string> = {}): Sending => ({ body, headers });
const HOURS = { date: '2026-06-15', minutes: 30 };

const SESSION: readonly Step[] = [
  ['GET', '/me', ['15.16']],
  ['GET', '/', ['15.16']],
  ['GET', '/labels', ['15.16']],
  ['GET', '/work-types', ['15.16']],
  ['GET', '/worklogs?per_page=2', ['15.16']],
  ['GET', '/worklogs?per_page=2&view=detail', ['15.17']],
  ['GET', '/worklogs/1?view=detail', ['15.16']],
  ['GET', '/worklogs?per_page=1&include=project,user', ['15.16', '15.19', '15.19']],
  ['GET', '/work-items?per_page=1&include=comments', ['15.16', '15.20']],
  ['GET', '/work-items?per_page=1&include=comments,project&view=detail', ['15.17', '15.20', '15.19']],
  ['GET', '/work-items?per_page=1&q=undo', ['15.16', '15.21']],
  ['GET', '/worklogs?per_page=1&with_total=1', ['15.16', '15.22']],
  ['POST', '/worklogs', ['15.16'], post(HOURS, { 'idempotency-key': 'recorded' })],
  ['POST', '/worklogs', ['15.26'], post(HOURS, { 'idempotency-key': 'recorded' })],
  ['PATCH', '/worklogs/1', ['15.16'], post({ minutes: 45 })],
  ['DELETE', '/worklogs/2', ['15.23']],
  ['GET', '/labels', ['15.25'], { headers: { 'if-none-match': '*' } }],
  ['GET', '/worklogs?per_page=1000', ['15.27']],
  ['GET', '/worklogs?filter[nothing]=1', ['15.27']],
  ['GET', '/worklogs?cursor=nonsense', ['15.27']],
  ['GET', '/absences?filter[start][gte]=2026-06-15', ['15.27']],
  ['POST', '/worklogs', ['15.27'], post('{', json)],
  ['POST', '/worklogs', ['15.27'], post({ ...HOURS, nothing: 1 })],
  ['POST', '/worklogs', ['15.27'], post({ ...HOURS, date: '15-06-2026' })],
  ['PATCH', '/projects/1', ['15.27'], post({ status: 'on_hold' })],
  ['GET', '/absences?page=1&cursor=nonsense', ['15.27']],
  ['POST', '/worklogs', ['15.27'], { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['GET', '/worklogs', ['15.27'], { headers: { accept: 'application/xml' } }],
  ['GET', '/worklogs/999999', ['15.27']],
  ['POST', '/work-items/12/actions/transition', ['15.27'], post({ workflow_status_id: 999999 })],
  ['POST', '/work-items/12/actions/transition', ['15.27'], post({ workflow_status_id: 5 })],
  ['PATCH', '/worklogs/1', ['15.27'], post({ minutes: 50 }, { 'if-match': '"stale"' })],
  ['GET', '/nosuch', ['15.29']],
  ['PUT', '/worklogs/1', ['15.29']],
  ['GET', '/worklogs', ['15.30'], { token: 'nonsense' }],
  ['PATCH', '/worklogs/1', ['15.27'], { ...post({ minutes: 50 }), token: 'read-only' }],
  ['POST', '/projects', ['15.27'], { ...post({ name: 'New' }), token: 'employee' }],
];

interface Recorded {
  readonly step: Step;
  readonly answer: Answer;
  readonly logged: LoggedRequest;
}

let service: Sandbox;
let recorded: readonly Recorded[];
/** Faults are answered whatever is asked, and cost nothing that a row would say. */
let failed: readonly Answer[];
beforeAll(async () => {
  service = await startSandbox({ clock: { now: () => Date.UTC(2026, 5, 15, 12) } });
  const all: Recorded[] = [];
  for (const step of SESSION) {
    const [method, path, , { token, ...sending } = {}] = step;
    const known = service.tokens.some(({ name }) => name === token);
    const answer = await send(service, path, { method, ...sending, ...(token && { token: known ? tokenNamed(service, token) : token }) });
    const logged = service.requests.at(-1);
    if (logged === undefined) throw new Error('Nothing was logged.');
    all.push({ step, answer, logged: { ...logged } });
  }
  recorded = all;
  // The transition is the one operation that may require a key.
  service.interpretations.idempotencyKey = 'required';
  const keyless = await send(service, '/worklogs', { method: 'POST', body: HOURS });
  service.setFaults([parseFault('500'), parseFault('503 retry-after=3')]);
  const broken = [await send(service, '/me'), await send(service, '/me')];
  const tight = await startSandbox({ clock: { now: () => Date.UTC(2026, 5, 15, 12) } });
  let refused = await send(tight, '/me');
  while (refused.status === 200) refused = await send(tight, '/worklogs?view=detail&include=project,user,work_item,budget&per_page=1');
  failed = [keyless, ...broken, refused];
  await tight.close();
});
afterAll(() => service.close());

const everything = () => [...recorded.map(({ answer }) => answer), ...failed];
const problems = () => everything().filter(({ status }) => status >= 400);

describe('the recorded answers of a session', () => {
  it('match the documentation in their cost (rules 15.15 to 15.17, 15.19 to 15.23 and 15.25 to 15.30)', () => {
    expect(rule('15.15')).toContain('base + include paths + search + total');
    const costs = recorded.map(({ step: [method, path], logged, answer }) => `${method} ${path} → ${answer.status}: ${logged.units}`);
    expect(costs).toEqual(
      recorded.map(({ step: [method, path, rows], answer }) => {
        const units = rows.reduce((sum, number) => sum + costIn(number), 0);
        return `${method} ${path} → ${answer.status}: ${units}`;
      }),
    );
  });

  it('match the documentation in the headers of every answer (rules 7.8, 7.9, 15.32 and 15.35)', () => {
    for (const number of ['7.8', '7.9', '15.32', '15.35']) {
      expect(rule(number)).toContain('on every response');
      const [name = '', ...values] = (codeIn(rule(number))[0] ?? '').split(': ');
      const pattern = new RegExp(`^${values.join(': ').replace(/<\w+>/g, '\\d+')}$`);
      for (const { headers } of everything()) expect(headers.get(name), `${name} (${number})`).toMatch(pattern);
    }
  });

  it('match the documentation in their cache headers (rules 7.1 to 7.3)', () => {
    const [usual, configuration, discovery] = ['7.1', '7.2', '7.3'].map((number) => codeIn(rule(number))[1]);
    for (const {
      step: [method, path],
      answer,
    } of recorded) {
      const reads = method === 'GET' && answer.status < 400;
      const wanted = reads && path === '/' ? discovery : reads && /^\/(labels|work-types)$/.test(path) ? configuration : usual;
      expect(answer.headers.get('cache-control'), `${method} ${path}`).toBe(wanted);
    }
  });

  it('match the documentation in the members of problems (rules 14.1 to 14.6, 14.8 and 14.10)', () => {
    const members = ['14.1', '14.2', '14.3', '14.4', '14.5', '14.6'].map((number) => codeIn(rule(number))[0] ?? '');
    for (const { body, status } of problems()) {
      expect(Object.keys(body)).toEqual(expect.arrayContaining(members));
      expect(body.status).toBe(status);
    }
    const limited = problems().find(({ status }) => status === 429);
    const [, member = '', ...inner] = codeIn(rule('14.10'));
    expect(Object.keys(limited?.body[member]).sort()).toEqual(inner.sort());
  });

  it('include every documented code, and name the parameter or key of each code (rules 14.7 and 14.8)', () => {
    const [, ...known] = codeIn(rule('14.7'));
    const said = problems().map(problem);
    expect(new Set(said.flatMap(({ code = [] }) => code))).toEqual(new Set([...said.flatMap(({ code = [] }) => code), ...known]));
    expect(said.filter(({ code, at }) => code !== undefined && at === undefined)).toEqual([]);
  });

  it('match the documentation in their statuses and types (rules 14.12 to 14.27, 14.30 and 14.31)', () => {
    const rows = [...Array(16).keys()].map((index) => `14.${index + 12}`).concat('14.30', '14.31');
    const listed = rows.map((number) => codeIn(rule(number))[0] ?? '');
    const named = new Set(listed.filter((entry) => entry.includes(' ')));
    const seen = new Set(
      problems().map((answer) => {
        const { status, type } = problem(answer);
        return named.has(`${status} ${type}`) ? `${status} ${type}` : String(status);
      }),
    );
    // A record that is not there: which type its 404 has is an open question of chapter 18.
    expect([...seen].filter((entry) => entry !== '404').sort()).toEqual([...new Set(listed)].sort());
  });
});
