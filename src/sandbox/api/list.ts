import type { Json, Row } from '../json.ts';
import type { ServedChild, ServedResource } from '../resources/define.ts';
import type { Call } from './call.ts';
import { type Cursor, writeCursor } from './cursor.ts';
import { isUnchanged, weakTag } from './etag.ts';
import { type CheckedListQuery, parseListQuery } from './list-query.ts';
import { isVisible, parentOf } from './lookup.ts';
import { seek, sortRows } from './order.ts';
import { renderer } from './render.ts';
import type { Reply } from './reply.ts';

/** Answers a collection: the page envelope of the documentation. */
export function list(call: Call, resource: ServedResource, nested: ServedChild | undefined): Reply {
  const counted = nested?.counted ?? resource.counted;
  const query = parseListQuery(resource, counted, call);
  const rows = matchingRows(call, resource, nested, query);
  const { start, end, next, previous } = slice(rows, query);
  const total = counted || query.withTotal ? rows.length : null;
  const lastPage = Math.max(1, Math.ceil(rows.length / query.perPage));
  const inPages = query.page !== undefined;
  const cursorOf = (cursor: Cursor | undefined): string | null => (cursor === undefined ? null : writeCursor(query.fingerprint, cursor));
  const nextCursor = inPages ? null : cursorOf(next);
  const previousCursor = inPages ? null : cursorOf(previous);
  const pageLink = (page: number, exists: boolean): string | null => (exists ? link(call, 'page', String(page)) : null);
  const cursorLink = (cursor: string | null): string | null => (cursor === null ? null : link(call, 'cursor', cursor));

  const show = renderer(call.world, resource, query.view, query.includes);
  const body: { [key: string]: Json } = {
    data: rows.slice(start, end).map(show),
    meta: {
      page: {
        per_page: query.perPage,
        next_cursor: nextCursor,
        prev_cursor: previousCursor,
        total,
        current_page: query.page ?? null,
        last_page: inPages ? lastPage : null,
      },
      ...warnings(resource, query, call),
    },
    links: {
      self: `${call.world.origin}/api/v2${call.path}${search(call.query)}`,
      next: query.page === undefined ? cursorLink(nextCursor) : pageLink(query.page + 1, query.page < lastPage && query.page < 1000),
      prev: query.page === undefined ? cursorLink(previousCursor) : pageLink(query.page - 1, query.page > 1),
    },
  };
  return envelope(call, body, resource.cacheSeconds);
}

/** A collection answer with its weak validator, or 304 when the caller has it. */
export function envelope(call: Call, body: Json, cacheSeconds: number | undefined): Reply {
  const text = JSON.stringify(body);
  const headers: Record<string, string> = { ETag: weakTag(text) };
  if (cacheSeconds !== undefined) headers['Cache-Control'] = `private, max-age=${cacheSeconds}`;
  if (isUnchanged(call.headers, headers['ETag'] ?? '')) return { status: 304, headers };
  return { status: 200, text, headers };
}

/** All rows of the query in order, cached between the pages of a walk. */
function matchingRows(call: Call, resource: ServedResource, nested: ServedChild | undefined, query: CheckedListQuery): readonly Row[] {
  const table = call.db.table(resource.name);
  const parent = nested === undefined ? undefined : parentOf(call, nested);
  const make = (): Row[] => {
    const all = parent === undefined || nested === undefined ? [...table.rows.values()] : table.where(nested.by, parent.id);
    const words = query.q?.toLowerCase();
    const kept = all.filter(
      (row) =>
        isInTrash(row, query.trashed) &&
        isVisible(call, resource, row) &&
        query.filters.every((fits) => fits(row)) &&
        (words === undefined ||
          resource.search.some((field) =>
            String(row[field] ?? '')
              .toLowerCase()
              .includes(words),
          )),
    );
    return sortRows(kept, query.order);
  };
  // Such lists are short, so they are made again each time: who may see a drive's rows depends on other tables too.
  if (resource.prefixOf !== undefined) return make();
  // The visible rows may depend on the person, so the key contains the person.
  // The matching rows may depend on the options as well, which can change at any time.
  const { knobs, results } = call.world;
  const key = JSON.stringify([query.fingerprint, call.actor.user.id, String(call.actor.user['role']), knobs]);
  if (query.page !== undefined && query.page > 1 && knobs.pages === 'snapshot') return results.asBefore(key, table.revision, make);
  return results.rows(key, table.revision, make);
}

function isInTrash(row: Row, trashed: CheckedListQuery['trashed']): boolean {
  return trashed === 'with' || ((row['deleted_at'] ?? null) !== null) === (trashed === 'only');
}

interface Slice {
  readonly start: number;
  readonly end: number;
  readonly next: Cursor | undefined;
  readonly previous: Cursor | undefined;
}

function slice(rows: readonly Row[], { page, perPage, cursor, order }: CheckedListQuery): Slice {
  let start = page === undefined ? 0 : (page - 1) * perPage;
  let end = start + perPage;
  if (cursor?.back === true) {
    end = seek(rows, order, cursor.position, false);
    start = Math.max(0, end - perPage);
  } else if (cursor !== undefined) {
    start = seek(rows, order, cursor.position, true);
    end = start + perPage;
  }
  const first = rows[start];
  const last = rows[Math.min(end, rows.length) - 1];
  return {
    start,
    end,
    next: end < rows.length && last !== undefined ? { back: false, position: order.positionOf(last) } : undefined,
    previous: start > 0 && first !== undefined ? { back: true, position: order.positionOf(first) } : undefined,
  };
}

function link(call: Call, parameter: 'page' | 'cursor', value: string): string {
  const query = new URLSearchParams(call.query);
  query.set(parameter, value);
  return `${call.world.origin}/api/v2${call.path}${search(query)}`;
}

function search(query: URLSearchParams): string {
  return query.size === 0 ? '' : `?${query}`;
}

/** `meta.warnings` is there only when there is something to say. */
function warnings(resource: ServedResource, query: CheckedListQuery, call: Call): { [key: string]: Json } {
  if (query.page === undefined || !resource.reorderable || call.query.has('sort')) return {};
  const detail = 'This order can be changed by people; page numbers may skip or repeat rows. Follow cursors or send sort=id.';
  return { warnings: [{ code: 'unstable_order', detail }] };
}
