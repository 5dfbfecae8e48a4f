// Scripts as people write them, in bash and Python: separate processes, pipes and exit codes.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type FakeAuthorizationServer, startFakeAuthorizationServer } from '../support/fake-as.ts';
import { type Account, createAccount, type Outcome, SVC } from './support/account.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

let sandbox: Sandbox;
let account: Account;
/** A service whose metadata has no `registration_endpoint`. */
let unregistered: FakeAuthorizationServer;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: 'off' });
  unregistered = await startFakeAuthorizationServer();
  delete unregistered.metadata['registration_endpoint'];
  account = await createAccount({ SVC_HOST: new URL(sandbox.origin).host, SVC_TOKEN: sandbox.tokens[0]?.value ?? '' });
  await writeFile(
    join(account.home, 'hours.csv'),
    'date,minutes,description\n2026-01-05,60,Good\n2026-01-06\n2026-01-07,30\n2026-01-08,30,Good\n',
  );
});
afterAll(async () => {
  await sandbox.close();
  await unregistered.close();
  await account.remove();
});

const bash = (script: string): Promise<Outcome> => account.shell(`set -uo pipefail\n${script}`);

/** Runs a script of Python, in which `svc('…')` gives the exit code, stdout and stderr. */
async function python(script: string): Promise<Outcome> {
  const head = `import csv, io, json, os, shlex, subprocess
def svc(line, cwd=None):
    done = subprocess.run(['${process.execPath}', '${SVC}'] + shlex.split(line), capture_output=True, text=True, cwd=cwd)
    return done.returncode, done.stdout, done.stderr
`;
  await writeFile(join(account.home, 'script.py'), head + script);
  return account.shell('python3 script.py');
}

describe('a bash script', () => {
  it('gets the header of a CSV without rows', async () => {
    const { stdout } = await bash(
      'svc work-items list --filter due_date=1990-01-01 -o csv --fields id,title | wc -l; svc worklogs copy --day 1990-01-01 -o csv',
    );
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['1', 'date,minutes,project,work_item,description']);
  });

  it('gets an empty list when there is nothing to copy or suggest', async () => {
    const { stdout } = await bash(`svc worklogs copy --day 1990-01-01 2>/dev/null
git init -q repository && cd repository && svc worklogs suggest --git 1990-01-01 --target 8h --author nobody@example.com 2>/dev/null`);
    expect(stdout).toBe('[]\n[]\n');
  });

  it('gets the line number of every bad row and exit 2, and svc sends no write', async () => {
    sandbox.requests.length = 0;
    const { stdout, stderr } = await bash('svc worklogs import hours.csv --yes; echo "exit $?"');
    expect(stdout).toContain('exit 2');
    for (const line of ['line 3', 'line 4']) expect(stderr.toLowerCase()).toContain(line);
    expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('gets ids as numbers from history and apply', async () => {
    const { stdout, code } = await bash(`id=$(svc worklogs add --minutes 5 --no-check --no-context --jq .id)
svc history --limit 1 --jq '.[0] | [.number, .record_id] | map(type) | join(" ")'
svc worklogs update $id --minutes 6 --plan a.plan > /dev/null 2>&1
sha=$(svc apply a.plan --no-input 2>/dev/null | sed -n 's/.*"sha256":"\\([0-9a-f]*\\)".*/\\1/p')
svc apply a.plan --yes=$sha --jq '.[0] | [.number, .id] | map(type) | join(" ")' 2>/dev/null`);
    expect([code, stdout]).toEqual([0, 'number number\nnumber number\n']);
  });

  it('gets the same exit code from a failing transition and from its dry run', async () => {
    const { stdout } = await bash(`svc work-items transition ABC-12 --to Nowhere --dry-run 2>/dev/null; echo $?
svc work-items transition ABC-12 --to Nowhere 2>/dev/null; echo $?
svc work-items transition ABC-9 --to 'To do' --dry-run 2>/dev/null; echo $?
svc work-items transition ABC-9 --to 'To do' 2>/dev/null; echo $?`);
    expect(stdout).toBe('2\n2\n6\n6\n');
  });

  it('needs --yes for svc api DELETE', async () => {
    expect((await bash('svc api DELETE /worklogs/1 2>/dev/null; echo $?')).stdout).toBe('2\n');
  });

  it('gets exit 4 and the missing name registration_endpoint from svc login', async () => {
    const { stdout, stderr } = await bash(`unset SVC_TOKEN; svc login ${unregistered.origin} --no-browser; echo $?`);
    expect(stdout).toBe('4\n');
    expect(stderr).toMatch(/^svc: .* has no registration_endpoint, so svc cannot sign in with the browser\.\n(?!.*[Tt]ry again)/);
  });
});

describe.skipIf(!hasPython)('a Python script', () => {
  it('reads lists, CSV, ids and exit codes', async () => {
    const { stdout, stderr, code } = await python(`
assert json.loads(svc('worklogs copy --day 1990-01-01')[1]) == []
subprocess.run(['git', 'init', '-q', 'empty'], check=True)
assert json.loads(svc('worklogs suggest --git 1990-01-01 --target 8h --author nobody@example.com', cwd='empty')[1]) == []
rows = list(csv.reader(io.StringIO(svc('work-items list --filter due_date=1990-01-01 -o csv --fields id,title')[1])))
assert rows == [['id', 'title']], rows
made = json.loads(svc('worklogs add --minutes 5 --no-check --no-context')[1])
entry = json.loads(svc('history --limit 1')[1])[0]
assert entry['record_id'] == made['id'] and isinstance(entry['number'], int), entry
code, out, err = svc('worklogs import hours.csv --yes --error-format json')
assert code == 2 and out == '', (code, out)
problem = json.loads(err.strip().split('\\n')[-1])
assert problem['exit_code'] == 2 and all(f'line {line}' in err.lower() for line in (3, 4)), err
svc(f'worklogs update {made["id"]} --minutes 6 --plan b.plan')
sha = json.loads(svc('apply b.plan --no-input')[1])['sha256']
applied = json.loads(svc(f'apply b.plan --yes={sha}')[1])[0]
assert applied['id'] == made['id'] and isinstance(applied['number'], int), applied
assert [svc(f'work-items transition ABC-9 --to "To do" {dry}')[0] for dry in ('--dry-run', '')] == [6, 6]
assert svc('api DELETE /worklogs/1')[0] == 2
del os.environ['SVC_TOKEN']
code, out, err = svc('login ${unregistered.origin} --no-browser --error-format json')
assert code == 4 and 'has no registration_endpoint' in json.loads(err)['message'], (code, err)
print('fine')
`);
    expect([code, stdout, stderr]).toEqual([0, 'fine\n', '']);
  });
});
