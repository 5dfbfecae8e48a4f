import type { Place } from './service.ts';

type Json = { readonly [name: string]: unknown };

/** A reader of the service’s own API spec. */
export interface Documentation {
  /** The text of the whole API spec. */
  readonly whole: string;
  /**
   * Returns the least that an agent must read for these requests (`GET /labels?per_page=1`): the parameters and the body of each operation,
   * and all that they refer to, once. The answers show their own fields.
   */
  partFor(requests: readonly string[]): string;
}

export async function readDocumentation({ base_url: base, tokens }: Place): Promise<Documentation> {
  const response = await fetch(`${base}/openapi.json`, { headers: { authorization: `Bearer ${tokens[0]?.value}` } });
  const whole = await response.text();
  const spec = JSON.parse(whole) as Json;
  const paths = spec['paths'] as Readonly<Record<string, Json>>;
  return {
    whole,
    partFor(requests) {
      const parts = new Map<string, unknown>();
      for (const request of requests) {
        const [method = '', address = ''] = request.split(' ');
        const path = address.split('?', 1)[0] ?? '';
        const template = Object.keys(paths).find((name) => new RegExp(`^${name.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path));
        const item = paths[template ?? ''];
        if (template === undefined || item?.[method.toLowerCase()] === undefined) throw new Error(`The API spec has no ${method} ${path}.`);
        const { responses: _, ...operation } = item[method.toLowerCase()] as Json;
        add(`${method} ${template}`, { shared: item['parameters'], ...operation });
      }
      return [...parts].map(([name, part]) => `${name} ${JSON.stringify(part)}`).join('\n');

      function add(name: string, part: unknown): void {
        if (parts.has(name)) return;
        parts.set(name, part);
        for (const [, ref = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/([^"]+)"/g))
          add(
            ref,
            ref.split('/').reduce<unknown>((at, key) => (at as Json)[key], spec),
          );
      }
    },
  };
}
