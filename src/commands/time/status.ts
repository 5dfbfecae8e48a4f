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
  summary: 'Today: your hours, what runs, what is due, who is away',
  showsGlobals: READING_GLOBALS,
  description:
    'Hours of today against your working hours without your absences, the timer that runs, your work items that are in progress or due within a week, who is away, and what waits in the outbox: at most six requests, side by side. What you may not see is said in one line. Public holidays and free days are not looked at: svc week does.',
  examples: [
    { args: 'status', does: 'How you stand' },
    { args: 'status --jq .missing_minutes', does: 'Minutes of today that are missing; null where nobody knows' },
  ],
  async run(context: Needs<Looking>) {
    const glance = await readGlance(context);
    const host = await hostFlag(context);
    await printReport(context, { records: () => glanceRecord(glance), report: () => glanceReport(glanceView(glance, host)) });
  },
});
