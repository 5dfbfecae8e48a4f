import { namedResource } from '../cli/named-resource.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import { type FindingRecords, namedRecord } from '../records/named-place.ts';
import { itemPath } from '../records/paths.ts';
import type { Needs } from '../session/context.ts';
import { parseWorkItem } from '../values/work-item.ts';
import { type Opening, openPage } from './open-page.ts';

/** `svc open <noun> <id>`, `svc open ABC-12`: the page of a record. */
export const open = defineCommand({
  name: 'open',
  summary: 'Open a record in the browser',
  args: [
    {
      name: 'noun',
      summary: 'A resource whose records have a web_url (projects, work-items), or the key of a work item',
      completes: { values: ['project', 'work-item'] },
    },
    { name: 'id', summary: 'The id, key or name of the record', optional: true },
  ],
  options: { print: toggle('--print', 'Print the address, and open nothing') },
  examples: [
    { args: 'open ABC-12', does: 'Open a work item' },
    { args: 'open project 12 --print', does: 'Print an address, to share' },
  ],
  async run(context: Needs<Opening | FindingRecords>, { args: [noun = '', id], options }) {
    const print = options.print === true;
    if (id === undefined && KEY.test(noun)) {
      const resource = await context.catalog.of('work-items');
      const typed = parseWorkItem(noun);
      const key = typed.kind === 'key' ? typed.key : noun;
      return openPage(context, resource, itemPath(resource, key), key, print);
    }
    if (id === undefined && /^\d+$/.test(noun))
      throw new UsageError(`${noun} may be the id of a work item or of a project.`, {
        hint: `Say which: svc open work-item ${noun}, or svc open project ${noun}`,
      });
    const resource = await namedResource(context.catalog, noun, 'open', ` ${id ?? '<id>'}`);
    if (id === undefined)
      throw new UsageError(`Which ${resource.singular.replaceAll('-', ' ')}?`, { hint: `svc open ${resource.singular} <id>` });
    return openPage(context, resource, itemPath(resource, await namedRecord(context, resource, id)), id, print);
  },
});

/** Letters, a dash, a number: no noun looks like it. */
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;
