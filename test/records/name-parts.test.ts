import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PinnedSandbox, signInAt } from '../time/support.ts';

// Parts of names: whole words count in a script and are named; at a terminal svc asks. No near miss is silent.

let here: PinnedSandbox;
/** Your own work item “Login page”. */
let item: number;
beforeAll(async () => {
  here = await signInAt('2026-06-05T10:00:00Z', { personalToken: true });
  item = await here.addRecord('/work-items', { title: 'Login page', project_id: 2, assignee_id: 1 });
});
afterAll(() => here.remove());

/**
 * How a typed text matches a name. A script accepts whole words, and refuses a part with the name in the message. svc suggests the name for a
 * misspelling.
 */
type Kind = 'whole words of' | 'a part of' | 'words of several names' | 'a misspelling of' | 'unlike every name';

const SANNE = 'Sanne de Vries';
const ZOE = 'Zoë Müller-Lüdenscheidt';
const HUONG = 'Nguyễn Thị Hương';
const YOKO = '田中 陽子';
const MARIA = 'María José García Pérez';
const AURORA = 'Aurora: billing and change';

const TABLE: readonly (readonly [noun: string, typed: string, kind: Kind, name: string])[] = [
  ['users', 'sanne', 'whole words of', SANNE],
  ['users', 'SANNE', 'whole words of', SANNE],
  ['users', '  de   vries ', 'whole words of', SANNE],
  ['users', 'sann', 'a part of', SANNE],
  ['users', 'anne', 'a part of', SANNE],
  ['users', 'Sanen', 'a misspelling of', SANNE],
  ['users', 'sa', 'unlike every name', ''],
  ['users', 'zoë', 'whole words of', ZOE],
  ['users', 'zoe', 'whole words of', ZOE],
  ['users', 'Zoë'.normalize('NFD'), 'whole words of', ZOE],
  ['users', 'muller', 'whole words of', ZOE],
  ['users', 'Mülller', 'a misspelling of', ZOE],
  ['users', 'lüden', 'a part of', ZOE],
  ['users', 'huong', 'whole words of', HUONG],
  ['users', 'Nguyên', 'whole words of', HUONG],
  ['users', '田中', 'whole words of', YOKO],
  ['users', '陽子', 'whole words of', YOKO],
  ['users', '陽', 'unlike every name', ''],
  ['users', 'أحمد', 'whole words of', 'أحمد المنصوري'],
  ['users', 'المنصور', 'a part of', 'أحمد المنصوري'],
  ['users', "o'brien", 'whole words of', 'Siobhán O’Brien'],
  ['users', 'lukasz', 'whole words of', 'Łukasz Wiśniewski'],
  ['users', 'Wisniewsky', 'a misspelling of', 'Łukasz Wiśniewski'],
  ['users', 'garcia perez', 'whole words of', MARIA],
  ['users', 'krishna', 'a part of', 'Ravi Krishnamurthy'],
  ['users', 'mick', 'whole words of', 'Mike "Mick" <Smith>, Jr.'],
  // All addresses have it.
  ['users', 'example', 'unlike every name', ''],
  ['projects', 'Aurora', 'whole words of', AURORA],
  ['projects', 'auora', 'a misspelling of', AURORA],
  ['projects', 'shop', 'whole words of', 'Web shop'],
  ['projects', 'web s', 'a part of', 'Web shop'],
  ['projects', 'ware', 'a part of', 'Data warehouse'],
  ['projects', 'and', 'words of several names', ''],
  ['projects', 'مشروع', 'whole words of', 'مشروع التدريب'],
  ['projects', 'inter', 'a part of', 'Internal'],
  ['customers', 'jansen', 'whole words of', 'Bakkerij Jansen & Zonen'],
  ['customers', 'generale', 'whole words of', 'Société Générale d’Édition'],
  ['customers', 'さくら', 'a part of', '株式会社さくら'],
  ['customers', 'さく', 'a part of', '株式会社さくら'],
  ['customers', 'nandu', 'whole words of', 'Ñandú Logística'],
  ['customers', 'Bryne', 'a misspelling of', 'O’Neill, Byrne "& Partners"'],
  ['customers', 'xyzzy', 'unlike every name', ''],
];

describe('a typed name', () => {
  it.each(TABLE)('among the %s: %j counts as %s %s', async (noun, typed, kind, name) => {
    const script = await here.svc([noun, 'get', typed, '--jq', '.name']);
    expect([script.code, script.stdout]).toEqual(
      kind === 'whole words of' ? [0, `${name}\n`] : [kind === 'a misspelling of' || kind === 'unlike every name' ? 3 : 2, ''],
    );
    if (kind === 'whole words of') expect(script.stderr).toContain(`: ${name} (#`);
    if (kind === 'a part of') expect(script.stderr).toContain(`is only a part of the name of a ${noun.slice(0, -1)}.\n`);
    if (kind === 'words of several names') expect(script.stderr).toContain(`names 2 ${noun}.\n  Use the id: `);
    if (kind === 'a part of' || kind === 'a misspelling of') expect(script.stderr).toContain(`Did you mean "${name}"? `);
    if (kind === 'unlike every name') expect(script.stderr).not.toContain('Did you mean');
    if (kind !== 'whole words of' && kind !== 'a part of') return;
    const yes = await here.svc([noun, 'get', typed, '--jq', '.name'], { answers: [true] });
    expect([yes.code, yes.stdout]).toEqual([0, `${name}\n`]);
    expect(yes.stderr).toContain(`? Use ${name} (#`);
    const no = await here.svc([noun, 'get', typed], { answers: [false] });
    expect([no.code, no.stderr]).toEqual([1, expect.stringContaining(`You chose no ${noun.slice(0, -1)}.\n`)]);
  });
});

describe('a part of a name', () => {
  it('is accepted in a flag and a filter, and lets you pick from several matches', async () => {
    const flag = await here.svc(['work-items', 'list', '--assignee', 'sanne', '-L', '1']);
    expect([flag.code, flag.stderr.split('\n')[0]]).toEqual([0, `User: ${SANNE} (#1)`]);
    const filter = await here.svc(['worklogs', 'list', '--filter', 'project_id=Aurora', '-L', '1']);
    expect([filter.code, filter.stderr.split('\n')[0]]).toEqual([0, `Project: ${AURORA} (#1)`]);
    const picked = await here.svc(['projects', 'get', 'and', '--jq', '.id'], { answers: ['Office'] });
    expect([picked.code, picked.stdout]).toEqual([0, '5\n']);
  });

  it('makes a delete exit 2 in a script, unlike a whole name', async () => {
    const { code, stderr } = await here.svc(['labels', 'delete', 'quick', '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"quick" is only a part of the name of a label.\n')]);
    // A whole name can have decomposed letters.
    await here.addRecord('/customers', { name: 'Crêperie Zénith' });
    const whole = await here.svc(['customers', 'delete', 'Crêperie Zénith'.normalize('NFD'), '--yes']);
    expect(whole.code, whole.stderr).toBe(0);
  });
});

type Row = readonly [words: string, script: object | string, terminal: object | 'asks'];

/** Words of an entry, single quotes around those with spaces. What is logged: the body; or the message and the question. */
const ENTRIES: readonly Row[] = [
  [`2h 'Web shop' Design`, { project_id: 2, description: 'Design' }, { project_id: 2, description: 'Design' }],
  ['2h web shop Design', { project_id: 2, description: 'Design' }, { project_id: 2, description: 'Design' }],
  [`2h 'WEB SHOP'`, { project_id: 2 }, { project_id: 2 }],
  ['2h APP Design', { project_id: 3, description: 'Design' }, { project_id: 3, description: 'Design' }],
  ['2h Internal review', { project_id: 8, description: 'review' }, { project_id: 8, description: 'review' }],
  [`2h 'Login page' Fix`, { work_item_id: -1, description: 'Fix' }, { work_item_id: -1, description: 'Fix' }],
  [`2h 'Login pgae' Fix`, 'could name work item', { work_item_id: -1, description: 'Fix' }],
  [`2h 'مشروع التدريب' Plan`, { project_id: 7, description: 'Plan' }, { project_id: 7, description: 'Plan' }],
  [`2h 'Web shpo' Design`, 'could name project Web shop (#2)', { project_id: 2, description: 'Design' }],
  ['2h Web shpo shpo plan', '"Web shpo" could name project Web shop (#2)', { project_id: 2, description: 'shpo plan' }],
  [`2h 'Wep shop'`, 'could name project Web shop (#2)', { project_id: 2 }],
  ['2h Aurora planning', `could name project ${AURORA} (#1)`, { project_id: 1, description: 'planning' }],
  ['2h auro planning', `could name project ${AURORA} (#1)`, { project_id: 1, description: 'planning' }],
  ['2h ABC12 Review', 'could name work item ABC-12', { work_item_id: 12, description: 'Review' }],
  ['2h abc 12 Review', 'could name work item ABC-12', { work_item_id: 12, description: 'Review' }],
  ['2h ABC–12 Review', 'could name work item ABC-12', { work_item_id: 12, description: 'Review' }],
  ['2h ABC-1O Review', 'could name work item ABC-10', { work_item_id: 10, description: 'Review' }],
  ['2h Review ABC-12', 'could name work item ABC-12', { work_item_id: 12, description: 'Review' }],
  ['2h Stand-up', { description: 'Stand-up' }, { description: 'Stand-up' }],
  [`2h 'Talk about the Web shop'`, { description: 'Talk about the Web shop' }, { description: 'Talk about the Web shop' }],
];

const wordsOf = (text: string) => [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

describe('svc worklogs add with words', () => {
  const log = async (text: string, answers?: readonly boolean[]) => {
    here.sandbox.requests.length = 0;
    const argv = ['worklogs', 'add', ...wordsOf(text), '--no-check', '--no-context'];
    const result = await here.svc(argv, answers && { answers, env: { NO_COLOR: '1' } });
    const bodies = here.sandbox.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body.replace(`:${item}`, ':-1')));
    return { ...result, bodies };
  };

  /** Runs the command that svc printed after an answer, in a pipe. */
  const logSame = async (stderr: string) => {
    const [, printed = ''] = /^The same with your answers: svc worklogs add (.*) --no-check --no-context$/m.exec(stderr) ?? [];
    const { code, bodies } = await log(printed);
    return { code, bodies };
  };

  it.each(ENTRIES)('logs the entry on the record that the words name, for %s', async (text, script, terminal) => {
    const piped = await log(text);
    if (typeof script === 'string') {
      expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining(script)]);
      expect(piped.bodies).toEqual([]);
      const no = await log(text, [false]);
      expect(no.code, no.stderr).toBe(0);
      expect(no.bodies).toEqual([{ minutes: 120, date: '2026-06-05', description: wordsOf(text).slice(1).join(' ') }]);
      expect(await logSame(no.stderr), no.stderr).toEqual({ code: 0, bodies: no.bodies });
    } else {
      expect(piped.code, piped.stderr).toBe(0);
      expect(piped.bodies).toEqual([{ minutes: 120, date: '2026-06-05', ...script }]);
    }
    const asked = await log(text, typeof script === 'string' ? [true] : []);
    expect(asked.code, asked.stderr).toBe(0);
    expect(asked.bodies).toEqual([{ minutes: 120, date: '2026-06-05', ...(terminal as object) }]);
    if (typeof script === 'string') expect(await logSame(asked.stderr), asked.stderr).toEqual({ code: 0, bodies: asked.bodies });
    else expect(asked.stderr).not.toContain('The same with your answers');
  });

  it.each([
    ['2h Aurora --date 2026-06-05 planning', '2h --project 1 --description planning --date 2026-06-05'],
    ['2h Aurora 3 h', "2h --project 1 --description '3 h'"],
    ['2h Aurora add', '2h --project 1 --description add'],
  ])('prints the complete command after an answer, for %s', async (text, same) => {
    const { stderr } = await log(text, [true]);
    expect(stderr).toContain(`The same with your answers: svc worklogs add ${same} --no-check --no-context\n`);
    expect((await logSame(stderr)).code).toBe(0);
  });

  it.each(['1h3O', '1hr3o', '1;30', '2hh', '1g30', '1l'])(
    'treats the mistyped duration %s as an error, not as a description',
    async (typed) => {
      const piped = await log(`${typed} ABC-12 Review`);
      expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining(`"${typed}" is not a duration.\n`)]);
      const asked = await here.svc(['worklogs', 'add', typed, 'ABC-12', 'Review', '--no-check'], {
        answers: ['1h30'],
        env: { NO_COLOR: '1' },
      });
      expect(asked.code, asked.stderr).toBe(0);
      expect(asked.stderr).toContain(`"${typed}" is not a duration. How long`);
      expect(asked.stderr).toContain('The same with your answers: svc worklogs add 1h30 ABC-12 Review --no-check\n');
      const [body] = here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
      expect(body).toEqual({ minutes: 90, date: '2026-06-05', work_item_id: 12, description: 'Review' });
    },
  );
});
