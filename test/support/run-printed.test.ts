import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hintsIn } from './printed-commands.ts';
import { runHints, type SignedIn, signedIn } from './svc.ts';

describe('the search for commands in the output of svc', () => {
  it.each([
    ['To undo it: svc undo. To change it: svc worklogs edit 5', ['svc undo', 'svc worklogs edit 5']],
    ['Choose one: svc open work-item 12, or svc open project 12', ['svc open work-item 12', 'svc open project 12']],
    ['Run "svc doctor"; it sees more.', ['svc doctor']],
    ["  svc worklogs add 1h 'Two. Words' --date monday  │ Mon", ["svc worklogs add 1h 'Two. Words' --date monday"]],
    ['{"message":"No.","hint":"See: svc history","exit_code":1,"resume":"svc apply x"}', ['svc history', 'svc apply x']],
    ['Here svc sync reads rows. svc: There is no record: svc history', []],
    ['Undone: svc worklogs add 1h (entry 7).', []],
  ])('finds in %j the commands %j', (line, commands) => {
    expect(hintsIn('', line.replace('Here svc sync reads rows. ', ''), false).map(({ command }) => command)).toEqual(commands);
  });

  it('includes the members of JSON that name the next step', () => {
    const stdout = '[{"check":"Token","what_to_do":"svc token set"},{"name":"Run: svc history"}]';
    expect(hintsIn(stdout, '', false).map(({ command }) => command)).toEqual(['svc token set']);
  });
});

describe('a hint', () => {
  let here: SignedIn;
  let id: number;
  let sent: SignedIn['sandbox']['requests'];
  let report: string;
  beforeAll(async () => {
    here = await signedIn({ limits: 'off' });
    report = join(here.home, '..', `${here.host.replace(':', '-')}.ndjson`);
    await here.svc(['labels', 'create', '--name', 'first']);
    here.sandbox.requests.length = 0;
    id = JSON.parse((await here.svc(['worklogs', 'add', '1h', 'Review'])).stdout).id;
    sent = [...here.sandbox.requests];
    vi.stubEnv('SVC_TEST_HINTS', report);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await here.remove();
  });

  // No other test prints these sentences, so none of them ran before.
  const hint = (line: string) =>
    runHints(here.home, here.sandbox, ['worklogs', 'add', '1h', 'Review', '--to', 'a.sqlite'], {
      ...{ code: 0, stdout: `{"id":${id}}`, stderr: `${line.replaceAll('<id>', String(id))} (tried)`, sent },
    });

  it.each([
    ['To change it: svc worklogs edit 5 6', 'Too many arguments'],
    ['To change it: svc worklogs edit last', 'It does not name its record'],
    ['To change it: svc worklogs edit 7', 'svc did not name 7'],
    ['To change it: svc worklogs update <id>', 'It exits 2'],
    ['To see it: svc labels get 987654', 'It exits 3'],
    ['To undo it: svc undo 1', 'It would send DELETE /api/v2/labels/'],
    ['To undo it: svc undo', 'there is no personal access token'],
    ['To send it: svc outbox send', 'It would send nothing'],
    ['To update: svc sync', 'It does not name a.sqlite'],
  ])('is reported as wrong for %s, with the reason "%s"', async (line, why) => {
    await expect(hint(line)).rejects.toThrow(why);
  });

  it('runs once when correct, and leaves the home directory and the requests unchanged', async () => {
    const before = here.sandbox.requests.length;
    await hint('To correct it: svc worklogs edit <id>');
    await hint('To correct it: svc worklogs edit <id>');
    await hint('For another zone: svc config set timezone Europe/Paris');
    const lines = (await readFile(report, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ wrong }) => wrong === null).map(({ outcome, command }) => [outcome, command])).toEqual([
      ['exit 0', `svc worklogs edit ${id}`],
      ['exit 0', 'svc config set timezone Europe/Paris'],
    ]);
    expect(here.sandbox.requests).toHaveLength(before);
    vi.stubEnv('SVC_TEST_HINTS', undefined);
    expect((await here.svc(['config', 'get', 'timezone'])).stdout).not.toContain('Paris');
  });
});
