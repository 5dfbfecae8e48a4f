import { resolve } from 'node:path';
import { SvcError } from '../errors.ts';
import { renderReport } from '../output/create-writer.ts';
import type { Report } from '../output/report.ts';
import type { PageOrigin } from '../output/report-page.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printOneOrMany, type View } from '../session/print.ts';
import { today } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';

/** A report for every output format. svc calls `records` for a program, and `report` for any other output. */
export interface Printable {
  readonly records: () => readonly JsonObject[] | JsonObject;
  readonly view?: View;
  readonly report: () => Report | undefined;
  readonly html?: string | undefined;
  /** Makes the HTML page for `--html`. Default: the report as a page. */
  readonly page?: (origin: PageOrigin) => Promise<string>;
}

export type Reporting = Printing | 'dates' | 'files' | 'host' | 'system';

export async function printReport(context: Needs<Reporting>, { records, view, report, html, page }: Printable): Promise<void> {
  const presentation = await context.presentation();
  if (html === undefined && presentation.reader === 'program') {
    const found = records();
    return Array.isArray(found) ? printOneOrMany(context, found, true, view) : printOneOrMany(context, [found as JsonObject], false, view);
  }
  const shown = report();
  if (html !== undefined) {
    const dates = await context.dates();
    const origin = { source: (await context.host()).name, made: `${today(dates)}, ${dates.timeZone}` };
    if (page !== undefined) return writePage(context, html, await page(origin));
    const { renderReportPage } = await import('../output/report-page.ts');
    return shown && writePage(context, html, await renderReportPage(shown, origin));
  }
  // The renderer makes every text safe for a terminal, and adds colours.
  if (shown !== undefined) await context.stdio.stdout.write(await renderReport(shown, presentation));
}

/** Writes a page to a file that only the owner can read, and prints its path. @throws SvcError if svc cannot write the file. */
export async function writePage(context: Needs<'files' | 'notice' | 'system'>, file: string, page: string): Promise<void> {
  await writeOwnFile(context, file, page);
  await context.notice(`Written: ${file}`);
}

/** Writes a file that only the owner can read. @throws SvcError if svc cannot write the file. */
export async function writeOwnFile({ files, system }: Needs<'files' | 'system'>, file: string, text: string): Promise<void> {
  await files.writeAtomic(resolve(system.cwd, file), text, 0o600).catch((cause: unknown) => {
    throw new SvcError(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { hint: 'Check the path.', cause });
  });
}
