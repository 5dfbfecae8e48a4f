import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomOf } from '../support/random.ts';
import { type Result, type SignedIn, signedIn } from '../support/svc.ts';

// Random writes, each undone: the record at the service is as it was before the write, or svc said beforehand that it cannot undo it.
// A failure prints its sequence. To see it again, or to run more, as .ci/run does: SVC_TEST_SEED=123 SVC_TEST_SEQUENCES=2000 npx vitest run undo-sequences

const SEQUENCES = Number(process.env['SVC_TEST_SEQUENCES'] ?? 20);
const SEED = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const SERVICES = [
  ['hidden deleted records', {}],
  ['readable deleted records', { wrapSingleRecords: false, deletedRecords: 'readable', deleteAnswers: 'record' }],
] as const;

type State = ReadonlyMap<string, unknown>;

interface Step {
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** The records that the step can change. A created record has no path yet. */
  readonly paths: readonly string[];
  /** The resource of the record that the step creates. */
  readonly creates?: string;
}

describe.each(SERVICES)('svc undo at a service with %s', (_service, interpretations) => {
  let here: SignedIn;
  beforeAll(async () => {
    here = await signedIn({ personalToken: true, limits: 'off', interpretations });
  });
  afterAll(() => here.remove());

  /** Reads the records from the service, without the fields that every write changes. */
  async function stateOf(paths: readonly string[]): Promise<State> {
    const headers = { authorization: `Bearer ${here.sandbox.tokens[0]?.value}`, accept: 'application/json' };
    const read = async (path: string) => {
      const answer = await fetch(`${here.sandbox.baseUrl}${path}`, { headers });
      if (answer.status === 404) return [path, null] as const;
      const body = (await answer.json()) as Record<string, Record<string, unknown>>;
      const { updated_at: _, version: __, ...record } = body['data'] ?? body;
      return [path, record['deleted_at'] ? null : record] as const;
    };
    return new Map(await Promise.all(paths.map(read)));
  }

  const idOf = ({ stdout }: Result) => (JSON.parse(stdout) as { id: number }).id;

  async function pool() {
    const log = idOf(await here.svc(['worklogs', 'add', '--minutes', '30', '--date', '2026-03-02', '--description', 'First']));
    const label = idOf(await here.svc(['labels', 'create', '--name', `Label ${log}`, '--color', '#000000']));
    return { log, label, item: 'ABC-12' };
  }

  function stepOf(random: () => number, { log, label, item }: Awaited<ReturnType<typeof pool>>): Step {
    const one = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
    const minutes = one('15', '1h30', '2h');
    const text = one('Review', 'Rückblick', '<b>x</b>', '');
    const update = { paths: [`/worklogs/${log}`] };
    return one<Step>(
      { argv: ['worklogs', 'add', '--minutes', minutes, '--date', '2026-03-04', '--no-check'], paths: [], creates: '/worklogs' },
      {
        argv: ['worklogs', 'add', minutes, 'Stand-up', '--date', '2026-03-05,2026-03-06', '--no-check', '--no-context'],
        paths: [],
        creates: '/worklogs',
      },
      { argv: ['worklogs', 'update', String(log), '--minutes', minutes], ...update },
      { argv: ['worklogs', 'update', String(log), '--description', text, '--date', one('2026-03-02', '2026-03-03')], ...update },
      { argv: ['worklogs', 'update', '-', '--minutes', String(1 + Math.floor(random() * 999))], stdin: `${log}\n`, ...update },
      { argv: ['api', 'PATCH', `/worklogs/${log}`, '-F', `minutes=${one(10, 20)}`], ...update },
      { argv: ['labels', 'create', '--name', `New ${Math.floor(random() * 1e9)}`], paths: [], creates: '/labels' },
      { argv: ['labels', 'update', String(label), '--color', one('#111111', '#222222')], paths: [`/labels/${label}`] },
      { argv: ['labels', 'delete', String(label), '--yes'], paths: [`/labels/${label}`] },
      {
        argv: ['work-items', 'update', item, '--due-date', one('2026-12-24', 'none'), '--estimation', minutes],
        paths: [`/work-items/${item}`],
      },
      { argv: ['work-items', 'update', item, '--title', one('Undo for rows', 'Undo "it"')], paths: [`/work-items/${item}`] },
      {
        argv: ['work-items', 'transition', item, '--to', one('To do', 'In progress', 'In review', 'Done')],
        paths: [`/work-items/${item}`],
      },
      { argv: ['work-items', 'move', item, '--after', 'ABC-7'], paths: [] },
    );
  }

  /** A person at a terminal, or a script with SVC_KEEP_BEFORE=1. Only the script passes ids on standard input. */
  const places = [{ terminal: 100, answers: [] }, { env: { SVC_KEEP_BEFORE: '1' } }] as const;

  const count = Math.ceil(SEQUENCES / SERVICES.length);
  test(`restores the earlier state of records after ${count} random sequences with seed ${SEED}`, {
    timeout: SEQUENCES * 2_000 + 60_000,
  }, async () => {
    const random = randomOf(SEED);
    let undone = 0;
    const kinds = new Set<string>();
    for (let nth = 0; nth < count; nth += 1) {
      const records = await pool();
      const played: string[] = [];
      const writes: { readonly before: State; readonly said: boolean; readonly made: readonly string[] }[] = [];
      const length = 1 + Math.floor(random() * 5);
      while (writes.length < length) {
        const step = stepOf(random, records);
        const place = step.stdin !== undefined || random() < 0.5 ? places[1] : places[0];
        const before = await stateOf(step.paths);
        const sent = here.sandbox.requests.length;
        const result = await here.svc(step.argv, { ...place, ...(step.stdin !== undefined && { stdin: step.stdin }) });
        played.push(`svc ${step.argv.join(' ')} → ${result.code} ${result.stdout}${result.stderr}`);
        const done = here.sandbox.requests.slice(sent).filter(({ method, status }) => method !== 'GET' && Number(status) < 300);
        // Refused, because the workflow does not allow the transition, or the label is deleted.
        if (result.code !== 0) continue;
        expect(done.length, played.join('\n')).toBeGreaterThan(0);
        const ids = result.stdout.startsWith('[') || result.stdout.startsWith('{') ? [JSON.parse(result.stdout)].flat() : [];
        const made = step.creates === undefined ? [] : ids.map(({ id }: { id: number }) => `${step.creates}/${id}`);
        const said = /cannot (?:be undone|undo)/.test(result.stderr) || step.argv[1] === 'delete';
        const after = await stateOf(step.paths);
        // svc does not offer undo for a write that changed nothing, and svc undo skips the write.
        const isSame = step.creates === undefined && step.paths.length > 0 && same(before, after);
        if (isSame) expect(result.stderr, played.join('\n')).not.toContain('svc undo');
        else writes.push({ before, said, made });
        kinds.add(step.argv.slice(0, 2).join(' '));
        if (said) break;
      }
      for (const { before, said, made } of writes.toReversed()) {
        const asks = random() < 0.5;
        const undo = await here.svc(asks ? ['undo'] : ['undo', '--yes'], asks ? { terminal: 100, answers: [true] } : {});
        played.push(`svc undo → ${undo.code} ${undo.stdout}${undo.stderr}`);
        if (said) {
          // 6: the workflow refuses the transition back.
          expect([1, 6], played.join('\n')).toContain(undo.code);
          break;
        }
        expect(undo.code, played.join('\n')).toBe(0);
        expect(await stateOf([...before.keys()]), played.join('\n')).toEqual(before);
        for (const record of (await stateOf(made)).values()) expect(record, played.join('\n')).toBeNull();
        undone += 1;
      }
    }
    expect(undone).toBeGreaterThan(0);
    if (count >= 100) expect(kinds.size).toBe(9);
  });
});

function same(one: State, other: State): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}
