import type { Resource } from '../catalog/define.ts';
import { singularName } from '../catalog/rules.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { namedResource } from '../cli/words.ts';
import { SvcError, UnavailableError, UsageError } from '../errors.ts';
import { type FindingRecords, namedRecord } from '../records/named-place.ts';
import { itemPath } from '../records/paths.ts';
import { recordAt } from '../records/record-at.ts';
import type { Needs } from '../session/context.ts';
import { printText } from '../session/print.ts';
import { plainLine } from '../values/hidden-characters.ts';
import { parseWorkItem } from '../values/scalars.ts';

export const open = defineCommand({
  args: [
    {
      name: 'resource',
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
      throw new UsageError(`${noun} can be the id of a work item or of a project.`, {
        hint: `Choose one: svc open work-item ${noun}, or svc open project ${noun}`,
      });
    const resource = await namedResource(context.catalog, noun, 'open', ` ${id ?? '<id>'}`);
    if (id === undefined)
      throw new UsageError(`Which ${resource.singular.replaceAll('-', ' ')}?`, { hint: `svc open ${resource.singular} <id>` });
    return openPage(context, resource, itemPath(resource, await namedRecord(context, resource, id)), id, print);
  },
});

/** Matches the key of a work item. Names of resources never match. */
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;

export type Opening = 'client' | 'host' | 'notice' | 'openBrowser' | 'stdio';

/**
 * Opens the web page of a record, or prints its address. The `web_url` must be on the organisation’s own host.
 *
 * @param path The API path of the record.
 * @param id The id as typed.
 * @throws SvcError for a record without an address, and if no browser opens.
 * @throws UnavailableError for an address on another host.
 */
export async function openPage(context: Needs<Opening>, resource: Resource, path: string, id: string, print: boolean): Promise<void> {
  const { record } = await recordAt(context, path);
  const url = record['web_url'];
  if (typeof url !== 'string' || !URL.canParse(url)) {
    throw new SvcError(`The ${singularName(resource)} ${id} has no address in the web app.`, {
      hint: `Read it here: svc ${resource.noun} get ${id}`,
    });
  }
  const { origin } = await context.host();
  if (new URL(url).origin !== origin) {
    throw new UnavailableError(`svc does not open this address of the service, because it is on another host: ${url}`, {
      hint: 'If you trust the host, open the address yourself.',
    });
  }
  if (print) return printText(context, `${url}\n`);
  await context.notice(`Opening ${url}`);
  await context.openBrowser(url).catch((cause: unknown) => {
    const why = cause instanceof Error ? `: ${plainLine(cause.message)}` : '.';
    throw new SvcError(`svc could not open a browser${why}`, { hint: `Open the address yourself: ${url}`, cause });
  });
}
