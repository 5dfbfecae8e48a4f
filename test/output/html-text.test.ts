import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlToLine, htmlToText } from '../../src/output/html-text.ts';

test.each([
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['a<br>b<br/>c', 'a\nb\nc'],
  ['a<br><br>b', 'a\n\nb'],
  ['  spaced \n  out  ', 'spaced out'],
  ['one <b>bold</b>, <i>two</i>', 'one bold, two'],
  ['<ul><li><p>one</p></li><li>two</li></ul>after', '- one\n- two\n\nafter'],
  ['<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '1. a\n  - b\n2. c'],
  ['<pre>x\n  y</pre>', 'x\n  y'],
  ['a<hr>b', 'a\n\n---\n\nb'],
  ['<table><tr><th>H</th><th>I</th></tr><tr><td>1</td><td>2</td></tr></table>', 'H I\n1 2'],
  ['see <a href="https://a.example/x?a=1&amp;b=2">this</a>.', 'see this (https://a.example/x?a=1&b=2).'],
  ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
  ['<a href="javascript:alert(1)">x</a>', 'x'],
  ['<img alt="a chart" src="x.png">', 'a chart'],
  ['a &lt;b&gt; &amp;lt; &quot;c&quot; &#39;d&#x27; &euro;&nbsp;5', 'a <b> &lt; "c" \'d\' €\u00a05'],
  ['&unknown; &amp &; &#0; &#xD800; &#99999999;', '&unknown; &amp &; \ufffd \ufffd &#99999999;'],
  ['x < y > z <3', 'x < y > z <3'],
  ['<script>alert("<p>")</script><style>p{}</style>text<!-- <p>gone</p> -->!', 'text!'],
  ['<a title="a > b" href="https://a.example">q</a>', 'q (https://a.example)'],
  ['&#27;[31m\u001b[0m&#x202e;', '␛[31m␛[0m\\u202e'],
  ['<p', ''],
  ['<!-- never closed', ''],
  ['', ''],
])('svc prints the HTML %j as text', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test('svc prints HTML on one line for a table', () => {
  expect(htmlToLine('<p>One</p><ul><li>two</li><li>three</li></ul>')).toBe('One - two - three');
});

test('svc prints no control character of HTML, and prints escaped text unchanged', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</',
    '<p>',
    '<li>',
    '</ul>',
    '<a href="',
    '"',
    '&',
    '&#27;',
    ';',
    '<!--',
    '-->',
    '<script>',
    ' ',
    'x',
    '\u001b',
    '\u202e',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((parts) => parts.join('')),
      ),
      (html) => {
        expect(htmlToText(html).replace(/\n|\t/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
        expect(htmlToLine(html)).not.toMatch(/\n/);
        const words = html
          .replace(/[\p{Cc}\u202e]/gu, '')
          .replace(/\s+/g, ' ')
          .trim();
        expect(htmlToText(words.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))).toBe(words);
      },
    ),
    { numRuns: 500 },
  );
});

test('svc reads 200,000 unfinished tags within the time limit of the test', () => {
  for (const piece of ['<', '<a href="', '<!--', '<p', '<script>', '</', '<li>', '&', '<ul>']) {
    // A quadratic reader needs minutes for these, and the test's own limit ends it.
    expect(typeof htmlToText(piece.repeat(200_000))).toBe('string');
  }
});
