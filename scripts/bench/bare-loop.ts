/**
 * Reads pages with a minimal Node client, as a baseline. It fetches a page with undici, parses it, writes the rows, and requests the next
 * page.
 *
 *     node scripts/bench/bare-loop.ts <url> <file>
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
