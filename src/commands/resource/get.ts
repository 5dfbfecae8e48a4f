import type { Resource } from '../../catalog/define.ts';
import type { JsonObject } from '../../values/json.ts';
import { type CommandSpec, defineCommand, text } from '../define.ts';
import { printOneOrMany, viewOf } from '../print.ts';
import { readRecord } from '../read-record.ts';
import { examplesOf } from './examples.ts';
import { itemPath } from './item-path.ts';
import { splitNames } from './query.ts';

/** `svc <noun> get <id>…`: one record, or an array of several. */
export function getCommand(resource: Resource): CommandSpec {
  return defineCommand({
    name: 'get',
    summary: `Show a ${resource.singular.replaceAll('-', ' ')}`,
    args: [{ name: 'id', summary: resource.keyed ? 'Its id or key; several make a list' : 'Its id; several make a list', variadic: true }],
    options: {
      include: text('--include <a,b>', 'Add related records', { group: 'Rows' }),
      view: text('--view <view>', 'How much of the record', { group: 'Rows', choices: ['summary', 'detail'] }),
    },
    examples: examplesOf(resource, 'get'),
    async run(context, { args, options }) {
      const include = splitNames(options.include);
      const query: [string, string][] = [];
      if (include.length > 0) query.push(['include', include.join(',')]);
      if (options.view !== undefined) query.push(['view', options.view]);
      // Every id is read before the first request, so that a slip in the last one costs nothing.
      const paths = args.map((id) => itemPath(resource, id));
      const client = await context.client();
      const records: JsonObject[] = [];
      for (const path of paths) records.push(readRecord(await client.send({ method: 'GET', path, query })));
      await printOneOrMany(context, records, args.length > 1, viewOf(resource));
    },
  });
}
