import { createHash } from 'node:crypto';

export interface LandingPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Mood = 'good' | 'bad' | 'neutral';

export function successPage(outcome: { readonly host: string; readonly userName?: string | undefined }): LandingPage {
  const who = outcome.userName ? ` as <strong><bdi>${escapeHtml(outcome.userName)}</bdi></strong>` : '';
  return page(200, 'good', 'You are signed in', [
    `svc is signed in to <strong><bdi>${escapeHtml(outcome.host)}</bdi></strong>${who}.`,
    'You can close this tab and go back to the terminal.',
  ]);
}

/** Returns the page for a sign-in that ended without tokens. The function escapes `message` and `hint` for HTML. */
export function failurePage(outcome: { readonly message: string; readonly hint?: string | undefined }): LandingPage {
  const hint = outcome.hint ? [escapeHtml(outcome.hint)] : [];
  return page(400, 'bad', 'The sign-in failed', [
    escapeHtml(outcome.message),
    ...hint,
    'You can close this tab and go back to the terminal.',
  ]);
}

export function noticePage(status: number, title: string, text: string): LandingPage {
  return page(status, 'neutral', title, [escapeHtml(text)]);
}

function page(status: number, mood: Mood, title: string, paragraphs: readonly string[]): LandingPage {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)} – svc</title>
<style>${STYLE}</style>
</head>
<body>
<main class="${mood}">
<svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="${MARKS[mood]}"/></svg>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return { status, headers: headersFor(), body };
}

/**
 * Returns headers that allow only this file’s style and script, by their hashes, and images from `data:` addresses. The headers
 * also forbid frames.
 */
function headersFor(): Readonly<Record<string, string>> {
  const csp = [
    "default-src 'none'",
    `style-src '${sha256(STYLE)}'`,
    `script-src '${sha256(SCRIPT)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': csp,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Removes the code and the state from the address bar and from the browser history. */
const SCRIPT = "history.replaceState(null,'',location.pathname)";

const MARKS: Readonly<Record<Mood, string>> = {
  good: 'M14 25l7 7 13-15',
  bad: 'M16 16l16 16M32 16L16 32',
  neutral: 'M24 22v12M24 14v1',
};

const STYLE = `
:root{color-scheme:light dark;--ground:#f4f5f7;--card:#fff;--edge:#dfe1e6;--text:#1c2024;--soft:#50565e;--good:#18794e;--bad:#c62a2f;--neutral:#3b5bdb}
@media (prefers-color-scheme:dark){:root{--ground:#111315;--card:#1a1d20;--edge:#32373c;--text:#edeef0;--soft:#b0b4ba;--good:#4cc38a;--bad:#ff8b85;--neutral:#91a7ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--text);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:30rem;padding:2.5rem 2rem;background:var(--card);border:1px solid var(--edge);border-radius:1rem;text-align:center;overflow-wrap:anywhere}
svg{fill:none;stroke:currentColor;stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
.good svg{color:var(--good)}.bad svg{color:var(--bad)}.neutral svg{color:var(--neutral)}
h1,p{text-wrap:balance}
h1{margin:1rem 0 .75rem;font-size:1.5rem;line-height:1.25}
p{margin:.5rem 0 0;color:var(--soft)}
strong{color:var(--text)}
`;
