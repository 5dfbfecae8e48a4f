import type { Json, Row } from '../json.ts';
import { escapeForPage, type SandboxPage, sitePage } from './layout.ts';

/** A page instead of the web app's, so that the `web_url` of a record leads somewhere (rule 2.40). */
export function standInPage(row: Row): SandboxPage {
  const rows = Object.entries(row).map(
    ([name, value]) => `<tr><th scope="row">${escapeForPage(name)}</th><td><bdi>${escapeForPage(shown(value))}</bdi></td></tr>`,
  );
  const title = [row['issue_key'], row['title'] ?? row['name']].filter((part) => typeof part === 'string').join(' ') || `Record ${row.id}`;
  const main = `<p class="soft">The web app of the service would show this record here.</p>\n<table><tbody>\n${rows.join('\n')}\n</tbody></table>`;
  return sitePage(undefined, title, main);
}

/** Says that a page or a record is not there. */
export function missingPage(what: string): SandboxPage {
  return sitePage(undefined, 'Not here', `<p>${escapeForPage(what)}</p>`);
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
