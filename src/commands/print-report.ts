import { resolve } from 'node:path';
import { SvcError } from '../errors.ts';
import { renderReport } from '../output/create-writer.ts';
import type { Report } from '../output/report.ts';
import type { PageOrigin } from '../output/report-page.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printOneOrMany, type View } from '../session/print.ts';
import { today } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';

/** A report in the form for each reader; svc makes only the form that it prints. */
export interface Printable {
  /** The form for programs: a list, or one record. */
  readonly records: () => readonly JsonObject[] | JsonObject;
  readonly view?: View;
  /** The form for people; undefined if there is nothing to show. */
  readonly report: () => Report | undefined;
  /** The file of `--html`. */
  readonly html?: string | undefined;
  /** The page of `--html`. Default: the report as a page. */
  readonly page?: (origin: PageOrigin) => Promise<string>;
}

/** The members of a context that {@link printReport} needs. */
export type Reporting = Printing | 'dates' | 'files' | 'host' | 'system';

/** Prints a report in the output format, or writes the page of `--html`. */
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
  // The renderer neutralises each text, and adds colours.
  if (shown !== undefined) await context.stdio.stdout.write(await renderReport(shown, presentation));
}

/** Writes a text to the file of a flag, readable only for its owner, and reports the path. @throws SvcError for an unwritable file. */
export async function writePage(context: Needs<'files' | 'notice' | 'system'>, file: string, page: string): Promise<void> {
  await context.files.writeAtomic(resolve(context.system.cwd, file), page, 0o600).catch((cause: unknown) => {
    throw new SvcError(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { hint: 'Check the path.', cause });
  });
  await context.notice(`Written: ${file}`);
}
