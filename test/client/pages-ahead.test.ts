import { expect, it } from 'vitest';
import type { ApiClient, ApiResponse } from '../../src/client/api-client.ts';
import { pages } from '../../src/client/pages.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { type JsonValue, parseJson } from '../../src/values/json.ts';

// svc requests the next page before it parses the present one, if the end of the text shows the address.
const host = parseHost('acme.example.com');
const API = `${host.origin}/api/v2`;

/**
 * Reads pages with these bodies.
 * @returns the steps in order: `ask <query>` and `parse`.
 */
async function walk(bodies: readonly string[], limit?: number): Promise<string[]> {
  const done: string[] = [];
  const left = [...bodies];
  const client: ApiClient = {
    host,
    limits: () => [],
    watch: () => undefined,
    async send({ path }) {
      const url = new URL(path, `${API}/`);
      done.push(`ask ${url.search}`);
      const text = left.shift() ?? '{"data":[],"links":{"next":null}}';
      const response: Partial<ApiResponse> = {
        status: 200,
        url: url.href,
        bytes: () => Buffer.from(text),
        body(): JsonValue {
          done.push('parse');
          return parseJson(text);
        },
      };
      return response as ApiResponse;
    },
  };
  for await (const _ of pages(client, { method: 'GET', path: '/worklogs' }, limit === undefined ? {} : { limit }));
  return done;
}

const row = (count: number) => `[${Array.from({ length: count }, (_, index) => `{"id":${index}}`).join(',')}]`;
const page = (next: string, count = 25) => `{"data":${row(count)},"links":{"next":"${next}"}}`;
const LAST = '{"data":[{"id":99}],"links":{"next":null}}';

const AHEAD = ['ask ', 'ask ?cursor=b', 'parse', 'parse'];
const AFTER = ['ask ', 'parse', 'ask ?cursor=b', 'parse'];

it.each([
  ['a short page', page('/api/v2/worklogs?cursor=b')],
  ['a page with an escaped address', page('\\/api\\/v2\\/worklogs?cursor=b')],
  ['a page that ends in white space', `${page('?cursor=b')}\r\n `],
  ['a page with other links', '{"data":[],"links":{"prev":null,"next":"?cursor=b","first":"?"}}'],
])('svc requests the next page before svc parses %s', async (_name, first) => {
  expect(await walk([first, LAST])).toEqual(AHEAD);
});

it.each([
  ['a page with links first', '{"links":{"next":"?cursor=b"},"data":[]}'],
  ['a page with a member after the links', '{"data":[],"links":{"next":"?cursor=b"},"more":1}'],
  ['a page with a cursor instead of links', '{"data":[],"meta":{"page":{"next_cursor":"b"}}}'],
])('svc requests the next page after svc parses %s', async (_name, first) => {
  expect(await walk([first, LAST])).toEqual(AFTER);
});

it('svc refuses a next page on another host', async () => {
  const elsewhere = page('https://beta.example.com/api/v2/worklogs?cursor=b');
  await expect(walk([elsewhere, LAST])).rejects.toThrow('that svc does not follow');
});

it('svc requests the next page early only if the links are in the last 2,048 bytes', async () => {
  // `bytes` counts from `"links"` on.
  const ending = (bytes: number) => `{"data":[],"links":{"next":"?cursor=b","first":"${'x'.repeat(bytes - 40)}"}}`;
  const bytes = (text: string) => text.length - text.indexOf('"links"');
  expect([bytes(ending(2_048)), bytes(ending(2_049))]).toEqual([2_048, 2_049]);
  expect(await walk([ending(2_048), LAST])).toEqual(AHEAD);
  expect(await walk([ending(2_049), LAST])).toEqual(AFTER);
});

it('svc does not request the next page early when the row limit shortens that page', async () => {
  expect(await walk([page('?cursor=b'), LAST], 50)).toEqual(AHEAD);
  expect(await walk([page('?cursor=b'), LAST], 49)).toEqual(['ask ', 'parse', 'ask ?cursor=b&per_page=24', 'parse']);
  expect(await walk([page('?cursor=b')], 25)).toEqual(['ask ', 'parse']);
});
