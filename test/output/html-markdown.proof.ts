// The Markdown that `edit` shows, read back and compared with the HTML of the service by a browser’s parser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlToMarkdown } from '../../src/output/html-markdown.ts';
import { markdownToHtml } from '../../src/output/markdown-html.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

/** Texts that Markdown reads otherwise, or cannot express. */
const TEXTS = [
  '<ul><li>a<ul><li>b<ol><li>c</li><li>d</li></ol></li></ul></li><li>e</li></ul>',
  '<ol start="3"><li><p>a</p><p>b</p></li><li><p>c</p></li></ol>',
  '<ul><li>a</li></ul><ul><li>b</li></ul>',
  '<ol><li>a</li></ol><ol><li>b</li></ol>',
  '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>x|y</td><td>`c`</td></tr></tbody></table>',
  '<table><tbody><tr><td>a</td></tr></tbody></table>',
  '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>x<br>y</td></tr></tbody></table>',
  '<pre><code class="language-js">let a = 1;\n\n  b``` c\n</code></pre>',
  '<pre>plain\n  two</pre>',
  '<pre><code>\n\nx\n\n\n</code></pre>',
  '<p>a &amp;lt; b &lt;c&gt; &amp;amp; &copy; &nbsp;x&nbsp;</p>',
  '<p>&nbsp;</p>',
  '<p>a\u00a0b</p>',
  '<p>a&nbsp;&nbsp;b</p>',
  '<p>a\u200bb\u00adc\u2028d</p>',
  '<p>&#8203;x</p>',
  '<p>Hi <span data-type="mention" data-id="7">@Mira</span></p>',
  '<p><a href="/users/7" class="mention">@Mira</a></p>',
  '<p>@mira #12 ABC-12 :smile:</p>',
  '<p>*not* _em_ __x__ ~~d~~ `c` [l](u) ![i](u) &lt;b&gt; \\* \\ # h</p>',
  '<p># h</p>',
  '<p>- a</p>',
  '<p>1. a</p>',
  '<p>1) a</p>',
  '<p>&gt; q</p>',
  '<p>    code</p>',
  '<p>---</p>',
  '<p>===</p>',
  '<p>a<br>---</p>',
  '<p>a<br>===</p>',
  '<p>a<br># b</p>',
  '<p>a<br>- b</p>',
  '<p>a<br>1. b</p>',
  '<p>a<br>&gt; b</p>',
  '<p>a<br><br>b</p>',
  '<p><br></p>',
  '<p></p>',
  '<p>a</p><p></p><p>b</p>',
  '<h1>a</h1><h7>b</h7>',
  '<h2>a<br>b</h2>',
  '<h3>a # #</h3>',
  '<p><strong>a </strong>b</p>',
  '<p><strong> a</strong></p>',
  '<p>a<strong>b</strong>c</p>',
  '<p>a<em>b</em>c</p>',
  '<p><em><strong>x</strong></em></p>',
  '<p><strong><em>x</em> y</strong></p>',
  '<p><em>a</em><em>b</em></p>',
  '<p><strong>a</strong><strong>b</strong></p>',
  '<p><em></em>x</p>',
  '<p><em>a_b</em></p>',
  '<p><em>“q”</em>x</p>',
  '<p>x<strong>“q”</strong>x</p>',
  '<p><code>a  b</code></p>',
  '<p><code> a </code></p>',
  '<p><code>`</code></p>',
  '<p><code>&lt;b&gt;</code></p>',
  '<p><code></code></p>',
  '<p><code>a\nb</code></p>',
  '<p><code>a<strong>b</strong></code></p>',
  '<p><a href="https://x.y/a b">t</a></p>',
  '<p><a href="https://x.y/(a">t</a></p>',
  '<p><a href="https://x.y" title="a &quot;b&quot;">t</a></p>',
  '<p><a href="https://x.y">https://x.y</a></p>',
  '<p>https://x.y and www.a.b and a@b.c</p>',
  '<p><a href="javascript:alert(1)">x</a></p>',
  '<p><a href="">x</a></p>',
  '<p><a href="x">a]b</a></p>',
  '<p><a href="x"><img src="y" alt="z"></a></p>',
  '<p><a href="mailto:a@b.c">a@b.c</a></p>',
  '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>',
  '<blockquote><ul><li>a</li></ul></blockquote>',
  '<blockquote>a</blockquote>',
  '<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>',
  '<p>a</p>b<p>c</p>',
  'text only',
  'a &lt; b',
  '<div>x</div>',
  '<p>x</p><hr><p>y</p>',
  '<ul><li>a<p>b</p></li></ul>',
  '<ul><li></li><li>b</li></ul>',
  '<ul><li><input type="checkbox" checked disabled> a</li></ul>',
  '<ul><li>[ ] a</li><li>[x] b</li></ul>',
  '<ul><li><pre><code>x\n\ny\n</code></pre></li></ul>',
  '<ul><li><h2>a</h2></li></ul>',
  '<ul>x<li>a</li></ul>',
  '<p>مرحبا <strong>عالم</strong> 12</p>',
  '<p>👩🏽‍💻 <em>👨‍👩‍👧</em></p>',
  '<p dir="rtl">x</p>',
  '<p>a <u>b</u></p>',
  '<p>a<sup>2</sup></p>',
  '<p>a\\<br>b</p>',
  '<p>a  <br>b</p>',
  '<p>a|b</p><p>---|---</p>',
  '<p>a | b<br>--- | ---</p>',
  '<p>[x]: y</p>',
  '<p>[^1]</p>',
  '<p>&amp;nbsp; &amp;#35;</p>',
  '<p>a&#10;b</p>',
  '<p>1986\\. x</p>',
  '<p>+ a</p>',
  '<p>~~~</p>',
  '<p>```</p>',
  '<p>&lt;!-- c --&gt;</p>',
  '<p>&lt;p&gt;x&lt;/p&gt;</p>',
  '<p>$a$ ==m== H~2~O</p>',
  '<P>X</P>',
  '<p>a</p>\r\n<p>b</p>',
  '<p>it\'s "q" -- ... (c)</p>',
  '<p>\ta</p>',
  '<p>a</p\n>',
  '<p>x<del>y</del></p>',
  '<p><s>y</s></p>',
  '<p><b>y</b></p>',
  '<p><i>y</i></p>',
];

/** The document of a text as one line. White space that a browser does not show is left out. */
const READ = `(html) => {
  const write = (node, isCode) => node.nodeType === Node.TEXT_NODE
    ? (isCode ? node.data.replace(/\\n$/, '') : node.data.replace(/[ \\t\\n\\r\\f]+/g, ' '))
    : '<' + node.nodeName + [...node.attributes].map(({ name, value }) => ' ' + name + '=' + JSON.stringify(value)).sort().join('') + '>' +
      [...node.childNodes].map((child) => write(child, isCode || node.nodeName === 'PRE')).join('') + '</' + node.nodeName + '>';
  return write(new DOMParser().parseFromString(html, 'text/html').body, false)
    .replace(/ ?(<\\/?(?:P|H[1-6]|UL|OL|LI|BLOCKQUOTE|PRE|HR|BR|TABLE|THEAD|TBODY|TR|T[HD]|BODY)\\b[^>]*>) ?/g, '$1');
}`;

describe.skipIf(command === undefined)('Markdown of rich text, in a browser (skipped where there is no Chromium)', () => {
  let chromium: Chromium;
  let page: Page;
  beforeAll(async () => {
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
  });
  afterAll(() => chromium.close());

  it('converts back to the same document, or is not offered', async () => {
    const offered = TEXTS.flatMap((html) => {
      const markdown = htmlToMarkdown(html);
      return markdown === undefined ? [] : [{ html, markdown, back: markdownToHtml(markdown).html }];
    });
    for (const { html, markdown, back } of offered) {
      const read = (text: string) => page.evaluate(`(${READ})(${JSON.stringify(text)})`);
      expect(await read(back), markdown).toBe(await read(html));
    }
    expect(offered.length).toBeGreaterThan(60);
  });
});
