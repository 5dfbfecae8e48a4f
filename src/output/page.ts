import { escapeHtml } from './html-escape.ts';
import { neutraliseLine } from './neutralise.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A page that svc writes into a file. */
export interface HtmlPage {
  readonly title: string;
  /** The line below it: where it comes from, and when it was made. */
  readonly subtitle: string;
  /** HTML, made of {@link section} and {@link htmlLine}. */
  readonly body: readonly string[];
  /** HTML above the title: whose page it is. */
  readonly above?: string;
  /** Style that this page alone needs, after what all have. */
  readonly style?: string;
}

/**
 * One page that needs nothing else. Reads well in light, in dark, on a phone and on paper; loads nothing and runs nothing, and its
 * Content-Security-Policy holds it to that.
 */
export function renderPage({ title, subtitle, body, above = '', style = '' }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${htmlLine(title)}</title>
<style>${PAGE_STYLE}${style}</style>
</head>
<body>
<main>
<header>${above}<h1>${htmlLine(title)}</h1><p>${htmlLine(subtitle)}</p></header>
${body.join('\n')}
</main>
</body>
</html>
`;
}

/** A part of a page below a heading. Both are HTML. */
export function section(name: string, content: string): string {
  return `<section><h2>${name}</h2>${content}</section>`;
}

/** What is wider than a narrow screen scrolls sideways alone, by keyboard too (WCAG 2.1.1). `name` is HTML. */
export function scrollable(name: string, content: string): string {
  return `<div class="wide" role="region" aria-label="${name}" tabindex="0">${content}</div>`;
}

/** Figures at a glance; texts are HTML. */
export function tiles(figures: readonly (readonly [name: string, value: string, more?: string | undefined])[]): string {
  const cells = figures.map(
    ([name, value, more]) => `<div><dt>${name}</dt><dd>${value}${more === undefined ? '' : ` <small>${more}</small>`}</dd></div>`,
  );
  return `<dl class="tiles">${cells.join('')}</dl>`;
}

/** A text from outside as HTML, on one line. */
export function htmlLine(value: string): string {
  return escapeHtml(neutraliseLine(value));
}
