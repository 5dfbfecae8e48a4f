import type { Resource } from '../../catalog/define.ts';
import { type CommandSpec, defineCommand, text } from '../../cli/spec.ts';
import { commandWords, includeHelp, summaryOf } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { itemPath, parentArgs, placeOf } from '../../records/paths.ts';
import { readRecord } from '../../records/read-record.ts';
import type { Context } from '../../session/context.ts';
import { printOneOrMany, viewOf } from '../../session/print.ts';
import type { JsonObject } from '../../values/json.ts';
import { examplesOf } from './examples.ts';
import { splitNames } from './query.ts';

/** `svc <noun> get <id>…`: one record, or an array of several. */
export function getCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    name: 'get',
    summary: summaryOf(resource, 'get'),
    args: [
      ...parentArgs(resource),
      { name: 'id', summary: `Its id${resource.keyed ? ' or key' : ''}; several make a list`, variadic: true },
    ],
    options: {
      include: text('--include <a,b>', includeHelp(resource), { group: 'Output' }),
      view: text('--view <view>', 'How much of the record', { group: 'Output', choices: ['summary', 'detail'] }),
    },
    examples: examplesOf(resource, 'get'),
    async run(context: Context, { args, options }) {
      const { parent, rest } = placeOf(resource, args);
      if (rest.length === 0)
        throw new UsageError(`"svc ${commandWords(resource, 'get')}" needs <id>.`, {
          hint: `See: svc ${commandWords(resource, 'get')} --help`,
        });
      const include = splitNames(options.include);
      const query: [string, string][] = [];
      if (include.length > 0) query.push(['include', include.join(',')]);
      if (options.view !== undefined) query.push(['view', options.view]);
      // Every id is read before the first request, so that a slip in the last one costs nothing.
      const paths = rest.map((id) => itemPath(resource, id, parent));
      const client = await context.client();
      const records: JsonObject[] = [];
      for (const path of paths) records.push(readRecord(await client.send({ method: 'GET', path, query })));
      await printOneOrMany(context, records, rest.length > 1, viewOf(resource));
    },
  });
}
