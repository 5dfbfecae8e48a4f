import { request } from 'node:http';

export interface Visit {
  readonly status: number;
  readonly body: string;
}

/** What a browser does with an address, or with a form it posts: follows redirects with GET, to the last page. */
export function visit(url: string, form?: Readonly<Record<string, string>>): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const headers = form ? { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin } : {};
    const sent = request(url, { method: form ? 'POST' : 'GET', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => {
        const { location } = response.headers;
        resolve(location ? visit(location) : { status: response.statusCode ?? 0, body });
      });
    });
    sent.on('error', reject).end(form ? new URLSearchParams(form).toString() : undefined);
  });
}
