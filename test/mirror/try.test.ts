import { it } from 'vitest';
import { signedIn } from '../support/svc.ts';
it('try', { timeout: 120000 }, async () => {
  const here = await signedIn({ limits: 'off', personalToken: true });
  let t = Date.now();
  const first = await here.svc(['sync', '-o', 'table']);
  console.log(first.code, first.stderr, Date.now() - t, here.sandbox.requests.length);
  t = Date.now();
  here.sandbox.requests.length = 0;
  const second = await here.svc(['sync', '-o', 'table']);
  console.log(second.code, second.stderr, Date.now() - t, here.sandbox.requests.length);
  for (const line of (process.env['LINES'] ?? 'worklogs list -L 3|worklogs list -L 3 --view detail|week|report --from -30d --by project|status|check|billing unbilled|absences who|absences calendar|work-items get ABC-1|users list -o csv').split('|')) {
    const words = line.split(' ');
    t = Date.now();
    const on = await here.svc(words);
    const a = Date.now() - t;
    here.sandbox.requests.length = 0;
    t = Date.now();
    const off = await here.svc([...words, '--offline']);
    const b = Date.now() - t;
    console.log(line, on.code, off.code, on.stdout === off.stdout ? 'EQUAL' : 'DIFFERENT', here.sandbox.requests.length, a, b, '\n', off.stderr, on.stdout === off.stdout ? '' : `${on.stdout.slice(0, 600)}\n---\n${off.stdout.slice(0, 600)}`);
  }
  await here.remove();
});
