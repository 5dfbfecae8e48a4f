import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { verbsOf } from '../../src/catalog/rules.ts';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { type Result, type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

// svc shows rich text as Markdown and other records by name in the editor, and reads both back.

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});
afterEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.interpretations.assumedIncludes = 'taken';
});

interface Edited extends Result {
  /** The text in the editor. */
  readonly draft: string;
  /** The bodies of the writes. */
  readonly sent: readonly unknown[];
}

async function edit(argv: readonly string[], change: (text: string) => string, options: RunOptions = {}): Promise<Edited> {
  let draft = '';
  here.sandbox.requests.length = 0;
  const result = await here.svc([...argv], {
    env: { EDITOR: 'an-editor', NO_COLOR: '1' },
    answers: [],
    terminal: 100,
    async program(_, [file = '']) {
      draft = await readFile(file, 'utf8');
      await writeFile(file, change(draft));
      return 0;
    },
    ...options,
  });
  const sent = here.sandbox.requests.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body || '{}'));
  return { ...result, draft, sent };
}

const ITEM = ['work-items', 'edit', 'ABC-12'];
const replace = (name: string, value: string) => (text: string) =>
  text.replace(new RegExp(`^${name}: .*$`, 'm'), () => `${name}: ${value}`);
const setText = async (description: string) => {
  const { code, stderr } = await here.svc(['work-items', 'update', 'ABC-12', '--html', '--description', description]);
  expect(code, stderr).toBe(0);
};

const RESOURCE_NAMES = (await builtInCatalog().all()).filter(
  (resource) => resource.parent === undefined && ['list', 'get', 'update'].every((verb) => verbsOf(resource).some((one) => one === verb)),
);

it.each(RESOURCE_NAMES.map(({ noun }) => noun))('svc %s edit sends nothing when you leave the text unchanged', async (noun) => {
  const { stdout } = await here.svc([noun, 'list', '--limit', '8', '--output', 'ids']);
  for (const id of stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')) {
    const { code, stderr, sent } = await edit([noun, 'edit', id], (text) => text);
    expect([code, sent, stderr], id).toEqual([0, [], 'svc changed nothing.\n']);
  }
});

describe('rich text in the editor', () => {
  it('is shown as Markdown when the Markdown gives the same HTML, and sent as HTML', async () => {
    await setText('<p>See <strong>this</strong>:</p><ul><li>a</li><li>b</li></ul>');
    const { code, stderr, draft, sent } = await edit(ITEM, (text) => text.replace('  - b\n', '  - b\n  - c\n'));
    expect(code, stderr).toBe(0);
    expect(draft).toContain('# Markdown:\ndescription: |-\n  See **this**:\n\n  - a\n  - b\n');
    expect(sent).toEqual([{ description: '<p>See <strong>this</strong>:</p>\n<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>' }]);
  });

  it('is shown and sent as HTML when Markdown would change the text', async () => {
    await setText('<p>A <mark>mark</mark></p>');
    const { draft, sent } = await edit(ITEM, (text) => text.replace('A <mark>', 'The *<mark>'));
    expect(draft).toContain('# HTML, because Markdown cannot express all of this text:\ndescription: <p>A <mark>mark</mark></p>\n');
    expect(sent).toEqual([{ description: '<p>The *<mark>mark</mark></p>' }]);
  });

  it.each([
    ['Markdown', '<p>One</p><p>two  \n three</p>'],
    ['HTML', '<p><u>One</u></p>'],
  ])('stays out of the request when you change only another field (%s)', async (_, description) => {
    await setText(description);
    expect((await edit(ITEM, replace('estimation', '45m'))).sent).toEqual([{ estimation: 45 }]);
    expect((await edit(ITEM, replace('estimation', '50m'))).sent).toEqual([{ estimation: 50 }]);
  });

  it('is written in Markdown when the field was empty', async () => {
    const { stdout } = await here.svc(['notes', 'create', '--name', 'N', '--output', 'json']);
    const argv = ['notes', 'edit', String(JSON.parse(stdout).id)];
    const { draft, sent } = await edit(argv, replace('content', '"**x**"'));
    expect(draft).toContain('# Markdown:\ncontent: null\n');
    expect(sent).toEqual([{ content: '<p><strong>x</strong></p>' }]);
  });
});

describe('fields that refer to records, in the editor,', () => {
  it('show the name or key, with the id in a comment', async () => {
    const { draft } = await edit(ITEM, (text) => text);
    expect(draft).toMatch(/^project_id: "?Aurora: billing and change"? {2}# id 1$/m);
    expect(draft).toMatch(/^assignee_id: \S.* {2}# id \d+$/m);
    const { stdout } = await here.svc(['worklogs', 'create', '--minutes', '5', '--work-item', 'ABC-12', '--output', 'json']);
    const hours = await edit(['worklogs', 'edit', String(JSON.parse(stdout).id)], (text) => text);
    expect(hours.draft).toMatch(/^work_item_id: ABC-12 {2}# Show the deleted rows, id 12$/m);
    expect(hours.sent).toEqual([]);
  });

  it.each([
    ['a name', 'Olumide Adeyemi', 2],
    ['a name before a comment with another id', 'Olumide Adeyemi  # id 1', 2],
    ['an id', '2', 2],
    ['the word none for no record', 'none', null],
  ])('accept %s', async (_, typed, id) => {
    await here.svc(['work-items', 'update', 'ABC-12', '--assignee', '1']);
    const { code, stderr, sent } = await edit(ITEM, replace('assignee_id', typed));
    expect([code, sent], stderr).toEqual([0, [{ assignee_id: id }]]);
  });

  it.each([
    ['the id', '1'],
    ['the name', 'Sanne de Vries'],
  ])('are not sent when you type %s of the same record', async (_, typed) => {
    await here.svc(['work-items', 'update', 'ABC-12', '--assignee', '1']);
    const { code, stderr, sent } = await edit(ITEM, replace('assignee_id', typed));
    expect([code, sent, stderr]).toEqual([0, [], 'svc changed nothing.\n']);
  });

  it('keep the record when another record has the same name', async () => {
    const made = [];
    for (const _ of [1, 2]) made.push(JSON.parse((await here.svc(['projects', 'create', '--name', 'Twin', '--output', 'json'])).stdout).id);
    const { stdout } = await here.svc(['worklogs', 'create', '--minutes', '5', '--project', String(made[1]), '--output', 'json']);
    const argv = ['worklogs', 'edit', String(JSON.parse(stdout).id)];
    const { draft, sent } = await edit(argv, replace('minutes', '10'));
    expect(draft).toContain(`project_id: Twin  # id ${made[1]}\n`);
    expect(sent).toEqual([{ minutes: 10 }]);
    const picked = await edit(argv, replace('project_id', 'twin'), { answers: [`#${made[0]}`] });
    expect(picked.sent, picked.stderr).toEqual([{ project_id: made[0] }]);
  });

  it.each([
    ['an unknown name', 'Nobody at all', 'svc: assignee_id: There is no user "Nobody at all".'],
    ['only a comment, which YAML would read as an empty value', '# 2', 'svc: assignee_id: YAML reads the text after # as a comment'],
  ])('make svc refuse %s and keep the typed text in a file', async (_, typed, message) => {
    const { code, stderr, sent } = await edit(ITEM, replace('assignee_id', typed));
    expect([code, sent]).toEqual([2, []]);
    expect(stderr).toContain(message);
    const file = /Your text is in (\S+)/.exec(stderr)?.[1] ?? '';
    expect(await readFile(file, 'utf8')).toContain(`assignee_id: ${typed}\n`);
  });

  it('show the id when the service refuses to send names', async () => {
    here.sandbox.interpretations.assumedIncludes = 'refused';
    const { code, stderr, draft, sent } = await edit(ITEM, replace('project_id', '2'));
    expect([code, sent], stderr).toEqual([0, [{ project_id: 2 }]]);
    expect(draft).toMatch(/^project_id: 1$/m);
    here.sandbox.interpretations.assumedIncludes = 'taken';
    expect((await edit(ITEM, replace('project_id', '1'))).sent).toEqual([{ project_id: 1 }]);
  });

  it.each([403, 404, 500])('show the id when every request for names gets the status %d', async (status) => {
    const recording = await startRecording();
    try {
      const record = { id: 12, title: 'T', project_id: 3, assignee_id: 4 };
      recording.server.fallback((request, ...rest) => {
        const answer = request.query.has('include') ? json(status, { type: 'about:blank', title: 'No', status }) : json(200, record);
        answer(request, ...rest);
      });
      let draft = '';
      const { code, stderr } = await recording.svc(['work-items', 'edit', '12'], {
        env: { EDITOR: 'an-editor' },
        answers: [],
        hurried: true,
        async program(_, [file = '']) {
          draft = await readFile(file, 'utf8');
          return 0;
        },
      });
      expect(code, stderr).toBe(0);
      expect(draft).toContain('project_id: 3\n');
    } finally {
      await recording.remove();
    }
  });
});

describe('the editor', () => {
  const EDIT = ['config', 'edit'];
  const onWindows: RunOptions['around'] = (deps) => ({ ...deps, system: { ...deps.system, platform: 'win32' } });

  it.each([
    ['vi when no editor is set', {}, undefined, 'vi'],
    ['notepad on Windows', {}, onWindows, 'notepad'],
    ['the program in EDITOR', { EDITOR: 'one' }, undefined, 'one'],
    ['the program in VISUAL when VISUAL and EDITOR are set', { EDITOR: 'one', VISUAL: 'two' }, undefined, 'two'],
    [
      'the program in SVC_EDITOR when all three variables are set',
      { EDITOR: 'one', VISUAL: 'two', SVC_EDITOR: 'three -n' },
      undefined,
      'three -n',
    ],
  ])('is %s', async (_, env, around, editor) => {
    const started: string[] = [];
    const program: RunOptions['program'] = async (command) => started.push(command) - 1;
    expect(await here.svc(EDIT, { env: { NO_COLOR: '1', ...env }, answers: [], program, ...(around && { around }) })).toMatchObject({
      code: 0,
    });
    expect(started).toEqual([editor]);
  });

  it.each([
    ['EDITOR', {}, undefined, 'vi', 'export EDITOR=nano'],
    ['the variable that is set', { VISUAL: 'gone -w' }, undefined, 'gone -w', 'export VISUAL=nano'],
    ['EDITOR in the syntax of PowerShell on Windows', {}, onWindows, 'notepad', "$env:EDITOR = 'notepad'"],
  ])('makes svc exit 1 and print an example with %s when svc cannot start the editor', async (_, env, around, editor, example) => {
    const program: RunOptions['program'] = async () => Promise.reject(new Error('ENOENT'));
    const { code, stderr } = await here.svc(EDIT, { env: { NO_COLOR: '1', ...env }, answers: [], program, ...(around && { around }) });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`svc: svc could not start the editor: ${editor}\n`)]);
    expect(stderr).toContain(`to the command of an editor, for example: ${example}\n`);
  });
});
