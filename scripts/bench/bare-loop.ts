/**
 * The least a client in Node can do: undici's `request` in a loop that fetches a page, parses it, writes its rows, and then
 * asks for the next.
 *
 *   node scripts/bench/bare-loop.ts <url> <file>
 */
import { openSync, writeSync } from 'node:fs';
import { request } from 'undici';

const [start = '', target = ''] = process.argv.slice(2);
const file = openSync(target, 'w');
for (let url: string | null = start; url !== null; ) {
  const { body } = await request(url);
  const page = (await body.json()) as { readonly data: readonly unknown[]; readonly links: { readonly next: string | null } };
  writeSync(file, page.data.map((row) => `${JSON.stringify(row)}\n`).join(''));
  url = page.links.next;
}
