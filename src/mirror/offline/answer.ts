import type { Resource } from '../../catalog/define.ts';
import { ForbiddenError, NotFoundError, UsageError } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { quoted } from '../sql-values.ts';
import { answerList, type Walks } from './answer-list.ts';
import { KEPT, keptJson, type Manner, type Surroundings } from './manner.ts';
import type { Copy } from './open-copy.ts';
import { AS_IT_WAS, cannotTell, forbiddenThen, refusedThen } from './refusals.ts';
import { recordIn, summaries } from './show-record.ts';

/** An answer of a copy. */
export interface CopyAnswer {
  readonly body: JsonValue;
  /** What it was taken from, and until when that was true: `2026-11-22T14:00:00Z`. */
  readonly from: readonly { readonly noun: string; readonly at: string }[];
}

/** Answers in the service's place. */
export interface Answerer {
  /**
   * @param url of a GET, below the API.
   * @throws UsageError naming what the copy cannot answer exactly, or the table that it lacks; RefusedError, NotFoundError, ForbiddenError as
   *   the service answered the sync.
   */
  answer(url: URL): Promise<CopyAnswer>;
}

/** @param apiPath what comes before the path of a collection: `/api/v2`. @param find a resource of the catalog. */
export function answerer(copy: Copy, apiPath: string, find: (noun: string) => Promise<Resource | undefined>): Answerer {
  const walks: Walks = new Map();
  const summary = summaries(copy);
  const included = new Set(keptJson<readonly string[]>(copy, KEPT.included));
  const surroundings = keptJson<Surroundings>(copy, KEPT.surroundings);
  const kept = (name: string) => keptJson<{ readonly at: string; readonly body?: JsonValue }>(copy, name);
  const me = () => {
    const body = kept(KEPT.me)?.body as { readonly data?: { readonly id?: unknown } } | undefined;
    return typeof body?.data?.id === 'number' ? body.data.id : undefined;
  };

  function keptAnswer(name: string, path: string): CopyAnswer {
    const known = kept(name);
    if (known === undefined) throw new UsageError(`Your copy does not hold what ${path} answers.`, { hint: 'Renew it: svc sync' });
    if (known.body === undefined)
      throw new ForbiddenError(`The service did not answer ${path} when your copy was made.`, {
        hint: 'Sign in as somebody who may ask it.',
      });
    return { body: known.body, from: [{ noun: path, at: known.at }] };
  }

  /** The collection of a path, and what is known of it. @throws where the copy lacks it. */
  function collectionAt(template: (listed: string) => boolean, path: string, noun: string) {
    const listed = surroundings?.paths.find(template);
    if (surroundings === undefined)
      throw new UsageError('Your copy cannot answer yet: its first sync did not end, or was made before svc could answer from a copy.', {
        hint: 'Renew it: svc sync',
      });
    if (listed === undefined) {
      throw new NotFoundError(`${path} is not there, or not enabled for this organisation, as of your copy.`, {
        hint: 'See what there is: svc resources',
        details: { status: 404, type: 'endpoint-not-found' },
      });
    }
    const manner = keptJson<Manner>(copy, KEPT.manner(listed));
    const state = manner === undefined ? undefined : copy.states.get(manner.noun);
    if (manner?.refused !== undefined) {
      const { because, message, type } = manner.refused;
      throw because === 'forbidden'
        ? forbiddenThen(manner.refused)
        : new NotFoundError(message, { hint: AS_IT_WAS, details: { status: 404, type } });
    }
    if (manner === undefined || state === undefined) throw missingTable(noun);
    return { manner, state };
  }

  /** The id that a path names, by the id or by a key. */
  function idIn(noun: string, text: string, resource: Resource | undefined): number {
    const table = copy.states.get(noun)?.table;
    const missing = () =>
      new NotFoundError(`Your copy has no ${resource?.singular.replaceAll('-', ' ') ?? noun} ${text}.`, {
        hint: 'It may be newer than the copy, or gone. To renew it: svc sync',
        details: { status: 404, type: 'not-found' },
      });
    if (table === undefined) throw missing();
    const isKey = resource?.keyed === true && !/^\d+$/.test(text);
    const rows = copy.all<{ readonly id: number }>(
      `SELECT id FROM ${quoted(table)} WHERE ${isKey ? 'issue_key' : 'id'} = ?`,
      isKey ? text : /^\d{1,15}$/.test(text) ? Number(text) : -1,
    );
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw missing();
    return Number(row.id);
  }

  /** Shows records of a collection as they are asked for, and tells of each table that it takes them from. */
  function shower(manner: Manner, query: URLSearchParams, view: string, uses: (noun: string) => void): (id: number) => JsonObject {
    const asked = query.get('include')?.split(',') ?? [];
    const relations = asked.map((name) => {
      const relation = manner.relations !== undefined && Object.hasOwn(manner.relations, name) ? manner.relations[name] : undefined;
      if (relation === undefined) throw manner.refusedRelations?.includes(name) ? refusedThen('include') : unknownRelation(name);
      if (!copy.states.has(relation.of)) throw missingTable(relation.of);
      uses(relation.of);
      return { name, ...relation };
    });
    if (view !== 'detail' && view !== 'summary') throw refusedThen('view');
    const [only] = manner.key === undefined ? [] : [manner.key];
    return (id) => {
      const record = recordIn(copy, manner.noun, id) ?? {};
      const whole = only === undefined ? record : asSent(record, manner, only);
      const shown = view === 'detail' ? whole : summary(manner.noun, record, manner);
      if (shown === undefined || whole === undefined) throw unknownView(manner.noun);
      if (relations.length === 0) return shown;
      const more = relations.map(({ name, of, key, seen }) => [name, related(name, of, record[key], seen)] as const);
      const all: JsonObject = { ...shown, ...Object.fromEntries(more) };
      const fields = manner.fields ?? [];
      if (!Object.keys(all).every((field) => fields.includes(field))) throw unknownRelation(asked.join(','));
      return Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(all, field) ? [[field, all[field] as JsonValue]] : [])));
    };
  }

  function related(name: string, noun: string, id: JsonValue | undefined, isSeen: boolean): JsonValue {
    if (id === null) return null;
    const record = typeof id === 'number' && (isSeen || included.has(noun)) ? recordIn(copy, noun, id) : undefined;
    const shown = record && summary(noun, record);
    if (shown === undefined) throw unknownRelation(name);
    return shown;
  }

  return {
    async answer(url) {
      const path = url.pathname.slice(apiPath.length);
      const query = url.searchParams;
      const [noun = '', item, below, nestedItem, ...deeper] = path.split('/').slice(1).map(decodeURIComponent);
      if (noun === '') return keptAnswer(KEPT.discovery, '/');
      if (noun === 'me' && item === undefined) return keptAnswer(KEPT.me, '/me');
      const top = await find(noun);
      const resource = below === undefined ? top : top?.nested?.find((each) => each.noun === below);
      const isAsked = (listed: string) =>
        below === undefined ? listed === `/${noun}` : new RegExp(`^/${noun}/\\{[^}]*\\}/${below}$`).test(listed);
      if (deeper.length > 0 || !/^[a-z0-9-]+$/.test(noun + (below ?? ''))) throw unknownPath(path);
      const { manner, state } = collectionAt(isAsked, path, below === undefined ? noun : `${noun}.${below}`);
      const used = new Set([state.noun]);
      const uses = (other: string) => used.add(other);
      const from = () => [...used].flatMap((each) => copy.states.get(each) ?? []).map(({ noun: of, whole_at: at }) => ({ noun: of, at }));
      const asked = below === undefined ? item : nestedItem;
      const parent = below === undefined ? undefined : idIn(noun, item ?? '', top);
      if (asked !== undefined) {
        for (const name of query.keys()) if (name !== 'view' && name !== 'include') throw unknownPath(`${path}?${name}`);
        const id = idIn(manner.noun, asked, resource);
        if (parent !== undefined && recordIn(copy, manner.noun, id)?.[manner.key ?? ''] !== parent) throw unknownPath(path);
        return { body: shower(manner, query, query.get('view') ?? 'detail', uses)(id), from: from() };
      }
      const show = shower(manner, query, query.get('view') ?? 'summary', uses);
      const address = `${url.origin}${url.pathname}`;
      const body = answerList({ copy, table: state.table, manner, resource, parent, me, address, query, show }, walks);
      return { body, from: from() };
    },
  };
}

/** A record below another, without the field that svc added to say so; undefined where it is not known whether it did. */
function asSent(record: JsonObject, { fields }: Manner, key: string): JsonObject | undefined {
  if (fields === undefined) return undefined;
  if (fields.includes(key)) return record;
  const { [key]: _, ...rest } = record;
  return rest;
}

function missingTable(noun: string): UsageError {
  return new UsageError(`Your copy has no ${noun.replace('.', ' ')}.`, {
    hint: `Fetch them while there is a connection: svc sync ${noun.split('.')[0]}`,
  });
}

function unknownPath(path: string): UsageError {
  return cannotTell(`Your copy has no answer for ${path}`);
}

function unknownRelation(name: string): UsageError {
  return cannotTell(`Your copy does not know what the service adds for the relation ${name}`, 'Leave --include out.');
}

function unknownView(noun: string): UsageError {
  return cannotTell(`Your copy does not know which fields of these ${noun} a summary shows`, 'Ask for all of them: --view detail.');
}
