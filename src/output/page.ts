import { escapeHtml, neutraliseLine } from './neutralise.ts';

/** An HTML page that svc writes to a file. */
export interface HtmlPage {
  readonly title: string;
  /** The line under the title: the source and the time of creation. */
  readonly subtitle: string;
  /** HTML parts from {@link section} and {@link htmlLine}. */
  readonly body: readonly string[];
  /** HTML above the title, such as a letterhead. */
  readonly above?: string;
  /** CSS of this page, in addition to the style of all pages. */
  readonly style?: string;
}

/**
 * Renders a self-contained page for light and dark screens, phones and paper. The page loads and runs nothing, which its
 * Content-Security-Policy enforces.
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

/** Returns figures as HTML tiles. All texts must be HTML. */
export function tiles(figures: readonly (readonly [name: string, value: string, more?: string | undefined])[]): string {
  const cells = figures.map(
    ([name, value, more]) => `<div><dt>${name}</dt><dd>${value}${more === undefined ? '' : ` <small>${more}</small>`}</dd></div>`,
  );
  return `<dl class="tiles">${cells.join('')}</dl>`;
}

/** Escapes a text from outside for HTML, on one line. */
export function htmlLine(value: string): string {
  return escapeHtml(neutraliseLine(value));
}

/**
 * The style sheet of every page. The two series are blue and amber. They also differ in lightness, and in hatching for black and white
 * printers. Unknown values are grey.
 */
const PAGE_STYLE = `
:root{--page:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--card:#f6f8fa;--bill:#1f6feb;--rest:#e0a030;--hatch:#fff}
@media (prefers-color-scheme:dark){:root{--page:#14171c;--ink:#e6e9ed;--soft:#9aa4b0;--line:#333a44;--card:#1d222a;--bill:#5b9dff;--rest:#c98a1f;--hatch:#14171c}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 3rem}
h1{font-size:1.5rem;line-height:1.25;margin:0}
h2{font-size:1.05rem;margin:2.25rem 0 .75rem}
header p,.legend,small,.none{color:var(--soft)}
header p{margin:.25rem 0 0}
small{font-size:.85em;font-weight:400}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem;margin:1.5rem 0}
.tiles div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem}
dt{color:var(--soft);font-size:.85rem}
dd{margin:0;font-size:1.35rem;font-weight:600;font-variant-numeric:tabular-nums}
dd small{white-space:nowrap;font-size:.8rem}
.key{display:inline-block;width:.9rem;height:.9rem;border-radius:2px;vertical-align:-.1rem;margin-left:1rem}
.key:first-child{margin-left:0}
.bill{background:var(--bill);fill:var(--bill)}
.other{background:repeating-linear-gradient(135deg,var(--rest) 0 4px,var(--hatch) 4px 5px)}
svg{display:block;width:100%;height:auto}
.open{background:var(--line);fill:var(--line)}
svg .other{fill:url(#hatch)}
.rest{fill:var(--rest)}
.hatch{stroke:var(--hatch);stroke-width:1.5}
.grid{stroke:var(--line)}
.axis{stroke:var(--soft)}
.tick{fill:var(--soft);font-size:12px;font-family:system-ui,sans-serif}
.bars{list-style:none;margin:0;padding:0}
.bars li{display:grid;grid-template-columns:minmax(7rem,15rem) 1fr 8.5rem;gap:.75rem;align-items:center;padding:.2rem 0}
.name{overflow-wrap:anywhere}
.bar{display:flex;height:1.1rem}
.bar i{display:block;min-width:0}
.value{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child{text-align:start;white-space:normal;overflow-wrap:anywhere}
thead th{color:var(--soft);font-weight:600}
tbody th{font-weight:400}
.depth0:has(+.depth1) th,.depth0:has(+.depth1) td{font-weight:600}
.depth1 th{padding-inline-start:1.8rem}.depth2 th{padding-inline-start:3rem}.depth3 th{padding-inline-start:4.2rem}
tfoot th,tfoot td{font-weight:600;border-top:2px solid var(--soft)}
@media (max-width:36rem){.bars li{grid-template-columns:1fr auto}.bar{grid-column:1/-1;grid-row:2}}
@media print{
:root{color-scheme:light;--page:#fff;--ink:#000;--soft:#444;--line:#bbb;--card:#fff;--bill:#1f6feb;--rest:#e0a030;--hatch:#fff}
body{font-size:11pt}main{max-width:none;padding:0}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
section{break-inside:avoid-page}section:has(table){break-inside:auto}tr,.bars li{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}h2{break-after:avoid}
}
`;
