import { escapeHtml, neutraliseLine } from './neutralise.ts';
import { PAGE_STYLE } from './page-style.ts';

export interface HtmlPage {
  readonly title: string;
  /** The part of the title that comes from the service, such as a project’s name. Default: none. */
  readonly name?: string | undefined;
  /** The line under the title, such as the source and the creation date. */
  readonly subtitle: string;
  /** The parts of the page as HTML. The caller must escape all texts from outside, for example with {@link htmlLine}. */
  readonly body: readonly string[];
  /** HTML above the title, such as a letterhead. Default: nothing. */
  readonly above?: string;
}

/**
 * Renders a self-contained page for light and dark screens, phones and paper. Its Content-Security-Policy prevents the page from loading or
 * running anything.
 */
export function renderPage({ title, name = '', subtitle, body, above = '' }: HtmlPage): string {
  const heading = name === '' ? withTimes(title) : title.split(name).map(withTimes).join(isolated(name));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${htmlLine(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<header>${above}<h1>${heading}</h1><p>${withTimes(subtitle)}</p></header>
${body.join('\n')}
</main>
</body>
</html>
`;
}

/**
 * Returns an HTML section with a heading.
 *
 * @param name heading as HTML.
 * @param content content as HTML.
 */
export function section(name: string, content: string): string {
  return `<section><h2>${name}</h2>${content}</section>`;
}

/**
 * Wraps wide content so that only the content scrolls sideways, also by keyboard (WCAG 2.1.1).
 *
 * @param name description for screen readers, as HTML.
 */
export function scrollable(name: string, content: string): string {
  return `<div class="wide" role="region" aria-label="${name}" tabindex="0">${content}</div>`;
}

/** Names and values of figures, as HTML. */
export type Tiles = readonly (readonly [name: string, value: string, more?: string | undefined])[];

export function tiles(figures: Tiles): string {
  const cells = figures.map(
    ([name, value, more]) => `<div><dt>${name}</dt><dd>${value}${more === undefined ? '' : ` <small>${more}</small>`}</dd></div>`,
  );
  return `<dl class="tiles">${cells.join('')}</dl>`;
}

/** Escapes a text from outside for HTML, on one line. */
export function htmlLine(value: string): string {
  return escapeHtml(neutraliseLine(value));
}

/** Escapes a name from outside. The writing direction of the name affects only the name itself. */
export function isolated(name: string): string {
  return `<bdi>${htmlLine(name)}</bdi>`;
}

/** Escapes a text for HTML. Marks its dates and weeks, so that each stays on one line. */
export function withTimes(text: string): string {
  return htmlLine(text).replace(/\b\d{4}-(?:W\d\d|\d\d-\d\d)\b/g, '<time>$&</time>');
}
