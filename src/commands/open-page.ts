import type { Resource } from '../catalog/define.ts';
import { thingOf } from '../catalog/rules.ts';
import { SvcError, UnavailableError } from '../errors.ts';
import { recordAt } from '../records/record-at.ts';
import type { Needs } from '../session/context.ts';
import { printText } from '../session/print.ts';

/** What showing a page needs of a context. */
export type Opening = 'client' | 'host' | 'notice' | 'openBrowser' | 'stdio';

/**
 * Opens the page of a record, its `web_url`, which must be on the organisation's own host; `print`: prints the address instead.
 *
 * @param path The record's path; `id`: as it was typed.
 */
export async function openPage(context: Needs<Opening>, resource: Resource, path: string, id: string, print: boolean): Promise<void> {
  const { record } = await recordAt(context, path);
  const url = record['web_url'];
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
  if (print) return printText(context, `${url}\n`);
  await context.openBrowser(url);
  await context.notice(`Opened ${url}`);
}
