import { renderReport } from '../output/create-writer.ts';
import type { Report } from '../output/report.ts';
import type { PageOrigin } from '../output/report-page.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printOneOrMany, type View } from '../session/print.ts';
import { today } from '../values/dates.ts';
import type { JsonObject } from '../values/json.ts';
import { writePage } from './write-page.ts';

/** A report, for whoever reads it: each is made when it is wanted. */
export interface Printable {
  /** For programs: a list, or one record. */
  readonly records: () => readonly JsonObject[] | JsonObject;
  readonly view?: View;
  /** For people; undefined where there is nothing to show, and that was said. */
  readonly report: () => Report | undefined;
  /** The file of `--html`. */
  readonly html?: string | undefined;
  /** A page of its own. Default: the report as one. */
  readonly page?: (origin: PageOrigin) => Promise<string>;
}

/** What printing a report needs of a context; the last of them for a page alone. */
export type Reporting = Printing | 'dates' | 'files' | 'host';

/** Prints a report as this run presents it, or writes its page. */
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
  // Drawn with colours, from texts that were made harmless one by one.
  if (shown !== undefined) await context.stdio.stdout.write(await renderReport(shown, presentation));
}
