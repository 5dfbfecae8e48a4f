import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import { sent } from '../support/sent.ts';
import { createMachine, signedIn } from '../support/svc.ts';

// That a filter takes the word `me` is documented for one alone; everywhere else svc sends the id of its user.

const TODAY = Date.parse('2026-06-05T10:00:00Z');

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['week', ['week']],
  ['report', ['report', '--user', 'me', '--from', '2026-06-01', '--to', '2026-06-05']],
  ['add --like last', ['worklogs', 'add', '--like', 'last', '--yes']],
  ['add with a natural-language entry', ['worklogs', 'add', '30m', 'Review', '--yes']],
  ['suggest', ['worklogs', 'suggest', '--git', '2026-06-05']],
  ['a list of hours', ['worklogs', 'list', '--user', 'me', '--date', '2026-06-05']],
  ['a list of timers', ['timers', 'list', '--user', 'me']],
  ['a list of work items', ['work-items', 'list', '--assignee', 'me', '--limit', '1']],
  ['a list of users in a filter', ['worklogs', 'list', '--filter', 'user_id.in=me,2', '--date', '2026-06-05']],
  ['absences by manager', ['absences', 'list', '--manager', 'me']],
  ['absences of several users', ['absences', 'list', '--filter', 'user_id.in=me,2']],
];

describe.each(['a browser sign-in', 'SVC_TOKEN'] as const)('a command with %s', (how) => {
  let svc: (argv: readonly string[]) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  let requests: () => string[];
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const interpretations: Partial<Interpretations> = { me: 'documented', timerEnds: 'action' };
    const here = await signedIn({ clock: { now: () => TODAY }, limits: 'off', interpretations });
    const other = how === 'a browser sign-in' ? here : await createMachine();
    const env = how === 'a browser sign-in' ? {} : { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
    execFileSync('git', ['init', '-q', other.home]);
    execFileSync('git', ['-C', other.home, 'config', 'user.email', 'sanne@example.com']);
    svc = (argv) => other.svc(argv, { env, now: TODAY, cwd: other.home });
    requests = () => sent({ requests: here.sandbox.requests.splice(0) }).map((line) => line.replace('/api/v2', ''));
    remove = async () => {
      await here.remove();
      await other.remove();
    };
  });
  afterAll(() => remove());
  beforeEach(() => void requests());

  it.each(COMMANDS)('(%s) sends the word me only in a filter of absences by user (rules 9.26, 18.25)', async (_, argv) => {
    const { code, stderr } = await svc(argv);
    expect(code, stderr).toBe(0);
    const me = requests().filter((line) => /=me\b|=(?:[^&]*,)?me(?:[,&]|$)/.test(line));
    for (const line of me) expect(line).toMatch(/^GET \/absences\?(?:[^&]*&)*filter\[user_id\]=me(?:&|$)/);
  });

  it('(timers stop) requests your timers by your user id (rule 18.25)', async () => {
    expect(await svc(['timers', 'create', '--project', '1'])).toMatchObject({ code: 0 });
    requests();
    const { code, stderr } = await svc(['timers', 'stop']);
    // Several may run.
    expect([0, 2], stderr).toContain(code);
    expect(requests()).toContain('GET /timers?filter[user_id]=1&view=detail&include=project,work_item&per_page=100');
  });

  it('(absences list --user me) sends the word me, and no request for your user id (rule 9.26)', async () => {
    expect(await svc(['absences', 'list', '--user', 'me'])).toMatchObject({ code: 0 });
    expect(requests()).toEqual(['GET /absences?filter[user_id]=me&per_page=100']);
  });

  it('(absences list --manager me) sends your user id (rules 9.23, 9.26)', async () => {
    await svc(['absences', 'list', '--manager', 'me']);
    expect(requests()).toEqual(['GET /absences?filter[manager_id]=1&per_page=100']);
  });
});

it('svc reads the owner of SVC_TOKEN first when the owner is unknown (rule 9.10)', async () => {
  const here = await signedIn({ limits: 'off' });
  const other = await createMachine();
  const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[3]?.value ?? '' };
  await other.svc(['absences', 'list', '--manager', 'me'], { env });
  expect(sent(here.sandbox).map((line) => line.replace('/api/v2', ''))).toEqual([
    'GET /me',
    'GET /absences?filter[manager_id]=2&per_page=100',
  ]);
  await other.remove();
  await here.remove();
});
