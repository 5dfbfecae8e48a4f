/**
 * A fast server without limits, for benchmarks. It renders pages of worklogs by cursor on request, and prints its port. It is a separate
 * process, so that it does not slow down the measured client.
 *
 *     node scripts/bench/server.ts <rows>
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const size = Number(process.argv[2] ?? 100_000);

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const perPage = Number(url.searchParams.get('per_page') ?? 25);
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const to = Math.min(from + perPage, size);
  const next = new URL(url);
  next.searchParams.set('cursor', String(to));
  const body = JSON.stringify({
    data: Array.from({ length: to - from }, (_, index) => worklog(from + index + 1)),
    meta: { page: { per_page: perPage, next_cursor: String(to), prev_cursor: null, total: null, current_page: null, last_page: null } },
    links: { self: url.href, next: to < size ? next.href : null, prev: null },
  });
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'private, no-store',
    RateLimit: 'limit=600, remaining=600, reset=60',
    'RateLimit-Policy': '600;w=60',
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

function worklog(id: number) {
  return {
    id,
    date: '2025-03-31',
    minutes: 90,
    description: `Review of draft ${id}, with notes`,
    work_item_id: (id % 120) + 1,
    is_overtime: false,
    created_at: '2025-03-31T15:00:00Z',
    updated_at: '2025-03-31T15:00:00Z',
    project_id: (id % 8) + 1,
    budget_id: null,
    task_id: null,
    user_id: (id % 12) + 1,
    is_not_billable: false,
    exceeded_budget: false,
    reviewed_by: 2,
    invoice_id: null,
    sales_invoice_row_id: null,
    links: { self: `https://acme.example.com/api/v2/worklogs/${id}` },
  };
}
