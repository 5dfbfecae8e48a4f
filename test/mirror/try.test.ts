import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'vitest';
import { signedIn } from '../support/svc.ts';

it('try', { timeout: 120000 }, async () => {
  const here = await signedIn({ limits: 'off', personalToken: true });
  for (let i = 0; i < 4; i += 1) {
    here.sandbox.requests.length = 0;
    const t = Date.now();
    const first = await here.svc(['sync', '-o', 'table']);
    console.log(first.stderr.split('\n').slice(-2)[0]?.slice(-20), Date.now() - t, here.sandbox.requests.length);
    if (i > 1)
      console.log(
        here.sandbox.requests
          .map((r) => `${r.status} ${r.units} ${r.path}`)
          .join('\n')
          .slice(0, 5000),
      );
  }
  const dir = join(here.home, '.local/state/svc/mirror');
  const db = new DatabaseSync(join(dir, readdirSync(dir).find((f) => f.endsWith('.sqlite')) ?? ''), { readOnly: true });
  for (const r of db.prepare("SELECT name, length(text) AS l, text FROM svc_kept WHERE name LIKE 'manner%'").all() as any[]) {
    const m = JSON.parse(r.text);
    console.log(
      r.name,
      r.l,
      m.orders?.length,
      m.listed?.length,
      m.counted,
      Object.keys(m.relations ?? {}).length,
      m.filters?.length,
      m.refusedFilters,
      m.sorts?.length,
      m.refusedSorts?.length,
      m.summary === undefined,
      JSON.stringify(m.orders?.slice(0, 3)),
    );
  }
  await here.remove();
});
