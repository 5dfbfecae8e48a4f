import { defineCommand } from '../cli/spec.ts';
import { readMe } from '../records/me.ts';
import type { Needs } from '../session/context.ts';
import { printRecord, viewOf } from '../session/print.ts';
import type { Viewing } from './resource/view.ts';

export const me = defineCommand({
  examples: [
    { args: 'me', does: 'Show your user record' },
    { args: 'me --jq .timezone', does: 'Print only your time zone' },
  ],
  async run(context: Needs<Viewing>) {
    const [me, users] = await Promise.all([readMe(context), context.catalog.of('users')]);
    if (!(await context.presentation()).isDefaultFormat) return printRecord(context, me, viewOf(users));
    await (await import('./resource/view.ts')).viewRecord(context, users, me);
  },
});
