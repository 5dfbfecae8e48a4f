import { decodeEntities } from '../values/html-entities.ts';
import { isRichHtml } from '../values/text.ts';
import { attribute, htmlTokens } from './html-text.ts';
import { escapeMarkdown, fenceFor } from './markdown.ts';
import { markdownToHtml } from './markdown-html.ts';
import { escapeHtml } from './neutralise.ts';

/** Converts HTML to Markdown. Undefined if Markdown can’t produce the same HTML again. Invisible white space may differ. */
export function htmlToMarkdown(html: string): string | undefined {
  const tree = treeOf(html);
  if (tree === undefined) return undefined;
  const wanted = normalForm(tree);
  return [plainWords, escapeMarkdown]
    .map((write) => blocksOf(tree.children, write).join('\n\n'))
    .find((markdown) => {
      const made = markdownToHtml(markdown);
      const back = treeOf(made.html);
      return made.notes.length === 0 && !isRichHtml(markdown) && back !== undefined && normalForm(back) === wanted;
    });
}

interface Element {
  readonly name: string;
  readonly attributes: string;
  readonly children: Node[];
}

type Node = Element | string;

type WriteWords = (words: string) => string;

function plainWords(words: string): string {
  return words.replace(/&(?=#?\w+;)/g, '&amp;');
}

const EMPTY: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

const DEEPEST = 50;

/**
 * Reads balanced HTML. Undefined for other HTML, for comments or entities that the tree cannot express, and for more than {@link DEEPEST}
 * levels.
 */
function treeOf(html: string): Element | undefined {
  const isLost = (entity: string) => ['', entity, '\ufffd'].includes(decodeEntities(entity));
  if (/<[!?]/.test(html) || html.match(/&#?\w+;/g)?.some(isLost)) return undefined;
  const root: Element = { name: '', attributes: '', children: [] };
  const open = [root];
  for (const token of htmlTokens(html)) {
    const parent = open.at(-1) ?? root;
    if (typeof token === 'string') parent.children.push(decodeEntities(token));
    else if (token.closing) {
      if (parent === root || parent.name !== token.name) return undefined;
      open.pop();
    } else {
      const element = { name: token.name, attributes: token.attributes.replace(/\/$/, '').trim(), children: [] };
      parent.children.push(element);
      if (!EMPTY.has(token.name)) open.push(element);
      if (open.length > DEEPEST) return undefined;
    }
  }
  return open.length === 1 ? root : undefined;
}

/** Returns HTML in a normal form, in which equal texts are equal strings. */
function normalForm(tree: Element): string {
  return written(tree, false).replace(AROUND_BLOCKS, '$1').trim();
}

const SPACES = /[ \t\n\f\r]+/g;
const AROUND_BLOCKS = / ?(<\/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|hr|br|table|thead|tbody|tr|t[hd])\b[^>]*>) ?/g;

function written({ name, attributes, children }: Element, isCode: boolean): string {
  const texts = children.map((child) => {
    if (typeof child !== 'string') return written(child, isCode || child.name === 'pre');
    // A browser does not show the last line break of a code block.
    return escapeHtml(isCode ? child.replace(/\n$/, '') : child.replace(SPACES, ' '));
  });
  if (name === '') return texts.join('');
  const start = [name, decodeEntities(attributes).replace(SPACES, ' ')].filter((part) => part !== '').join(' ');
  return `<${start}>${texts.join('')}</${name}>`;
}

const BLOCKS: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['ul', 'ol', 'blockquote', 'pre', 'hr', 'table'],
]);

function blocksOf(nodes: readonly Node[], write: WriteWords): string[] {
  const blocks: string[] = [];
  let line: Node[] = [];
  const endLine = () => {
    blocks.push(lineOf(line, write));
    line = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' || !BLOCKS.has(node.name)) line.push(node);
    else {
      endLine();
      blocks.push(blockOf(node, write));
    }
  }
  endLine();
  return blocks.filter((block) => block !== '');
}

function blockOf(element: Element, write: WriteWords): string {
  const { name, children } = element;
  switch (name) {
    case 'p':
      return lineOf(children, write);
    case 'hr':
      return '---';
    case 'pre':
      return codeBlock(children);
    case 'blockquote':
      return blocksOf(children, write).join('\n\n').replace(/^/gm, '> ').replace(/^> $/gm, '>');
    case 'ul':
    case 'ol':
      return listOf(element, write);
    case 'table':
      return tableOf(element, write);
    default:
      return `${'#'.repeat(Number(name.slice(1)))} ${lineOf(children, write)}`;
  }
}

/**
 * Returns the content of a block as Markdown. An element that Markdown lacks becomes its text, so {@link htmlToMarkdown} finds a
 * difference.
 */
function lineOf(nodes: readonly Node[], write: WriteWords): string {
  return nodes
    .map((node) => inlineOf(node, write))
    .join('')
    .trim();
}

function inlineOf(node: Node, write: WriteWords): string {
  if (typeof node === 'string') return write(node.replace(SPACES, ' '));
  const { name, attributes, children } = node;
  const words = children.map((child) => inlineOf(child, write)).join('');
  switch (name) {
    case 'br':
      return '\n';
    case 'strong':
      return `**${words}**`;
    case 'em':
      return `_${words}_`;
    case 'del':
      return `~~${words}~~`;
    case 'code': {
      const code = textOf(children);
      const fence = fenceFor(code);
      return `${fence}${code}${fence}`;
    }
    case 'a':
      return linkTo(attribute(attributes, 'href') ?? '', words, textOf(children), attribute(attributes, 'title'));
    default:
      return words;
  }
}

function linkTo(href: string, words: string, text: string, title: string | undefined): string {
  if (title === undefined && (text === href || `mailto:${text}` === href)) return `<${text}>`;
  return `[${words}](${href}${title === undefined ? '' : ` "${title}"`})`;
}

function textOf(nodes: readonly Node[]): string {
  return nodes.filter((node) => typeof node === 'string').join('');
}

function elementsIn({ children }: Element): readonly Element[] {
  return children.filter((child) => typeof child !== 'string');
}

function codeBlock([code]: readonly Node[]): string {
  if (typeof code !== 'object') return '';
  const text = textOf(code.children).replace(/\n$/, '');
  const fence = fenceFor(text, 3);
  return [fence + (attribute(code.attributes, 'class') ?? '').replace(/^language-/, ''), text, fence].join('\n');
}

function listOf(list: Element, write: WriteWords): string {
  const items = elementsIn(list);
  const isLoose = items.some((item) => elementsIn(item).some(({ name }) => name === 'p'));
  const between = isLoose ? '\n\n' : '\n';
  const first = Number(attribute(list.attributes, 'start') ?? 1);
  return items
    .map(({ children }, index) => {
      const bullet = list.name === 'ul' ? '- ' : `${first + index}. `;
      return (
        bullet +
        blocksOf(children, write)
          .join(between)
          .replace(/\n(?=.)/g, `\n${' '.repeat(bullet.length)}`)
      );
    })
    .join(between);
}

const ALIGNED: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' };

function tableOf(table: Element, write: WriteWords): string {
  const rows = elementsIn(table).flatMap((part) => (part.name === 'tr' ? [part] : elementsIn(part)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head, ...others] = rows.map((row) =>
    line(elementsIn(row).map(({ children }) => lineOf(children, write).replace(/(?<!\\)\|/g, '\\|'))),
  );
  const columns = rows.slice(0, 1).flatMap(elementsIn);
  const rule = line(columns.map(({ attributes }) => ALIGNED[attribute(attributes, 'align') ?? ''] ?? '---'));
  return [head, rule, ...others].join('\n');
}
