import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markdownLoses } from '../../src/commands/resource/markdown-loss.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

describe('values in a request body (rules 2.7, 2.8, 2.23, 2.26, 2.28, 2.30, 2.31, 2.33, 2.36, 2.37)', () => {
  let here: Recording;
  beforeAll(async () => {
    here = await startRecording();
  });
  afterAll(() => here.remove());
  beforeEach(() => void here.sent());

  /** Returns the body that a line sends. */
  async function body(...argv: string[]): Promise<unknown> {
    const result = await here.svc(argv, { now: Date.parse('2026-06-10T10:00:00Z') });
    expect(result.code, result.stderr).toBe(0);
    const last = here.server.requests.at(-1);
    return JSON.parse(last?.body ?? 'null');
  }

  it.each([
    ['a duration', ['budgets', 'create', '--name', 'X', '--budget', '1h30'], { name: 'X', budget: 90 }],
    ['money', ['subscription-products', 'create', '--unit-price', '12.5'], { unit_price: '12.50' }],
    ['a percentage', ['sales-invoice-rows', 'update', '3', '--vat-rate', '21'], { vat_rate: 21 }],
    ['a decimal', ['sales-invoices', 'rows', 'create', '7', '--quantity', '1.25'], { quantity: '1.25' }],
    [
      'coordinates',
      ['company-branches', 'update', '2', '--latitude', '51.9225', '--longitude=-4.5'],
      { latitude: 51.9225, longitude: -4.5 },
    ],
    ['a date', ['work-items', 'update', 'ABC-12', '--due-date', 'tomorrow'], { due_date: '2026-06-11' }],
    ['a date-time', ['absences', 'create', '--start', '2026-03-02 09:00'], { start: '2026-03-02T08:00:00Z' }],
    ['booleans', ['todos', 'update', '5', '--done'], { is_done: true }],
    [
      'opposite booleans',
      ['customer-subscriptions', 'update', '5', '--no-auto-renew', '--no-active'],
      { auto_renew: false, active: false },
    ],
    ['a known enum value', ['projects', 'update', '12', '--status', 'on-hold'], { status: 'on-hold' }],
    ['enums that the catalog does not know', ['projects', 'update', '12', '--status', 'brand-new'], { status: 'brand-new' }],
    ['enums in the words that svc shows', ['projects', 'update', '12', '--status', 'on hold'], { status: 'on-hold' }],
    ['unknown enums in words', ['projects', 'update', '12', '-F', 'status=Pending approval'], { status: 'pending_approval' }],
    ['HTML', ['work-items', 'comments', 'create', 'ABC-12', '--body', '<p>a < b</p>'], { body: '<p>a < b</p>' }],
  ])('have the format that the service requires for %s', async (_, argv, expected) => {
    expect(await body(...argv)).toEqual(expected);
  });

  it('are the exact text after -f', async () => {
    expect(await body('projects', 'update', '12', '-f', 'status=on hold')).toEqual({ status: 'on hold' });
  });

  it('keep every digit in fields outside the catalog', async () => {
    expect(await body('labels', 'create', '-F', 'weight=1.50', '-F', 'size=15', '-f', 'code=07', '--name', 'x')).toEqual({
      weight: '1.50',
      size: 15,
      code: '07',
      name: 'x',
    });
  });

  it('come from a named flag rather than from --data', async () => {
    expect(await body('labels', 'create', '--data', '{"name": "a", "color": "b"}', '--name', 'c')).toEqual({ name: 'c', color: 'b' });
  });

  it('can come from standard input', async () => {
    expect(await here.svc(['labels', 'create', '--data', '-'], { stdin: '{"name": "a"}' })).toMatchObject({ code: 0 });
    expect(here.server.requests.at(-1)?.body).toBe('{"name":"a"}');
  });

  it('can be rich text from a file', async () => {
    const file = join(process.cwd(), 'test/contract/paths.test.ts');
    expect(await body('drive-documents', 'create', '--content', `@${file}`)).toEqual({ content: await readFile(file, 'utf8') });
  });

  it('keep large numbers exactly as typed', async () => {
    await here.svc(['labels', 'create', '-F', 'weight=12345678901234567890']);
    expect(here.server.requests.at(-1)?.body).toBe('{"weight":12345678901234567890}');
  });

  it('include today as the date of hours by default', async () => {
    expect(await body('worklogs', 'add', '--minutes', '90')).toEqual({ minutes: 90, date: '2026-06-10' });
    expect(await body('worklogs', 'add', '--minutes', '90', '--date', 'yesterday')).toEqual({ minutes: 90, date: '2026-06-09' });
  });

  it.each([
    ['three decimals of money', ['subscription-products', 'create', '--unit-price', '1.005'], '--unit-price'],
    ['more than 100 percent', ['sales-invoice-rows', 'update', '3', '--vat-rate', '101'], '--vat-rate'],
    ['an ambiguous duration', ['budgets', 'create', '--budget', '1h90'], '--budget'],
    ['eight decimals of a coordinate', ['company-branches', 'update', '2', '--latitude', '1.12345678'], '--latitude'],
    ['an invalid id', ['projects', 'update', '12', '--customer', '0'], '--customer'],
    ['a day that does not exist', ['work-items', 'update', 'ABC-12', '--due-date', '2026-02-30'], '--due-date'],
    ['an update without fields', ['projects', 'update', '12'], 'nothing to change'],
    ['a create without fields', ['events', 'create', '--data', '{}'], 'nothing to send'],
    ['a status in an update', ['work-items', 'update', 'ABC-12', '--workflow-status', '3'], '--workflow-status'],
    ['a read-only field', ['workflows', 'create', '--name', 'X', '--order', '3'], '--order'],
    ['an idempotency key with blanks', ['labels', 'create', '--name', 'x', '--idempotency-key', 'a b'], '--idempotency-key'],
    ['missing minutes', ['worklogs', 'add', '--description', 'x'], '--minutes'],
    ['invalid JSON', ['labels', 'create', '--data', '[1]'], '--data'],
  ])('make svc exit 2 and send nothing in the case of %s', async (_, argv, words) => {
    const result = await here.svc(argv);
    expect([result.code, here.sent(), result.stderr.includes(words)], result.stderr).toEqual([2, [], true]);
  });

  it('are sent unchanged by a create, with a new Idempotency-Key each time (rules 6.10, 6.11, 9.32, 9.37)', async () => {
    await here.svc(['workflows', 'create', '--name', 'Support']);
    await here.svc(['workflows', 'create', '--name', 'Support']);
    const [first, second] = here.server.requests.slice(-2);
    expect(first).toMatchObject({ method: 'POST', path: '/api/v2/workflows', body: '{"name":"Support"}' });
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json, application/problem+json' });
    expect(first?.headers['idempotency-key']).toMatch(/^.{16,255}$/);
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  it('come with the ETag of the last read when an update has --if-unchanged (rule 6.8)', async () => {
    await here.svc(['projects', 'get', '12']);
    await here.svc(['projects', 'update', '12', '--name', 'X', '--if-unchanged']);
    expect(here.sent()).toEqual(['GET /projects/12', 'PATCH /projects/12']);
    expect(here.server.requests.at(-1)?.headers['if-match']).toBe('"e1"');
    await here.svc(['projects', 'update', '12', '--name', 'X', '--if-match', '"mine"']);
    expect(here.sent()).toEqual(['PATCH /projects/12']);
    expect(here.server.requests.at(-1)?.headers['if-match']).toBe('"mine"');
  });

  it('are shown by --dry-run with cost and ability, and not sent', async () => {
    const shown = async (...argv: string[]) => JSON.parse((await here.svc([...argv, '--dry-run'])).stdout);
    expect(await shown('notes', 'create', '--name', 'x')).toMatchObject({
      method: 'POST',
      url: `http://${here.host}/api/v2/notes`,
      body: { name: 'x' },
      cost: { write: 1, read: 1 },
      ability: 'api:write:project_drive or api:write:customer_drive or api:write:organization_drive or api:write:user_drive',
    });
    expect(await shown('work-items', 'comments', 'delete', 'ABC-12', '5')).toMatchObject({
      method: 'DELETE',
      url: `http://${here.host}/api/v2/work-items/ABC-12/comments/5`,
      ability: 'api:destroy:project_management',
    });
    expect(here.sent()).toEqual([]);
  });

  it('make svc exit 9 and name an assumed field when the service refuses that field', async () => {
    here.server.script(
      json(422, {
        type: 'https://problems.example.com/validation-failed',
        detail: 'The key color is not accepted.',
        key: 'color',
        code: 'unknown_key',
      }),
    );
    const result = await here.svc(['labels', 'create', '--name', 'x', '--color', 'red']);
    expect(result.code).toBe(9);
    expect(result.stderr).toContain('svc assumed the field');
  });
});

describe('svc', () => {
  let here: SignedIn;
  beforeAll(async () => {
    here = await signedIn({ personalToken: true });
  });
  afterAll(() => here.remove());
  beforeEach(() => {
    here.sandbox.requests.length = 0;
  });
  afterEach(() => here.sandbox.setFaults([]));

  const methods = () =>
    here.sandbox.requests.splice(0).map(({ method, path }) => `${method} ${path.replace('/api/v2', '').replace(/\?.*/, '')}`);
  const record = async (...argv: string[]) => JSON.parse((await here.svc(argv)).stdout);

  describe('edit', () => {
    /** An editor that changes the text with `change`. */
    const editor = (change: (text: string) => string, code = 0): RunOptions => ({
      env: { EDITOR: 'ed' },
      answers: [],
      terminal: 100,
      async program(_, [file = '']) {
        await writeFile(file, change(await readFile(file, 'utf8')));
        return code;
      },
    });
    /** svc reads the record, and the names of others. */
    const READS = ['GET /work-items/ABC-12', 'GET /work-items/ABC-12'];
    const drafts = () => readdir(join(here.home, '.cache/svc/edit')).catch(() => []);

    it('sends only the changed fields, with the ETag', async () => {
      const result = await here.svc(
        ['work-items', 'edit', 'ABC-12'],
        editor((text) => text.replace(/^estimation: .*$/m, 'estimation: 2h')),
      );
      expect(result.code, result.stderr).toBe(0);
      const patch = here.sandbox.requests.at(-1);
      expect([patch?.method, patch?.body]).toEqual(['PATCH', '{"estimation":120}']);
      expect(patch?.headers['if-match']).toMatch(/^"/);
      expect(await drafts()).toEqual([]);
    });

    it.each([
      ['nothing was changed', (text: string) => text],
      ['the file was emptied', () => ''],
    ])('sends no write when %s', async (_, change) => {
      const result = await here.svc(['work-items', 'edit', 'ABC-12'], editor(change));
      expect([result.code, methods()]).toEqual([0, READS]);
      expect(result.stderr).toContain('svc changed nothing.');
    });

    it.each([
      ['the text is no longer YAML', (text: string) => `${text}\n: [`, 0, 2],
      ['a value is invalid', (text: string) => text.replace(/^due_date: .*$/m, 'due_date: someday'), 0, 2],
      ['the editor fails', (text: string) => text.replace(/^title: .*$/m, 'title: Other'), 1, 1],
    ])('keeps the typed text in a file when %s', async (_, change, editorCode, code) => {
      const result = await here.svc(['work-items', 'edit', 'ABC-12'], editor(change, editorCode));
      expect([result.code, methods()], result.stderr).toEqual([code, READS]);
      const file = /Your text is in (\S+)/.exec(result.stderr)?.[1] ?? '';
      expect(await readFile(file, 'utf8')).toContain('work item ABC-12');
    });

    it('exits 6 and shows both versions when somebody else changed the record', async () => {
      const result = await here.svc(['projects', 'edit', '1'], {
        ...editor((text) => text),
        async program(_, [file = '']) {
          await here.svc(['projects', 'update', '1', '--name', 'Theirs', '--status', 'on-hold']);
          await writeFile(file, (await readFile(file, 'utf8')).replace(/^name: .*$/m, 'name: Mine'));
          return 0;
        },
      });
      expect(result.code).toBe(6);
      expect(result.stderr).toMatch(/field +theirs +yours/);
      expect(result.stderr).toMatch(/name +Theirs +Mine/);
      expect(result.stderr).toMatch(/status +on-hold/);
      expect(result.stderr).toContain('Your text is in');
      expect(await record('projects', 'get', '1')).toMatchObject({ name: 'Theirs' });
    });

    it('exits 2 without a terminal, and sends nothing', async () => {
      expect((await here.svc(['projects', 'edit', '1'])).code).toBe(2);
      expect(methods()).toEqual([]);
    });
  });

  describe('delete', () => {
    it('asks at a terminal, and names the record', async () => {
      const { id } = await record('labels', 'create', '--name', 'to go');
      methods();
      const kept = await here.svc(['labels', 'delete', String(id)], { answers: [false] });
      expect([kept.code, methods()]).toEqual([1, [`GET /labels/${id}`]]);
      expect(kept.stderr).toContain(`label ${id}: to go`);
      // The record was read a moment ago, and the service allows caching labels for a minute (rule 7.2).
      const gone = await here.svc(['labels', 'delete', String(id), '--no-cache'], { answers: [true] });
      expect([gone.code, methods()]).toEqual([0, [`GET /labels/${id}`, `DELETE /labels/${id}`]]);
    });

    it('exits 2 without --yes and without a terminal', async () => {
      const result = await here.svc(['labels', 'delete', '1']);
      expect([result.code, methods()]).toEqual([2, []]);
    });

    it('prints the outcome of each record, and exits 10 when some fail', async () => {
      const { id } = await record('labels', 'create', '--name', 'to go');
      const result = await here.svc(['labels', 'delete', '999', String(id), '--yes']);
      expect(result.code).toBe(10);
      expect(JSON.parse(result.stdout)).toEqual([
        { id: 999, deleted: false, error: expect.stringContaining('999') },
        { id, deleted: true },
      ]);
    });

    it('stops at a failure that would affect every record', async () => {
      const { id } = await record('labels', 'create', '--name', 'to go');
      const { id: other } = await record('labels', 'create', '--name', 'to stay');
      methods();
      here.sandbox.setFaults([{ method: 'DELETE', skip: 1, times: 999, status: 500 }]);
      const further = Array.from({ length: 8 }, (_, index) => String(990 + index));
      const result = await here.svc(['labels', 'delete', String(id), String(other), ...further, '--yes'], { hurried: true });
      expect(result.code).toBe(10);
      // svc deletes one, then eight at once. It does not start the tenth.
      const tried = [id, other, ...further.slice(0, 7)].map((one) => `DELETE /labels/${one}`);
      expect([...new Set(methods())].sort()).toEqual(tried.sort());
      expect(JSON.parse(result.stdout)[9]).toEqual({ id: 997, deleted: false, error: 'Not tried.' });
    });

    it('deletes a child record, and names the record in the question', async () => {
      const { id } = await record('work-items', 'comments', 'create', 'ABC-12', '--body', '<p>Wrong <b>place</b></p>');
      methods();
      const result = await here.svc(['work-items', 'comments', 'delete', 'ABC-12', String(id)], { answers: [true] });
      expect([result.code, methods()]).toEqual([0, [`GET /work-items/ABC-12/comments/${id}`, `DELETE /work-items/ABC-12/comments/${id}`]]);
      expect(result.stderr).toContain(`comment ${id}: Wrong place`);
    });
  });

  describe('with Markdown for rich text (rule 2.39)', () => {
    const rich = '<p style="text-align: center">Hi <mark>you</mark> <span class="mention">@Ada</span></p>';

    /** Updates a document whose formatted text is `rich`. */
    async function update(options: RunOptions = {}) {
      const recording = await startRecording();
      recording.server.script(json(200, { data: { id: 3, content: 'Hi', content_html: rich } }));
      const result = await recording.svc(['drive-documents', 'update', '3', '--content', '# Hi'], options);
      const sent = recording.sent();
      await recording.remove();
      return { ...result, sent };
    }

    it('warns about the formatting that Markdown cannot express', async () => {
      const { code, stderr, sent } = await update();
      expect([code, sent]).toEqual([0, ['GET /drive-documents/3?include=content_html', 'PATCH /drive-documents/3']]);
      expect(stderr).toContain('This drive document has highlights, alignment, mentions. Markdown has no such formatting');
    });

    it('asks before the update at a terminal', async () => {
      expect(await update({ answers: [false] })).toMatchObject({ code: 1, sent: ['GET /drive-documents/3?include=content_html'] });
      expect((await update({ answers: [true] })).sent).toHaveLength(2);
    });

    it('asks nothing when no formatting is lost', async () => {
      await here.svc(['drive-documents', 'update', '1', '--content', '# Hi'], { answers: [] });
      await here.svc(['drive-documents', 'update', '1', '--name', 'Other'], { answers: [] });
      // At a terminal svc reads each document once, so that the update can be undone.
      expect(methods()).toEqual(['GET', 'PATCH', 'GET', 'PATCH'].map((method) => `${method} /drive-documents/1`));
    });

    it.each([
      ['<p>Plain <b>and</b> <a href="/x">linked</a></p>', []],
      ['<span style="color: red">x</span>', ['text colours']],
      ['<span style="background-color: #ff0">x</span>', ['highlights']],
      ['<p style="font-weight: bold; text-align: right">x</p>', ['alignment']],
      ['<span data-type="mention" data-id="4">@Ada</span>', ['mentions']],
      ['<table><tr><td align="right">1</td></tr></table>', []],
    ])('reports for %s only the lost formatting %j', (html, lost) => {
      expect(markdownLoses(html)).toEqual(lost);
    });
  });

  describe('for invoice rows (rules 5.15 to 5.18)', () => {
    it('warns in the help that the invoice changes to Pending approval', async () => {
      for (const argv of [
        ['sales-invoice-rows', 'update'],
        ['sales-invoices', 'rows', 'create'],
        ['sales-invoices', 'delete'],
      ]) {
        expect((await here.svc([...argv, '--help'])).stdout.replace(/\s+/g, ' ')).toContain('back to Pending approval');
      }
    });
  });

  describe('open', () => {
    it('prints the web address of the record (rule 2.40)', async () => {
      const result = await here.svc(['open', 'work-item', 'ABC-12', '--print']);
      expect(result.stdout).toBe(`${here.sandbox.origin}/work-items/ABC-12\n`);
      expect((await here.svc(['open', 'labels', '3'])).code).toBe(1);
      expect((await here.svc(['open', 'work-itms', 'ABC-12'])).stderr).toContain('Did you mean: svc open work-items ABC-12');
    });
  });

  it('import creates child records under a parent', async () => {
    const file = join(here.home, 'steps.csv');
    await writeFile(file, 'title\nOne\n');
    const result = await here.svc(['work-items', 'subtasks', 'import', 'ABC-12', file]);
    expect(result.code, result.stderr).toBe(0);
    expect(methods()).toEqual(['POST /work-items/ABC-12/subtasks']);
  });
});
