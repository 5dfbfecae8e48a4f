import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand } from '../../cli/spec.ts';
import { readGlance } from '../../records/glance.ts';
import type { Context, Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/host-to-name.ts';
import type { Printing } from '../../session/print.ts';
import { printRecord } from '../../session/print.ts';
import { glanceRecord, glanceView } from './glance-view.ts';

/** What `svc status` needs of a context. */
type Looking =
  | Printing
  | keyof Pick<Context, 'account' | 'client' | 'clock' | 'env' | 'files' | 'host' | 'journal' | 'paths' | 'resolvedHost' | 'timeZone'>;

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
    const { stdio } = context;
    const { reader, isSpoken, color, width = 80 } = await context.presentation();
    if (reader === 'program') return printRecord(context, glanceRecord(glance));
    const view = glanceView(glance, await hostFlag(context));
    // Drawn with colours, from texts that were made harmless one by one.
    if (isSpoken) return stdio.stdout.write(await (await import('../../output/time-blocks.ts')).glanceBlocks(view, color));
    const { renderGlance } = await import('../../output/glance-text.ts');
    await stdio.stdout.write(await renderGlance(view, { color, width }));
  },
});
