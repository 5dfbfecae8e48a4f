import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand } from '../../cli/spec.ts';
import { glanceReport } from '../../output/glance-report.ts';
import { readGlance } from '../../records/glance.ts';
import type { Context, Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/host-to-name.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { glanceRecord, glanceView } from './glance-view.ts';

/** What `svc status` needs of a context. */
type Looking = Reporting | keyof Pick<Context, 'account' | 'client' | 'clock' | 'env' | 'journal' | 'paths'>;

/** `svc status`: how one stands today. */
export const status = defineCommand({
  name: 'status',
  summary: 'Show your day: hours, running timer, work items, who is away',
  showsGlobals: READING_GLOBALS,
  description:
    'svc compares your hours of today with your working hours, less your absences. It shows your running timer, and your work items that are in progress or due within a week. It shows who is away, and which writes wait in the outbox. That takes at most six requests. One line names each part that you have no permission to see. svc does not check public holidays and free days here; svc week does.',
  examples: [
    { args: 'status', does: 'Show your day' },
    { args: 'status --jq .missing_minutes', does: 'Print the missing minutes of today; null if unknown' },
  ],
  async run(context: Needs<Looking>) {
    const glance = await readGlance(context);
    const host = await hostFlag(context);
    await printReport(context, { records: () => glanceRecord(glance), report: () => glanceReport(glanceView(glance, host)) });
  },
});
