import type { Resource } from '../catalog/define.ts';
import { verbsOf } from '../catalog/rules.ts';
import { requestCost } from '../client/cost.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';
import { findDrift } from '../schema/find-drift.ts';
import type { Context } from '../session/context.ts';
import { printRows } from '../session/print.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { counted } from '../values/text.ts';
import { nothingImported } from './schema/show.ts';

/**
 * Compares the API spec with the first page of each resource. Differences and unreadable resources become rows, and do not fail the
 * command.
 *
 * @throws NotFoundError without an API spec.
 */
export async function checkSchema(context: Context): Promise<void> {
  const { catalog } = context;
  if (catalog.described === undefined) throw nothingImported((await context.host()).name);
  const listed = (await Promise.all(catalog.nouns.map(({ load }) => load()))).filter(isListed);
  const units = listed.length * requestCost({ method: 'GET', query: [], collection: true });
  await context.notice(`svc reads a page of each of ${listed.length} resources, for ${units} rate-limit units, and writes nothing.`);
  let drifts = 0;
  let unread = 0;
  async function* rows(): AsyncGenerator<JsonObject> {
    for (const resource of listed) {
      const found = await readPage(context, resource);
      if (typeof found === 'string') {
        unread += 1;
        yield { noun: resource.noun, field: null, finding: 'not read', detail: found, records: null };
      } else
        for (const { field, kind, detail, records } of findDrift(resource, found)) {
          drifts += 1;
          yield { noun: resource.noun, field, finding: kind, detail, records };
        }
    }
  }
  await printRows(context, rows(), { columns: ['noun', 'field', 'finding', 'detail', 'records'].map((path) => ({ path })) });
  const rest = unread === 0 ? '' : ` svc could not read ${counted(unread, 'resource')}.`;
  if (drifts === 0) return context.notice(`The records match the API spec of ${catalog.described.host.name}.${rest}`);
  await context.notice(
    `${drifts === 1 ? 'One difference' : `${drifts} differences`} from the API spec of ${catalog.described.host.name}.${rest} For a newer API spec: svc schema import <file>`,
  );
}

function isListed(resource: Resource): boolean {
  return resource.described !== undefined && resource.described.open !== true && verbsOf(resource).includes('list');
}

/** Reads the first page of a resource. Returns the reason as a string if svc could not read the page. */
async function readPage(context: Context, resource: Resource): Promise<readonly JsonObject[] | string> {
  try {
    const query = [['per_page', String(resource.described?.maxPerPage ?? 100)]] as const;
    const body = (await (await context.client()).send({ method: 'GET', path: resource.path, query })).body();
    const data = isJsonObject(body) ? body['data'] : undefined;
    return Array.isArray(data) ? data.filter(isJsonObject) : 'the answer has no list of records';
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError) return error.message;
    throw error;
  }
}
