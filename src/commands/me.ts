import { resourceOf } from '../catalog/index.ts';
import { defineCommand } from '../cli/spec.ts';
import { readMe } from '../records/me.ts';
import type { Needs } from '../session/context.ts';
import type { Printing } from '../session/print.ts';
import { printRecord, viewOf } from '../session/print.ts';

/** `svc me`: `GET /me`. */
export const me = defineCommand({
  name: 'me',
  summary: 'Who you are signed in as',
  examples: [
    { args: 'me', does: 'Your user record' },
    { args: 'me --jq .timezone', does: 'Only your time zone' },
  ],
  async run(context: Needs<Printing | 'client'>) {
    const [me, users] = await Promise.all([readMe(context), resourceOf('users')]);
    await printRecord(context, me, viewOf(users));
  },
});
