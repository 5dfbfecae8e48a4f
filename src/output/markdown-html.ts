import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './neutralise.ts';

/**
 * Converts Markdown to the HTML of rich text (rule 2.36). The Markdown is CommonMark with GitHub’s tables, strikethrough and bare links. A
 * single line break stays a line break. HTML tags become text, so that no text is lost. An image becomes a link. A link that is neither web
 * nor mail becomes text.
 */
export function markdownToHtml(markdown: string) {
  const notes = new Set<string>();
  const tags = new Set<string>();
  const definitions: Tokens.Def[] = [];
  const link = (href: string, words: string, title?: string | null) => {
    if (isSafe(href)) return `<a href="${escapeHtml(href)}"${title ? ` title="${escapeHtml(title)}"` : ''}>${words}</a>`;
    notes.add(`${href} is not a web or mail address, so it stays text.`);
    return words === escapeHtml(href) ? words : `${words} (${escapeHtml(href)})`;
  };
  const marked = new Marked({ gfm: true, breaks: true, async: false });
  marked.use({
    tokenizer: {
      // HTML tags become text, and the text between them stays Markdown.
      html: () => undefined,
      tag(src) {
        const [tag] = this.rules.inline.tag.exec(src) ?? [];
        if (tag !== undefined) tags.add(tag);
        return undefined;
      },
    },
    walkTokens(token) {
      if (token.type === 'def') definitions.push(token as Tokens.Def);
    },
    renderer: {
      link({ href, title, tokens }) {
        return link(href, this.parser.parseInline(tokens), title);
      },
      image({ href, text, title }) {
        notes.add(`Rich text has no images, so ${href} becomes a link.`);
        return link(href, escapeHtml(text || href), title);
      },
      code({ lang = '' }) {
        if (/\s\S/.test(lang)) notes.add(`svc sends only the first word of the line ${lang} above code.`);
        return false;
      },
      table({ raw, header }) {
        if (
          raw
            .trim()
            .split('\n')
            .some((row) => cellsIn(row) > header.length)
        )
          notes.add('A table row has more cells than the header. svc leaves out the additional cells.');
        return false;
      },
      checkbox: ({ checked }: Tokens.Checkbox) => `[${checked ? 'x' : ' '}] `,
    },
  });
  const html = (marked.parse(markdown) as string).trim();
  for (const { raw, href } of definitions)
    if (!html.includes(escapeHtml(href))) notes.add(`No link uses ${raw.trim()}, so svc leaves out the definition.`);
  if (tags.size > 0) notes.add(`svc sends HTML tags as text: ${[...tags].join(' ')}. To send the text as HTML: --html`);
  return { html, notes: [...notes] };
}

/**
 * Returns the tags that the service removed, such as `<table>`. A removed tag does not count if the service uses another tag with the same
 * meaning. The parts of a table, such as `<td>`, do not count.
 */
export function tagsLost(sent: string, stored: string): string[] {
  const there = tagsIn(stored);
  return [...tagsIn(sent)].filter((tag) => !there.has(tag)).map((tag) => `<${tag}>`);
}

function tagsIn(html: string): ReadonlySet<string> {
  const names = [...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name = '']) => name.toLowerCase());
  return new Set(names.map((name) => SAME.get(name) ?? name).filter((name) => !PARTS.has(name)));
}

const SAME: ReadonlyMap<string, string> = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['s', 'del'],
  ['strike', 'del'],
]);

const PARTS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tr', 'td', 'th']);

function cellsIn(row: string): number {
  return row
    .replaceAll('\\|', '')
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length;
}

const SAFE: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Returns true if a link is a web or mail address, as browsers parse it. */
function isSafe(href: string): boolean {
  return URL.canParse(href) && SAFE.has(new URL(href).protocol);
}
