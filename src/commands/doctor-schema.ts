import type { Resource } from '../catalog/define.ts';
import { verbsOf } from '../catalog/rules.ts';
import { requestCost } from '../client/cost.ts';
import { ForbiddenError, NotFoundError, RefusedError, SvcError } from '../errors.ts';
import { findDrift } from '../schema/find-drift.ts';
import type { Context } from '../session/context.ts';
import { printRows } from '../session/print.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { nothingImported } from './schema/nothing-imported.ts';

/**
 * `svc doctor --schema`: a page of each noun, held against the imported description. What differs is data and no failure: the description is
 * the organisation's to mend. What could not be read is a row too.
 *
 * @throws NotFoundError where nothing is imported.
 */
export async function checkSchema(context: Context): Promise<void> {
  const { catalog } = context;
  if (catalog.described === undefined) throw nothingImported((await context.host()).name);
  const listed = (await Promise.all(catalog.nouns.map(({ load }) => load()))).filter(isListed);
  const units = listed.length * requestCost({ method: 'GET', query: [], collection: true });
  await context.notice(`Reads a page of each of ${listed.length} resources: ${units} units of the read budget. Nothing is written.`);
  let drifts = 0;
  let unread = 0;
  async function* rows(): AsyncGenerator<JsonObject> {
    for (const resource of listed) {
      const found = await look(context, resource);
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
  const rest = unread === 0 ? '' : ` ${unread} could not be read.`;
  if (drifts === 0) return context.notice(`What came is as ${catalog.described.host.name} describes it.${rest}`);
  await context.notice(
    `${drifts === 1 ? 'One difference' : `${drifts} differences`} from the description of ${catalog.described.host.name}.${rest} A newer one: svc schema import`,
  );
}

function isListed(resource: Resource): boolean {
  return resource.described !== undefined && resource.described.open !== true && verbsOf(resource).includes('list');
}

/** The records of the first page, or why there are none. */
async function look(context: Context, resource: Resource): Promise<readonly JsonObject[] | string> {
  try {
    const client = await context.client();
    const body = (
      await client.send({ method: 'GET', path: resource.path, query: [['per_page', String(resource.described?.maxPerPage ?? 100)]] })
    ).body();
    const data = isJsonObject(body) ? body['data'] : undefined;
    return Array.isArray(data) ? data.filter(isJsonObject) : 'the answer is no page of records';
  } catch (error) {
    const isOwn = error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError;
    if (!isOwn || !(error instanceof SvcError)) throw error;
    return error.message;
  }
}
