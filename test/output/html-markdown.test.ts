import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlToMarkdown } from '../../src/output/html-markdown.ts';
import { htmlToText } from '../../src/output/html-text.ts';
import { markdownToHtml } from '../../src/output/markdown-html.ts';

test.each([
  ['', ''],
  ['<p>Looks good</p>', 'Looks good'],
  ['<p>one<br>two</p><p>three</p>', 'one\ntwo\n\nthree'],
  [
    '<p>As a <em>person</em> I <strong>want</strong> <del>x</del></p><ul><li>fast</li><li>right</li></ul>',
    'As a _person_ I **want** ~~x~~\n\n- fast\n- right',
  ],
  ['<p>a &lt; b &amp; c_d # e 1. f &euro; 5</p>', 'a < b & c_d # e 1. f € 5'],
  ['<p>*a* &amp;amp; &lt;b&gt; 1</p>', '\\*a\\* &amp;amp; &lt;b&gt; 1'],
  ['<p>1. a</p>', '1\\. a'],
  ['<h2>Plan</h2>\n<hr/>\n<p>x</p>', '## Plan\n\n---\n\nx'],
  ['<p>see <a href="https://a.example/?a=1&amp;b=2">this</a></p>', 'see [this](https://a.example/?a=1&b=2)'],
  ['<p><a href="https://a.example">https://a.example</a></p>', '<https://a.example>'],
  ['<p><a href="https://a.example" title="A">a</a></p>', '[a](https://a.example "A")'],
  ['<p><a href="mailto:ada@example.com">ada@example.com</a></p>', '<ada@example.com>'],
  ['<p>the <code>x`&lt;y&gt;</code></p>', 'the ``x`<y>``'],
  ['<pre><code class="language-js">a\n\n  b</code></pre>', '```js\na\n\n  b\n```'],
  ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['<ol start="3"><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '3. a\n   - b\n4. c'],
  ['<ul><li><p>a</p></li><li><p>b</p><p>c</p></li></ul>', '- a\n\n- b\n\n  c'],
  ['<ul><li>[ ] a</li><li>[x] b</li></ul>', '- [ ] a\n- [x] b'],
  [
    '<table><thead><tr><th>a</th><th align="right">b|c</th></tr></thead><tbody><tr><td>1</td><td align="right">2</td></tr></tbody></table>',
    '| a | b\\|c |\n| --- | --: |\n| 1 | 2 |',
  ],
  ['<p> spaced \n  out </p>\n\n<p>x</p>', 'spaced out\n\nx'],
])('svc converts the HTML %j to the Markdown %j', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

test.each([
  ['a colour', '<p><span style="color: red">x</span></p>'],
  ['a mention', '<p><a class="mention" href="https://a.example">x</a></p>'],
  ['a link that opens elsewhere', '<p><a href="https://a.example" target="_blank">x</a></p>'],
  ['an unsafe link', '<p><a href="javascript:x">y</a></p>'],
  ['a picture', '<p><img src="https://a.example/x.png"></p>'],
  ['text outside a paragraph', 'x'],
  ['a tag with the same meaning', '<p><b>x</b></p>'],
  ['an underline', '<p><u>x</u></p>'],
  ['an empty paragraph', '<p>a</p><p></p>'],
  ['spaces that a browser shows', '<p>a</p><p>&nbsp;</p>'],
  ['an address that is no link', '<p>https://a.example</p>'],
  ['a line break in a cell', '<table><thead><tr><th>a<br>b</th></tr></thead></table>'],
  ['a comment', '<p>a<!-- b --></p>'],
  ['a soft hyphen', '<p>a&shy;b</p>'],
  ['an unknown entity', '<p>&alpha;</p>'],
  ['tags that do not match', '<p><em>a</p></em>'],
  ['a tag without its end', '<p>a'],
  ['hidden contents', '<p>a</p><script>b</script>'],
  ['too many levels', `${'<blockquote>'.repeat(200)}<p>x</p>${'</blockquote>'.repeat(200)}`],
])('svc makes no Markdown of %s', (_, html) => {
  expect(htmlToMarkdown(html)).toBeUndefined();
});

const words = fc.constantFrom(
  'a',
  'b c',
  '1.',
  '- d',
  '# e',
  '*f*',
  '_g',
  '<h>',
  '&amp;',
  '|',
  '`',
  '\\',
  '[i](j)',
  'é\u00a0k',
  '~~',
  'l@example.com',
);
const { block } = fc.letrec<{ line: string; block: string; item: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words.map((text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')),
    fc.tuple(fc.constantFrom('strong', 'em', 'del', 'code', 'u', 'b'), tie('line')).map(([tag, text]) => `<${tag}>${text}</${tag}>`),
    tie('line').map((text) => `<a href="https://a.example">${text}</a>`),
    fc.tuple(tie('line'), fc.constantFrom(' ', '<br>', ''), tie('line')).map((parts) => parts.join('')),
  ),
  item: fc.oneof(
    tie('line'),
    fc.array(tie('block'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
  ),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('line').map((text) => `<p>${text}</p>`),
    tie('line').map((text) => `<h3>${text}</h3>`),
    fc.constant('<pre><code>a\n  &lt;b&gt;\n</code></pre>'),
    tie('block').map((text) => `<blockquote>${text}</blockquote>`),
    fc
      .tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('item'), { minLength: 1, maxLength: 3 }))
      .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`),
  ),
}));

test('Markdown from svc converts to HTML with the same tags and text', () => {
  const tagsOf = (html: string) => html.match(/<[^>]+>/g) ?? [];
  let found = 0;
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 3 }), (blocks) => {
      const html = blocks.join('');
      const markdown = htmlToMarkdown(html);
      if (markdown === undefined) return;
      found += 1;
      const made = markdownToHtml(markdown);
      expect([made.notes, tagsOf(made.html), htmlToText(made.html)], markdown).toEqual([[], tagsOf(html), htmlToText(html)]);
    }),
    { numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(100);
});
