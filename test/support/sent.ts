import type { Sandbox } from '../../src/sandbox/start.ts';

/** Returns the requests that a sandbox received, one line each, with decoded query and body: `POST /api/v2/worklogs {"minutes":90}`. */
export function sent({ requests }: Pick<Sandbox, 'requests'>): string[] {
  return requests.map(({ method, path, body }) => `${method} ${decodeURIComponent(path)}${body === '' ? '' : ` ${body}`}`);
}

/** Returns a text without the parts that vary between runs: the sandbox’s port, home directories, request ids, times of day. */
export function masked(text: string, home = '/nowhere'): string {
  return text
    .replaceAll(home, '<home>')
    .replace(/127\.0\.0\.1:\d+/g, '<host>')
    .replace(/01[0-9A-HJKMNP-TV-Z]{24}/g, '<request>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>');
}
