import { decodeEntities } from '../values/html-entities.ts';
import { neutraliseLine, neutraliseText } from './neutralise.ts';

/**
 * Converts rich text (sanitised HTML) to plain text with several lines. Paragraphs have blank lines between them. List items get dashes or
 * numbers. The address of a web or mail link follows the text of the link, unless the text is the address. Control characters become
 * visible, also if they are entities.
 */
export function htmlToText(html: string): string {
  return laidOut(html, new TextBuilder(false));
}

/**
 * Converts rich text to plain text for wrapping. Code blocks keep their lines, indented by four blanks. Code within a line gets backticks.
 */
export function htmlToPage(html: string): string {
  return laidOut(html, new TextBuilder(true));
}

function laidOut(html: string, page: TextBuilder): string {
  for (const token of htmlTokens(html)) {
    if (typeof token === 'string') page.text(decodeEntities(token));
    else place(page, token);
  }
  return neutraliseText(page.finish());
}

/** Converts rich text to plain text on one line, for a table. */
export function htmlToLine(html: string): string {
  return neutraliseLine(htmlToText(html)).replace(/\s+/g, ' ').trim();
}

interface Tag {
  /** The name of the tag in lower case. */
  readonly name: string;
  readonly closing: boolean;
  /** The text between the name of the tag and the `>`. */
  readonly attributes: string;
}

const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'table', 'dl', 'figure', 'hr']);
const LINES = new Set(['div', 'section', 'article', 'header', 'footer', 'li', 'tr', 'dt', 'dd', 'figcaption', 'caption']);
/** Elements whose contents are not text for people. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'title', 'textarea', 'iframe', 'svg', 'math']);

function place(page: TextBuilder, tag: Tag): void {
  if (PARAGRAPHS.has(tag.name)) page.paragraph();
  if (LINES.has(tag.name)) page.line();
  (tag.closing ? AT_END : AT_START).get(tag.name)?.(page, tag.attributes);
}

type Action = (page: TextBuilder, attributes: string) => void;

const AT_START: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['br', (page) => page.lineBreak()],
  ['hr', (page) => page.rule()],
  ['pre', (page) => page.preformatted(true)],
  ['ul', (page) => page.openList(false)],
  ['ol', (page) => page.openList(true)],
  ['li', (page) => page.item()],
  ['img', (page, attributes) => page.text(attribute(attributes, 'alt') ?? '')],
  ['a', (page, attributes) => page.openLink(attribute(attributes, 'href'))],
  ['code', (page) => page.code(true)],
]);

const AT_END: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['pre', (page) => page.preformatted(false)],
  ['ul', (page) => page.closeList()],
  ['ol', (page) => page.closeList()],
  ['td', (page) => page.text(' ')],
  ['th', (page) => page.text(' ')],
  ['a', (page) => page.closeLink()],
  ['code', (page) => page.code(false)],
]);

/** Builds plain text from words, and collapses white space as HTML does. */
class TextBuilder {
  #text = '';
  /** The white space to write before the next word: none, a blank, or line breaks. */
  #owed = '';
  /** True directly after a bullet. The first block of a list item then starts no new line. */
  #afterBullet = false;
  #preformatted = false;
  /** The text of the current code block, for a detail view. */
  #block = '';
  /** The state of code within a line. `opening` means that the backtick goes before the next word. */
  #code: 'none' | 'opening' | 'open' = 'none';
  /** The open lists. Each entry is the number of the last item, or undefined for bullets. */
  readonly #lists: (number | undefined)[] = [];
  #link: { readonly href: string; words: string } | undefined;
  readonly #isPage: boolean;

  constructor(isPage: boolean) {
    this.#isPage = isPage;
  }

  text(text: string): void {
    if (this.#preformatted) {
      if (this.#isPage) this.#block += text;
      else this.#put(text);
      return;
    }
    const words = text.replace(/[ \t\n\f\r]+/g, ' ');
    if (words.startsWith(' ')) this.#owe(' ');
    if (words.trim() === '') return;
    this.#put(words.trim());
    if (words.endsWith(' ')) this.#owe(' ');
  }

  preformatted(on: boolean): void {
    this.#preformatted = on;
    const block = this.#block.replace(/^(?:\r?\n)+/, '').trimEnd();
    this.#block = '';
    if (on || block === '') return;
    this.#put(block.replace(/^/gm, '    '));
    this.paragraph();
  }

  /** Starts (`on`) or ends code within a line. */
  code(on: boolean): void {
    if (!this.#isPage || this.#preformatted) return;
    if (this.#code === 'open') this.#text += '`';
    this.#code = on ? 'opening' : 'none';
  }

  line(): void {
    this.#owe('\n');
  }

  lineBreak(): void {
    if (this.#preformatted && this.#isPage) {
      this.#block += '\n';
      return;
    }
    this.#owed = this.#owed.includes('\n') ? '\n\n' : '\n';
  }

  /** Starts a paragraph. In a list, this method only starts a line, because editors put every item into a paragraph. */
  paragraph(): void {
    this.#owe(this.#lists.length > 0 ? '\n' : '\n\n');
  }

  rule(): void {
    this.#put('---');
    this.paragraph();
  }

  openList(ordered: boolean): void {
    this.paragraph();
    this.#lists.push(ordered ? 0 : undefined);
  }

  closeList(): void {
    this.#lists.pop();
    this.paragraph();
  }

  item(): void {
    const depth = Math.max(0, this.#lists.length - 1);
    // The indent has a limit, so that deep lists do not consist mostly of blanks.
    const shown = Math.min(depth, DEEPEST);
    const last = this.#lists[depth];
    if (last !== undefined) this.#lists[depth] = last + 1;
    this.#put(`${'  '.repeat(shown)}${last === undefined ? '-' : `${last + 1}.`}`);
    this.#owed = ' ';
    this.#afterBullet = true;
  }

  openLink(href: string | undefined): void {
    this.#link = href === undefined ? undefined : { href, words: '' };
  }

  closeLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined || !/^(?:https?|mailto):/i.test(link.href)) return;
    const words = link.words.trim();
    if (words !== link.href && `mailto:${words}` !== link.href) this.text(words === '' ? link.href : ` (${link.href})`);
  }

  finish(): string {
    this.preformatted(false);
    this.code(false);
    return this.#text.trimEnd();
  }

  #owe(space: ' ' | '\n' | '\n\n'): void {
    if (!this.#afterBullet && OWED.indexOf(space) > OWED.indexOf(this.#owed)) this.#owed = space;
  }

  #put(text: string): void {
    if (this.#text !== '') this.#text += this.#owed;
    if (this.#link !== undefined && this.#link.words !== '') this.#link.words += this.#owed;
    this.#owed = '';
    this.#afterBullet = false;
    if (this.#code === 'opening') {
      this.#text += '`';
      this.#code = 'open';
    }
    this.#text += text;
    if (this.#link !== undefined) this.#link.words += text;
  }
}

/** The most levels of nested lists that svc indents. Deeper levels keep the last indent. */
const DEEPEST = 10;

/** The kinds of white space. A later kind takes precedence over an earlier kind. */
const OWED = ['', ' ', '\n', '\n\n'];

/**
 * Splits HTML into text and tags in one pass. A `<` that starts no tag is text. Leaves out comments, and the contents of elements such as
 * `script`.
 */
export function* htmlTokens(html: string): Generator<string | Tag> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      yield html.slice(at);
      return;
    }
    if (open > at) yield html.slice(at, open);
    const end = endOfTag(html, open);
    if (end === undefined) {
      yield '<';
      at = open + 1;
      continue;
    }
    at = end;
    const tag = readTag(html.slice(open, end));
    if (tag === undefined) continue;
    yield tag;
    if (HIDDEN.has(tag.name) && !tag.closing && !tag.attributes.endsWith('/')) at = endOfElement(html, end, tag.name);
  }
}

/** Finds the end of the tag, comment or declaration at `open`. Undefined if the `<` at `open` starts no tag, comment or declaration. */
function endOfTag(html: string, open: number): number | undefined {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return end < 0 ? html.length : end + 3;
  }
  if (!/[a-zA-Z/!?]/.test(html.charAt(open + 1))) return undefined;
  return closingBracket(html, open + 1);
}

/** Finds the position after the `>` of a tag, ignoring quoted attributes. Returns the end of the text if there is no `>`. */
function closingBracket(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const character = html.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && html.charAt(at - 1) === '=') quote = character;
  }
  return html.length;
}

function readTag(text: string): Tag | undefined {
  const [, slash, name, attributes = ''] = /^<(\/?)([a-zA-Z][^\s/>]*)([\s\S]*?)>?$/.exec(text) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), closing: slash === '/', attributes };
}

/** Finds the end tag of an element. Returns the end of the text if there is no end tag. */
function endOfElement(html: string, from: number, name: string): number {
  const rest = html.slice(from).search(new RegExp(`</${name}[\\s/>]`, 'i'));
  return rest < 0 ? html.length : from + rest;
}

/** Returns the value of an attribute. Undefined if the tag lacks the attribute. */
export function attribute(attributes: string, name: string): string | undefined {
  const [, double, single, bare] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? [];
  const value = double ?? single ?? bare;
  return value === undefined ? undefined : decodeEntities(value);
}
