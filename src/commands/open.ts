import { thingOf } from '../catalog/rules.ts';
import { namedResource } from '../cli/named-resource.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { SvcError, UnavailableError } from '../errors.ts';
import { itemPath } from '../records/paths.ts';
import { readRecord } from '../records/read-record.ts';
import type { Context } from '../session/context.ts';
import { printText } from '../session/print.ts';

/** `svc open <noun> <id>`: the record's `web_url`, which must be on the organisation's own host. */
export const open = defineCommand({
  name: 'open',
  summary: 'Open a record in the browser',
  args: [
    {
      name: 'noun',
      summary: 'A resource whose records have a web_url: projects, work-items',
      completes: { values: ['project', 'work-item'] },
    },
    { name: 'id', summary: 'The record, by id; a work item also by key' },
  ],
  options: { print: toggle('--print', 'Print the address instead') },
  examples: [
    { args: 'open work-item ABC-12', does: 'See it on the board' },
    { args: 'open project 12 --print', does: 'The address, to share' },
  ],
  async run(context: Context, { args: [noun = '', id = ''], options }) {
    const resource = await namedResource(noun, 'open', ` ${id}`);
    const client = await context.client();
    const response = await client.send({ method: 'GET', path: itemPath(resource, id) });
    const url = readRecord(response)['web_url'];
    if (typeof url !== 'string' || !URL.canParse(url)) {
      throw new SvcError(`The ${thingOf(resource)} ${id} has no address in the web app.`, {
        hint: `Read it here: svc ${resource.noun} get ${id}`,
      });
    }
    const { origin } = await context.host();
    if (new URL(url).origin !== origin) {
      throw new UnavailableError(`The service gave an address on another host, and svc does not open it: ${url}`, {
        hint: 'If you know the host, open it yourself.',
      });
    }
    if (options.print) return printText(context, `${url}\n`);
    await context.openBrowser(url);
    await context.notice(`Opened ${url}`);
  },
});
