import { request } from 'node:http';

export interface Visit {
  readonly status: number;
  readonly body: string;
}

/** The cookies by host name, for any port, as browsers store them. */
export type Jar = Map<string, Map<string, string>>;

/** Opens an address or posts a form like a browser. Follows redirects with GET to the last page. */
export function visit(url: string, form?: Readonly<Record<string, string>>, jar: Jar = new Map()): Promise<Visit> {
  const { hostname } = new URL(url);
  const cookies = jar.get(hostname) ?? new Map<string, string>();
  jar.set(hostname, cookies);
  return new Promise((resolve, reject) => {
    const headers = {
      ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin }),
      ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
    };
    const sent = request(url, { method: form ? 'POST' : 'GET', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => {
        const { location, 'set-cookie': given = [] } = response.headers;
        for (const cookie of given) {
          const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
          cookies.set(name, value);
        }
        resolve(location ? visit(location, undefined, jar) : { status: response.statusCode ?? 0, body });
      });
    });
    sent.on('error', reject).end(form ? new URLSearchParams(form).toString() : undefined);
  });
}
