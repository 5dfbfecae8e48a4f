import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// Texts for people are written in Markdown, and sent as the HTML that the service keeps (rule 2.36).

describe('the text that svc sends', () => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await startRecording();
  });
  afterAll(() => recording.remove());
  const last = () => JSON.parse(recording.server.requests.at(-1)?.body ?? '');

  const COMMENT = ['work-items', 'comments', 'create', 'ABC-12'];

  test.each<[string, readonly string[], unknown]>([
    ['HTML, for Markdown', [...COMMENT, '--body', 'Looks **good** < x'], { body: '<p>Looks <strong>good</strong> &lt; x</p>' }],
    ['unchanged, for HTML that begins with a tag', [...COMMENT, '--body', ' <p>a < b</p>'], { body: ' <p>a < b</p>' }],
    ['unchanged, for HTML of inline tags', [...COMMENT, '--body', '<b>x</b>\n*y*'], { body: '<b>x</b>\n*y*' }],
    [
      'HTML with escaped brackets, for a placeholder that is not a tag',
      [...COMMENT, '--body', '<name> is'],
      { body: '<p>&lt;name&gt; is</p>' },
    ],
    ['unchanged, for HTML with --html', [...COMMENT, '--html', '--body', 'a <b>b</b>'], { body: 'a <b>b</b>' }],
    ['unchanged, for -F', [...COMMENT, '-F', 'body=a *b*'], { body: 'a *b*' }],
    ['unchanged, for -f', [...COMMENT, '-f', 'body=a *b*'], { body: 'a *b*' }],
    ['unchanged, for a whole body', [...COMMENT, '--data', '{"body": "a *b*"}'], { body: 'a *b*' }],
    ['HTML, for an update', ['work-items', 'update', 'ABC-12', '--description', '- a'], { description: '<ul>\n<li>a</li>\n</ul>' }],
    ['null, for the word none', ['work-items', 'update', 'ABC-12', '--description', 'none'], { description: null }],
    [
      'HTML, for the content of a note',
      ['notes', 'create', '--name', 'a *b*', '--content', 'a *b*'],
      { name: 'a *b*', content: '<p>a <em>b</em></p>' },
    ],
    ['Markdown, for a document (rule 2.37)', ['drive-documents', 'create', '--content', 'a *b*'], { content: 'a *b*' }],
    [
      'plain text, for hours',
      ['worklogs', 'add', '--minutes', '5', '--description', 'a *b*'],
      expect.objectContaining({ description: 'a *b*' }),
    ],
  ])('is %s', async (_, argv, body) => {
    const { code, stderr } = await recording.svc(argv);
    expect(code, stderr).toBe(0);
    expect(last()).toEqual(body);
  });

  test('can come from a file, in Markdown or HTML', async () => {
    await writeFile(join(recording.home, 'a.md'), '# Hi\n');
    await writeFile(join(recording.home, 'a.html'), '<h1>Hi</h1>\n');
    await recording.svc([...COMMENT, '--body', `@${join(recording.home, 'a.md')}`]);
    expect(last()).toEqual({ body: '<h1>Hi</h1>' });
    await recording.svc([...COMMENT, '--body', `@${join(recording.home, 'a.html')}`]);
    expect(last()).toEqual({ body: '<h1>Hi</h1>\n' });
  });

  test('stays unchanged in rows of an import', async () => {
    await writeFile(join(recording.home, 'notes.csv'), 'name,content\nN,a *b*\n');
    expect((await recording.svc(['notes', 'import', join(recording.home, 'notes.csv')])).code).toBe(0);
    expect(last()).toEqual({ name: 'N', content: 'a *b*' });
  });

  test('is required with --html, so svc exits 2 and sends nothing without such a text', async () => {
    recording.sent();
    for (const argv of [
      ['work-items', 'update', 'ABC-12', '--html', '--due-date', 'today'],
      ['work-items', 'create', '--html', '--title', 'T'],
    ])
      expect(await recording.svc(argv)).toMatchObject({
        code: 2,
        stderr: 'svc: --html sets the format of --description, and you gave no such text.\n  Leave out --html, or add --description.\n',
      });
    expect(recording.sent()).toEqual([]);
  });

  test('contains unsafe links and HTML tags as plain text, and svc reports each on stderr', async () => {
    const { code, stdout, stderr } = await recording.svc([...COMMENT, '--body', 'see <b>\u001b[31m [x](javascript:y)', '--jq', '.id']);
    expect([code, stdout]).toEqual([0, '31\n']);
    expect(stderr).toBe(
      'javascript:y is not a web or mail address, so it stays text.\nsvc sends HTML tags as text: <b>. To send the text as HTML: --html\n',
    );
  });

  test.each([
    [
      'reported as changed when the answer lacks the tags',
      { id: 3, body: '<p>x</p>1' },
      'The service removed <table> from body, and possibly the words inside.\n',
    ],
    ['not reported when the answer has the tags', { id: 3, body: '<table><tbody><tr><td>1</td></tr></tbody></table>' }, ''],
    ['not reported when the answer lacks the field', { id: 3 }, ''],
  ])('with a table is %s', async (_, record, said) => {
    for (const answer of [record, { data: record }]) {
      recording.server.script(json(201, answer));
      expect(await recording.svc([...COMMENT, '--body', '| a |\n|---|\n| 1 |'])).toMatchObject({ code: 0, stderr: said });
    }
  });
});

describe('a missing text', () => {
  let here: SignedIn;
  beforeAll(async () => {
    here = await signedIn({ limits: 'off' });
  });
  afterAll(() => here.remove());
  beforeEach(() => {
    here.sandbox.requests.length = 0;
  });
  afterEach(() => here.sandbox.setFaults([]));

  const writes = () => here.sandbox.requests.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body || '{}'));
  const COMMENT = ['work-items', 'comments', 'create', 'ABC-12'];

  /** An editor that writes this, and the files that it was opened on. */
  function editor(text: string) {
    const files: string[] = [];
    const program = async (command: string, [file = '']: readonly string[]) => {
      files.push(`${command} ${file}`);
      if (text !== '') await writeFile(file, text);
      return 0;
    };
    return { files, options: { program, answers: [], env: { NO_COLOR: '1', SVC_EDITOR: 'mine', VISUAL: 'other', EDITOR: 'third' } } };
  }
  const draftsLeft = async () => (await import('node:fs/promises')).readdir(join(here.home, '.cache/svc/edit')).catch(() => []);

  test('is typed into an empty file in the editor, which svc sends and then deletes', async () => {
    const { files, options } = editor('Looks **good**\n\nreally\n');
    const { code, stderr } = await here.svc(COMMENT, options);
    expect(code, stderr).toBe(0);
    expect(files).toEqual([expect.stringMatching(/^mine .*\/edit\/comment-[0-9a-f]+\.md$/)]);
    expect(writes()).toEqual([{ body: '<p>Looks <strong>good</strong></p>\n<p>really</p>' }]);
    expect(stderr).toContain('The same with your answers: svc work-items comments create ABC-12 --body @comment.md\n');
    expect(await draftsLeft()).toEqual([]);
  });

  test('can begin with @ or be the word none in the editor', async () => {
    for (const text of ['@sanne see this', 'none']) expect((await here.svc(COMMENT, editor(text).options)).code).toBe(0);
    expect(writes()).toEqual([{ body: '<p>@sanne see this</p>' }, { body: '<p>none</p>' }]);
  });

  test('is HTML in the editor with --html', async () => {
    const { files, options } = editor('a <b>b</b>');
    expect((await here.svc([...COMMENT, '--html'], options)).code).toBe(0);
    expect([files[0]?.endsWith('.html'), writes()]).toEqual([true, [{ body: 'a <b>b</b>' }]]);
  });

  test.each(['', '\n \n'])('is not sent when empty (%j)', async (text) => {
    const { code, stderr } = await here.svc(COMMENT, editor(text).options);
    expect([code, stderr]).toEqual([
      1,
      'svc: The text is empty, so svc sent nothing.\n  Run the command again, and save a text in the editor.\n',
    ]);
    expect([writes(), await draftsLeft()]).toEqual([[], []]);
  });

  test('stays in a file after a failed send, and svc prints the path', async () => {
    here.sandbox.setFaults([{ method: 'POST', status: 503, times: Number.POSITIVE_INFINITY }]);
    const { code, stderr } = await here.svc(COMMENT, { ...editor('Long **work**').options, hurried: true });
    expect(code).toBe(8);
    const file = /Your text is in (\S+)/.exec(stderr.replace(/\n\s+/g, ' '))?.[1] ?? '';
    expect(await (await import('node:fs/promises')).readFile(file, 'utf8')).toBe('Long **work**');
    await (await import('node:fs/promises')).rm(file);
    // The command that resolves the write has the text, so that it makes the same write.
    expect(stderr).toContain("Resume with: svc work-items comments create ABC-12 --body 'Long **work**'");
  });

  test('is typed as one line at a prompt without an editor', async () => {
    const { code, stdout, stderr } = await here.svc(COMMENT, { answers: ['Looks *good*'], terminal: 100 });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Created the comment on ABC-12 · #\d+\n$/)]);
    // No noun of its own changes a comment.
    expect(stderr).toMatch(/\nUndoing it means a delete, which needs a personal access token: svc token set\n/);
    expect(writes()).toEqual([{ body: '<p>Looks <em>good</em></p>' }]);
  });

  test('opens no editor in a script or with --no-input, nor does a text in --body', async () => {
    expect((await here.svc([...COMMENT, '--body', 'x'], { answers: [], env: { EDITOR: 'mine' } })).code).toBe(0);
    for (const options of [{}, { answers: [] }]) {
      const argv = options.answers === undefined ? COMMENT : [...COMMENT, '--no-input'];
      const { code, stderr } = await here.svc(argv, { ...options, env: { EDITOR: 'mine', NO_COLOR: '1' } });
      expect([code, stderr]).toEqual([2, 'svc: There is nothing to send.\n  See: svc work-items comments create --help\n']);
    }
  });
});
