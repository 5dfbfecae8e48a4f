import { findResource } from '../catalog/index.ts';
import { defineCommand } from '../cli/spec.ts';
import { readRecord } from '../records/read-record.ts';
import type { Context } from '../session/context.ts';
import { printRecord, viewOf } from '../session/print.ts';

/** `svc me`: `GET /me`. */
export const me = defineCommand({
  name: 'me',
  summary: 'Who you are signed in as',
  examples: [
    { args: 'me', does: 'Your user record' },
    { args: 'me --jq .timezone', does: 'Only your time zone' },
  ],
  async run(context: Context) {
    const client = await context.client();
    const [response, users] = await Promise.all([client.send({ method: 'GET', path: '/me' }), findResource('users')]);
    await printRecord(context, readRecord(response), users && viewOf(users));
  },
});
