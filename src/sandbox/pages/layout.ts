import { createHash } from 'node:crypto';
import type { Json, Row } from '../json.ts';

export interface SandboxPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --ground: #f4f5f7; --card: #fff; --line: #d5d9de; --go: #1f6f4a; --go-ink: #fff; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a3abb5; --ground: #14171a; --card: #1e2226; --line: #3a4047; --go: #58c08c; --go-ink: #0c1a13; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(28rem, 100%); padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
p, ul { margin: 0 0 1rem; overflow-wrap: anywhere; } ul { padding-left: 1.25rem; } .soft { color: var(--soft); font-size: .9rem; } a { color: var(--go); }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
select, button, input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; font: inherit; }
select, input { margin-bottom: 1.25rem; } button { cursor: pointer; font-weight: 600; margin-bottom: .5rem; }
button[value=approve], button.go { background: var(--go); border-color: var(--go); color: var(--go-ink); }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
body.wide { display: block; }
.wide main { width: min(64rem, 100%); margin: 0 auto; padding: clamp(1rem, 4vw, 2rem); }
.wide h2 { margin: 2rem 0 .75rem; font-size: 1.1rem; } .wide .card h2, .wide h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: 1rem; } nav [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
code { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: .75rem; background: var(--ground); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .875rem/1.5 ui-monospace, monospace; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: .75rem; }
.card { padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; min-width: 0; } .card p { margin: .25rem 0; }
.card form { display: flex; gap: .5rem; margin-top: .75rem; } .card input, .card button { margin: 0; } .card input { flex: 1 1 8rem; min-width: 0; } .card button { flex: 0 1 auto; width: auto; }
table { width: 100%; border-collapse: collapse; } th { text-align: left; font-weight: 600; } th, td { padding: .375rem .5rem .375rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: anywhere; } .number { width: 4.5rem; text-align: right; padding-right: 0; font-variant-numeric: tabular-nums; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 0 0 1.25rem; padding: .75rem 1rem; } legend { font-weight: 600; padding: 0 .25rem; }
.checks { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: .25rem .75rem; } .checks label { font-weight: 400; margin: 0; min-height: 1.75rem; overflow-wrap: anywhere; }
.checks input { width: 1.1rem; min-height: 0; height: 1.1rem; margin: 0 .5rem 0 0; vertical-align: -.15rem; accent-color: var(--go); }
.note { border-left: 4px solid var(--go); padding: .5rem .75rem; background: var(--ground); } .note.bad { border-color: var(--bad); } .bad { color: var(--bad); }
.narrow { max-width: 32rem; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

interface SandboxPageOptions {
  readonly title: string;
  readonly main: string;
  /** The targets of the page’s forms and their redirects, as sources of a Content-Security-Policy. */
  readonly formTargets: string;
  readonly wide?: boolean;
}

export function page({ title, main, formTargets, wide = false }: SandboxPageOptions): SandboxPage {
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeForPage(title)}</title>
<style>${STYLE}</style>
</head>
<body${wide ? ' class="wide"' : ''}>
<main>
${main}
</main>
</body>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`,
      'Cache-Control': 'no-store',
      // With no-referrer, browsers send `Origin: null` with a form, and the sandbox refuses this origin. The policy is therefore
      // same-origin.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
  };
}

const PLACES = [
  ['/', 'Sandbox'],
  ['/sandbox/tokens', 'Personal access tokens'],
  ['/sandbox/apps', 'Connected apps'],
] as const;

export function sitePage(path: (typeof PLACES)[number][0] | undefined, title: string, main: string): SandboxPage {
  const links = PLACES.map(([to, name]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${name}</a>`);
  const all = `<nav aria-label="Pages">${links.join('\n')}</nav>\n<h1>${escapeForPage(title)}</h1>\n${main}`;
  return page({ title, main: all, formTargets: "'self'", wide: true });
}

export function escapeForPage(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** Renders a page for the `web_url` of a record (rule 2.40), in place of the service’s web app. */
export function standInPage(row: Row): SandboxPage {
  const rows = Object.entries(row).map(
    ([name, value]) => `<tr><th scope="row">${escapeForPage(name)}</th><td><bdi>${escapeForPage(shown(value))}</bdi></td></tr>`,
  );
  const title = [row['issue_key'], row['title'] ?? row['name']].filter((part) => typeof part === 'string').join(' ') || `Record ${row.id}`;
  const main = `<p class="soft">The web app of the service would show this record here.</p>\n<table><tbody>\n${rows.join('\n')}\n</tbody></table>`;
  return sitePage(undefined, title, main);
}

export function missingPage(what: string): SandboxPage {
  return sitePage(undefined, 'Not here', `<p>${escapeForPage(what)}</p>`);
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
