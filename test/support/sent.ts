import type { Sandbox } from '../../src/sandbox/start.ts';

/** The requests that a sandbox got, a line each, with the query and the body readable: `POST /api/v2/worklogs {"minutes":90}`. */
export function sent({ requests }: Pick<Sandbox, 'requests'>): string[] {
  return requests.map(({ method, path, body }) => `${method} ${decodeURIComponent(path)}${body === '' ? '' : ` ${body}`}`);
}

/** A text without what differs from run to run: the sandbox's port, a home directory, ids of requests, times of day. */
export function masked(text: string, home = '/nowhere'): string {
  return text
    .replaceAll(home, '<home>')
    .replace(/127\.0\.0\.1:\d+/g, '<host>')
    .replace(/01[0-9A-HJKMNP-TV-Z]{24}/g, '<request>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>');
}
