import { AT_ONCE, inOrder } from '../../bulk/import/in-order.ts';
import type { Resource } from '../../catalog/define.ts';
import { reachOf } from '../../catalog/rules.ts';
import { type CommandSpec, defineCommand, text, toggle } from '../../cli/spec.ts';
import { commandWords, includeHelp, itsId, pluralOf, summaryOf } from '../../cli/words.ts';
import { requestCost } from '../../client/cost.ts';
import { NotFoundError, SvcError, UsageError, withMore } from '../../errors.ts';
import { type FindingRecords, namedPlace } from '../../records/named-place.ts';
import { itemPath, parentArgs } from '../../records/paths.ts';
import { recordAt } from '../../records/record-at.ts';
import type { Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRecord, printRows, viewOf } from '../../session/print.ts';
import { counted, were } from '../../values/counted.ts';
import type { JsonObject } from '../../values/json.ts';
import { type Opening, openPage } from '../open-page.ts';
import { examplesOf } from './examples.ts';
import { splitNames } from './query.ts';

/** `svc <noun> get <id>…`: one record, or an array of several; of several, those that are there. */
export function getCommand(resource: Resource): CommandSpec<Context> {
  const hidden = resource.fields['web_url'] === undefined ? { hidden: true as const } : {};
  return defineCommand({
    name: 'get',
    summary: summaryOf(resource, 'get'),
    args: [...parentArgs(resource), { name: 'id', summary: `${itsId(resource)}; several make a list`, variadic: true }],
    options: {
      web: toggle('--web', 'Open its page in the browser instead', hidden),
      print: toggle('--print', 'With --web: print the address of its page instead', hidden),
      include: text('--include <a,b>', includeHelp(resource), { group: 'Output' }),
      view: text('--view <view>', 'How much of the record', { group: 'Output', choices: ['summary', 'detail'] }),
    },
    examples: examplesOf(resource, 'get'),
    async run(context: Needs<FindingRecords | Printing | Opening>, { args, options }) {
      const { parent, rest } = await namedPlace(context, resource, args);
      if (rest.length === 0)
        throw new UsageError(`"svc ${commandWords(resource, 'get')}" needs <id>.`, {
          hint: `See: svc ${commandWords(resource, 'get')} --help`,
        });
      if (options.web || options.print) {
        const path = itemPath(resource, onlyPage(resource, rest), parent);
        return openPage(context, resource, path, rest[0] ?? '', options.print === true);
      }
      const include = splitNames(options.include);
      const query: [string, string][] = [];
      if (include.length > 0) query.push(['include', include.join(',')]);
      if (options.view !== undefined) query.push(['view', options.view]);
      // Every id is read before the first request, so that a slip in the last one costs nothing.
      // What the catalog does not know may lead to many records, and cost as much (rules 15.18 to 15.20).
      const toMany = new Set(include.filter((name) => reachOf(resource, name) !== 'one'));
      const cost = requestCost({ method: 'GET', query, collection: false, toMany });
      const paths = rest.map((id) => itemPath(resource, id, parent));
      const read = async (path: string) => (await recordAt(context, path, query, cost)).record;
      const [only = ''] = paths;
      if (paths.length === 1) return printRecord(context, await read(only), viewOf(resource));
      const missing: Missing[] = [];
      await printRows(context, eachFound(paths, read, missing), viewOf(resource));
      if (missing.length > 0) throw notAllFound(resource, missing, rest);
    },
  });
}

/** The id of the one record whose page is asked for. @throws UsageError where there are several, or no pages. */
function onlyPage(resource: Resource, ids: readonly string[]): string {
  const [only = ''] = ids;
  if (resource.fields['web_url'] === undefined)
    throw new UsageError(`--web: ${pluralOf(resource)} have no page that svc knows of.`, {
      hint: 'Projects and work items have one: svc open ABC-12',
    });
  if (ids.length > 1) throw new UsageError('--web opens one page at a time.', { hint: 'Name one record.' });
  return only;
}

/** A record that is not there: its place among those that were asked for. */
interface Missing {
  readonly index: number;
  readonly error: NotFoundError;
}

/** Each record, in the order asked for. One that is not there is noted, and hides none of the others. */
async function* eachFound(
  paths: readonly string[],
  read: (path: string) => Promise<JsonObject>,
  missing: Missing[],
): AsyncGenerator<JsonObject> {
  let found = 0;
  const look = async (path: string, index: number): Promise<JsonObject | undefined> => {
    try {
      return await read(path);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      missing.push({ index, error });
      return undefined;
    }
  };
  try {
    for await (const record of inOrder(paths.entries(), AT_ONCE, ([index, path]) => look(path, index))) {
      if (record === undefined) continue;
      yield record;
      found += 1;
    }
  } catch (error) {
    throw found > 0 ? halfWay(error, found) : error;
  }
  missing.sort((one, other) => one.index - other.index);
}

/** A failure that leaves records behind says how many. With `--jq` nothing is written before the end. */
function halfWay(error: unknown, count: number): unknown {
  return error instanceof SvcError ? withMore(error, { lines: [`${counted(count, 'record')} ${were(count)} read before this.`] }) : error;
}

/** The failure that names those that are missing. Where that is all of them, the resource itself may be: the service's words say so. */
function notAllFound(resource: Resource, missing: readonly Missing[], ids: readonly string[]): NotFoundError {
  const named = missing.map(({ index }) => ids[index]).join(', ');
  const [first] = missing;
  if (missing.length === ids.length && first !== undefined) return withMore(first.error, { lines: [`Not found: ${named}`] });
  return new NotFoundError(`${missing.length} of ${ids.length} ${pluralOf(resource)} ${were(missing.length)} not found: ${named}.`, {
    hint: 'The others are printed. Check the ids, and that you may see these records.',
    details: { status: 404, request_id: first?.error.details.request_id },
  });
}
