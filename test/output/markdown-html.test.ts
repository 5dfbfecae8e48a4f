import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlToText } from '../../src/output/html-text.ts';
import { markdownToHtml, tagsLost } from '../../src/output/markdown-html.ts';

const html = (markdown: string) => markdownToHtml(markdown).html;

test.each([
  ['Looks good', '<p>Looks good</p>'],
  ['a < b & "c"', '<p>a &lt; b &amp; &quot;c&quot;</p>'],
  ['one\ntwo\n\nthree', '<p>one<br>two</p>\n<p>three</p>'],
  ['**b** _i_ ~~s~~ `x<y>`', '<p><strong>b</strong> <em>i</em> <del>s</del> <code>x&lt;y&gt;</code></p>'],
  ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['- [ ] open\n- [x] done', '<ul>\n<li>[ ] open</li>\n<li>[x] done</li>\n</ul>'],
  ['[it](https://a.example/?a=1&b=2)', '<p><a href="https://a.example/?a=1&amp;b=2">it</a></p>'],
  ['[it][1]\n\n[1]: https://a.example', '<p><a href="https://a.example">it</a></p>'],
  ['sanne@example.com', '<p><a href="mailto:sanne@example.com">sanne@example.com</a></p>'],
  ['[a](http://x/"onclick=y "t\\"<")', '<p><a href="http://x/&quot;onclick=y" title="t&quot;&lt;">a</a></p>'],
])('svc converts the Markdown %j to HTML', (markdown, expected) => {
  expect(markdownToHtml(markdown)).toEqual({ html: expected, notes: [] });
});

describe('formatting that rich text cannot have', () => {
  test.each([
    [
      '<b>x</b> and <i>',
      '<p>&lt;b&gt;x&lt;/b&gt; and &lt;i&gt;</p>',
      ['svc sends HTML tags as text: <b> </b> <i>. To send the text as HTML: --html'],
    ],
    [
      'a\n\n<div>\n**x**\n</div>',
      '<p>a</p>\n<p>&lt;div&gt;<br><strong>x</strong><br>&lt;/div&gt;</p>',
      [expect.stringContaining('<div> </div>')],
    ],
    ['<!-- c --> x', '<p>&lt;!-- c --&gt; x</p>', [expect.stringContaining('<!-- c -->')]],
    [
      '![a chart](https://a.example/x.png)',
      '<p><a href="https://a.example/x.png">a chart</a></p>',
      [expect.stringContaining('becomes a link')],
    ],
    ['[x](javascript:alert(1))', '<p>x (javascript:alert(1))</p>', [expect.stringContaining('stays text')]],
    ['[x](\u0001javascript:y)', expect.not.stringContaining('href'), expect.anything()],
    ['[x](java\tscript:y)', expect.not.stringContaining('href'), expect.anything()],
    ['<JavaScript:alert(1)>', '<p>JavaScript:alert(1)</p>', [expect.stringContaining('stays text')]],
    ['[x][1]\n\n[1]: data:text/html,x', '<p>x (data:text/html,x)</p>', [expect.stringContaining('stays text')]],
    ['[x](notes.md) [y](//a.example)', '<p>x (notes.md) y (//a.example)</p>', [expect.anything(), expect.anything()]],
    ['```js of mine\nx\n```', '<pre><code class="language-js">x\n</code></pre>', [expect.stringContaining('js of mine')]],
    ['| a |\n|---|\n| 1 | 2 |', expect.stringContaining('<table>'), [expect.stringContaining('more cells')]],
    ['x\n\n[nowhere]: https://a.example', '<p>x</p>', ['No link uses [nowhere]: https://a.example, so svc leaves out the definition.']],
  ])('leads to a notice for %j', (markdown, expected, notes) => {
    expect(markdownToHtml(markdown)).toEqual({ html: expected, notes });
  });
});

/** Tags and attributes that come of Markdown, and no others. */
const MADE =
  /<\/?(?:p|strong|em|del|code(?: class="language-[^"<>]*")?|pre|h[1-6]|ul|ol(?: start="\d+")?|li|blockquote|hr|br|table|thead|tbody|tr|t[hd](?: align="(?:left|right|center)")?|a(?: href="(?:https?|mailto):[^"<>]*"(?: title="[^"<>]*")?)?)>/gi;

test('svc creates only the allowed tags and addresses, and shows or reports each word', () => {
  let count = 0;
  const word = fc.constant(null).map(() => `w${count++}w`);
  const mark = fc.constantFrom(
    '<b>',
    '</b>',
    '<script>',
    '<a href="javascript:x" onclick=y>',
    '<!--',
    '-->',
    '<',
    '>',
    '&',
    '&#60;',
    '"',
    '`',
    '```\n',
    '*',
    '**',
    '_',
    '~~',
    '[',
    ']',
    '](',
    '](javascript:',
    '](https://a.example/',
    ')',
    '![',
    '\n',
    '\n\n',
    '\n- ',
    '\n1. ',
    '\n> ',
    '\n# ',
    '\n    ',
    '| ',
    '\n|---|\n',
    '\\',
    ' ',
    ': ',
    '[1]: ',
    '[1]',
    'https://b.example/',
    '\u001b[31m',
    '\u202e',
    '<https:',
    '<javascript:',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, mark, fc.constant(' ')), { maxLength: 30 }), (pieces) => {
      const markdown = pieces.join('');
      const made = html(markdown);
      expect(made.replace(MADE, '')).not.toMatch(/[<>]/);
      const { notes } = markdownToHtml(markdown);
      // svc reports a table once, not each cell.
      if (notes.some((note) => note.includes('more cells than the header'))) return;
      const shown = `${htmlToText(made)} ${notes.join(' ')} ${made.replaceAll('&amp;', '&')}`;
      for (const typed of pieces.filter((piece) => /^w\d+w$/.test(piece))) expect(shown, markdown).toContain(typed);
    }),
    { numRuns: 2_000 },
  );
});

test('the text that svc shows for rich text is Markdown that gives the same text again', () => {
  const markdown = '# Plan\n\nFirst **this**, then [that](https://a.example).\nAnd a line.\n\n- one\n- two\n\n1. x\n2. y\n\na < b & c';
  const shown = htmlToText(html(markdown));
  expect(shown).toBe('Plan\n\nFirst this, then that (https://a.example).\nAnd a line.\n\n- one\n- two\n\n1. x\n2. y\n\na < b & c');
  expect(htmlToText(html(shown))).toBe(shown);
});

test.each([
  ['<p><b>x</b></p>', '<p><strong>x</strong></p>', []],
  ['<p>x</p><table><tr><td>1</td></tr></table><hr>', '<p>x</p>1', ['<table>', '<hr>']],
  ['<p>&lt;table&gt;</p>', '<p>table</p>', []],
])('svc compares the sent %j with the stored %j, and reports the lost tags %j', (sent, kept, lost) => {
  expect(tagsLost(sent, kept)).toEqual(lost);
});
