import type { Sandbox } from '../../../src/sandbox/start.ts';
import { type Answer, send } from '../support.ts';
import { bodyFrom, type Described, operationsIn, queriesOf } from './requests.ts';
import { createValidator, type Loose } from './validator.ts';

/** The result of a run. */
export interface Outcome {
  readonly requests: number;
  /** The answers that the document does not describe, and the described requests that the sandbox refused. */
  readonly faults: readonly string[];
  /** The operations without a successful request in the run. */
  readonly untried: readonly string[];
}

/** Reads the API spec of a sandbox. */
export async function documentOf(to: Sandbox): Promise<Loose> {
  return (await send(to, '/openapi.json')).body;
}

/**
 * Sends every request that the document describes, and no other. The requests are lists with every parameter, all changes of records, all
 * relations, and every refusal. Compares each answer with the document.
 * @param seen receives every answer.
 */
export async function runAll(to: Sandbox, seen: (what: Described, answer: Answer) => void = () => {}): Promise<Outcome> {
  const document = await documentOf(to);
  const validator = await createValidator(document);
  const faults: string[] = [];
  const done = new Set<string>();
  let requests = 0;
  const key = ({ method, path }: Described): string => `${method} ${path}`;
  const ask = async (
    what: Described,
    path: string,
    allowed: readonly number[],
    sending: Parameters<typeof send>[2] = {},
  ): Promise<Answer> => {
    requests += 1;
    const answer = await send(to, path, { method: what.method, ...sending });
    seen(what, answer);
    const type = answer.headers.get('content-type') ?? '';
    const said = validator.errorsOf(what.path, what.method, answer.status, type, answer.body);
    const { method } = what;
    if (answer.status < 300) done.add(key(what));
    if (!allowed.includes(answer.status))
      faults.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)} ${JSON.stringify(sending.body)}`);
    else if (said.length > 0) faults.push(`${method} ${path}: ${answer.status} does not fit: ${said.join('; ')}`);
    return answer;
  };
  const prefix = Object.keys(document.paths).every((path) => path.startsWith('/api/v2')) ? '/api/v2' : '';
  const operations = operationsIn(document);
  const find = (method: string, path: string): Described | undefined =>
    operations.find((each) => each.method === method && each.path === path);

  /** Returns records of a list’s path in the detail view. For child records, uses the first parents with children. */
  const known = new Map<string, Promise<Loose[]>>();
  const recordsOf = (path: string): Promise<Loose[]> => {
    const found = known.get(path) ?? load(path);
    known.set(path, found);
    return found;
  };
  const load = async (path: string): Promise<Loose[]> => {
    for (const place of await placesOf(path)) {
      const { status, body } = await send(to, `${place}?view=detail&per_page=100`);
      if (status === 200 && body.data.length > 0) return body.data;
    }
    return [];
  };
  /** Returns a path with its parent’s id in several ways. Returns a path without a parent unchanged. */
  const placesOf = async (path: string): Promise<string[]> => {
    const bare = path.slice(prefix.length);
    const match = /^(.*?)\/\{\w+\}(.*)$/.exec(bare);
    if (match === null) return [bare];
    const parents = await recordsOf(`${prefix}${match[1]}`);
    return parents.slice(0, 100).map(({ id }) => `${match[1]}/${id}${match[2]}`);
  };
  const withRecords = async (path: string): Promise<string> => {
    const places = await placesOf(path);
    for (const place of places) {
      const { body } = await send(to, place);
      if (body.data.length > 0) return place;
    }
    return places[0] ?? path;
  };

  const unwrap = (body: Loose): Loose => body?.data ?? body;
  for (const what of operations) {
    const { method, path, parameters } = what;
    const isList = parameters.some(({ name }) => name === 'per_page');
    if (isList) {
      const place = await withRecords(path);
      const samples = await recordsOf(path);
      await ask(what, place, [200]);
      for (const query of queriesOf(what, samples)) await ask(what, `${place}?${query}`, [200]);
      await ask(what, `${place}?nonsense=1`, [400]);
      await ask(what, place, [401], { token: 'nobody' });
    } else if (method === 'GET' && !path.includes('{')) {
      if (path.endsWith('.yaml')) continue;
      for (const query of ['', ...queriesOf(what, [])]) await ask(what, `${path.slice(prefix.length) || '/'}?${query}`, [200]);
    } else if (method === 'GET') {
      // The path belongs to a record, or to the content of its file.
      const [, collection = '', rest = ''] = /^(.*)\/\{\w+\}((?:\/content)?)$/.exec(path) ?? [];
      const [record] = await recordsOf(collection);
      if (record === undefined) continue;
      const item = record.links.self.slice(to.baseUrl.length);
      for (const query of ['', ...queriesOf(what, [])]) await ask(what, `${item}${rest}?${query}`, [200]);
      await ask(what, `${item.replace(/\d+$/, '987654321')}${rest}`, [404]);
    }
  }

  for (const what of operations.filter(({ method, body }) => method === 'POST' && body !== undefined)) {
    const { path, body } = what;
    if (path.includes('/actions/')) {
      await act(what);
      continue;
    }
    const place = await withRecordsOrFirst(path);
    const isUpload = /upload/.test(path);
    const [sample] = isUpload ? [] : await recordsOf(path);
    await ask(what, place, [422], { body: { nonsense: 1 } });
    await ask(what, place, [415], { body: 'nonsense', headers: { 'content-type': 'text/plain' } });
    for (const which of ['required', 'all'] as const) {
      const sent = bodyFrom(document, body, sample, which);
      const made = await ask(what, place, [201], { body: sent });
      if (made.status !== 201) continue;
      if (isUpload) await upload(unwrap(made.body).upload_url);
      else await change(made.headers.get('location')?.slice(to.baseUrl.length) ?? '', sample);
    }
  }

  async function withRecordsOrFirst(path: string): Promise<string> {
    return find('GET', path) === undefined ? ((await placesOf(path))[0] ?? path) : withRecords(path);
  }

  async function upload(address: string): Promise<void> {
    const place = address.slice(to.baseUrl.length);
    const what = operations.find(({ method, path }) => method === 'POST' && templateFits(path.slice(prefix.length), place));
    if (what === undefined) return void faults.push(`POST ${place} is not described`);
    await ask(what, place, [201], { body: 'contents', headers: { 'content-type': what.contentType ?? '' } });
  }

  async function change(item: string, sample: Loose): Promise<void> {
    const named = (method: string): Described | undefined =>
      operations.find((each) => each.method === method && templateFits(each.path.slice(prefix.length), item));
    const patch = named('PATCH');
    if (patch?.body !== undefined) {
      const sent = bodyFrom(document, patch.body, sample, 'all');
      await ask(patch, item, [200], { body: sent });
      await ask(patch, item, [412], { body: sent, headers: { 'if-match': '"stale.one"' } });
      await ask(patch, item, [422], { body: { nonsense: 1 } });
    }
    const remove = named('DELETE');
    if (remove !== undefined) await ask(remove, item, [200, 202, 204]);
  }

  async function act(what: Described): Promise<void> {
    const collection = what.path.replace(/\/\{\w+\}\/actions\/.*$/, '');
    for (const record of (await recordsOf(collection)).slice(0, 20)) {
      const place = `${collection.slice(prefix.length)}/${record.id}${what.path.slice(what.path.indexOf('/actions/'))}`;
      await ask(what, place, [422], { body: { nonsense: 1 } });
      await ask(what, place, [200, 409], { body: bodyFrom(document, what.body, record, 'all') });
    }
  }

  for (const what of operations.filter((each) => each.method === 'DELETE' && !done.has(key(each)))) {
    const [record] = await recordsOf(what.path.replace(/\/\{\w+\}$/, ''));
    if (record !== undefined) await ask(what, record.links.self.slice(to.baseUrl.length), [200, 202, 204]);
  }

  const untried = operations.filter((what) => !done.has(key(what)) && !what.path.endsWith('.yaml')).map(key);
  return { requests, faults, untried };
}

function templateFits(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
