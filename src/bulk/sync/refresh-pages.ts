import { z } from 'zod';
import type { ApiResponse } from '../../client/api.ts';
import { readPage } from '../../client/pages.ts';
import { UnavailableError } from '../../errors.ts';
import type { Applied, TableState } from '../../mirror/mirror.ts';
import { idOf } from '../../mirror/record-id.ts';
import type { JsonObject } from '../../values/json.ts';
import { PER_PAGE } from '../export/pieces.ts';
import { momentOf, type SyncRun } from './run.ts';

/** A page as it was at the last look. */
const page = z.object({ url: z.string(), etag: z.string().optional(), next: z.string().optional(), ids: z.array(z.number()) });
const chain = z.array(page);
type KeptPage = z.infer<typeof page>;

/**
 * Looks at every page of a short table. A page that is as it was costs one unit, whatever its view (a 304, rule 15.23), and is proof of each
 * row on it: also of what changes without `updated_at`, such as counters.
 */
export async function refreshByPages({ client, mirror, context, shapeOf }: SyncRun, state: TableState): Promise<Applied> {
  const { noun, path } = state;
  const name = `pages ${noun}`;
  const held = new Set(await mirror.ids(noun));
  // A page is asked for as it was only where the mirror has what was on it.
  const before = new Map(
    readChain(await mirror.kept(name)).flatMap((each) => (each.ids.every((id) => held.has(id)) ? [[each.url, each] as const] : [])),
  );
  const pages: KeptPage[] = [];
  const put: JsonObject[] = [];
  let asOf: string | undefined;
  let url: string | undefined = `${path}?sort=id&per_page=${PER_PAGE}&view=detail`;
  while (url !== undefined) {
    const known: KeptPage | undefined = before.get(url);
    if (pages.some((page) => page.url === url))
      throw new UnavailableError(`The pages of ${noun} lead in a circle.`, { hint: 'See them: svc api --paginate' });
    const response: ApiResponse = await client.send({
      method: 'GET',
      path: url,
      ...(known?.etag !== undefined && { ifNoneMatch: known.etag }),
      signal: context.signal,
    });
    asOf ??= momentOf(response.headers, context.clock.now());
    if (response.status === 304 && known !== undefined) pages.push(known);
    else {
      const { rows, next } = readPage(client, url, response);
      put.push(...rows);
      const { etag } = response;
      pages.push({
        url,
        ...(etag !== undefined && { etag }),
        ...(next !== undefined && { next }),
        ids: rows.flatMap((row) => idOf(row) ?? []),
      });
    }
    url = pages.at(-1)?.next;
  }
  const there = new Set(pages.flatMap(({ ids }) => ids));
  const gone = [...held].filter((id) => !there.has(id));
  const at = asOf ?? state.as_of;
  const applied = await mirror.update(await shapeOf(noun), put, gone, { path, as_of: at, whole_at: at, known_by: 'pages' });
  // After the rows: killed between the two, the next look reads these pages again.
  await mirror.keep(name, JSON.stringify(pages));
  return applied;
}

function readChain(text: string | undefined): readonly KeptPage[] {
  try {
    return chain.parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}
